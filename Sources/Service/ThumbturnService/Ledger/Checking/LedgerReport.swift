package import ThumbturnAudit

/// What `check` found out about the logs of a database.
package struct LedgerReport: Sendable {
    /// One log.
    package struct Log: Sendable {
        /// Its number.
        package let log: Int64
        /// Its name.
        package let origin: String
        /// The ids of the keys that have signed its heads.
        package internal(set) var keys: [String] = []
        /// What is wrong, as far as it is named.
        package internal(set) var faults: [LedgerFault] = []
        /// How much is wrong.
        package internal(set) var faultCount = 0
        /// What should be known.
        package internal(set) var remarks: [LedgerRemark] = []
        /// How many leaves are older than the time that was asked for.
        package internal(set) var older: UInt64 = 0
        /// Its row; `nil` for a log that was not begun yet.
        var head: LogHead?

        init(log: Int64, origin: String) { (self.log, self.origin) = (log, origin) }

        /// How many leaves it has.
        package var size: UInt64 { head?.size ?? 0 }
        /// How many of them its newest signed head covers; `nil` while there is none.
        package var signed: UInt64? { head?.signed }
        /// Whether another log took its place.
        package var isEnded: Bool { head?.isEnded ?? false }
    }

    /// All logs, former ones first.
    package internal(set) var logs: [Log] = []

    /// Whether nothing is wrong.
    package var isRight: Bool { logs.allSatisfy { $0.faultCount == 0 } }
}
