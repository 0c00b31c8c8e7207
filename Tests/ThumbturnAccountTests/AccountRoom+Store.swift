@testable import ThumbturnService

extension AccountRoom {
    /// Takes the envelope of every account out of the database.
    func forgetEnvelopes() throws {
        try location.open().writing { tables throws(Problem) in try tables.put("UPDATE accounts SET envelope = NULL") }
    }
}
