@testable import ThumbturnService

extension AccountRoom {
    /// Takes the envelope of every account out of the database.
    func forgetEnvelopes() throws {
        try location.open().writing { tables throws(Problem) in try tables.put("UPDATE accounts SET envelope = NULL") }
    }

    /// Takes every device out of it, as a database does that is older than they are.
    func forgetDevices() throws {
        try location.open().writing { tables throws(Problem) in try tables.put("DELETE FROM devices") }
    }
}
