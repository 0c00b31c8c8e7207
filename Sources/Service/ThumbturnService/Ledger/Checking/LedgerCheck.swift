import ThumbturnAudit
package import ThumbturnRules

/// Verifies the logs as the database has them: each leaf anew, against tiles, roots, signatures and chains.
package enum LedgerCheck {
    /// Verifies every log, one after the other; the service may go on meanwhile.
    ///
    /// - Parameter before: what is older may be archived; counted for each log.
    /// - Returns: `nil` where the database has no ledger yet.
    package static func run(in store: any Store, before: Milliseconds? = nil) throws(StoreError) -> LedgerReport? {
        let (plan, service) = try store.reading { transaction throws(StoreError) in
            (try LedgerPlan.read(transaction), try ServiceName.read(transaction))
        }
        guard let plan, let service else { return nil }
        var report = LedgerReport()
        var former: [LogCheck] = []
        for log in plan.allLogs {
            let place = Int(log) - plan.count
            var check = LogCheck(
                LogWalk(log: log, store: store),
                origin: plan.origin(of: log, of: service),
                behind: place < 0 ? nil : former[place % plan.count],
                before: before
            )
            try check.run()
            report.logs.append(check.report)
            if place < 0 { former.append(check) } else { former[place % plan.count] = check }
        }
        return report
    }
}
