import ThumbturnAudit
import ThumbturnConsole
import ThumbturnJSON
import ThumbturnRules
import ThumbturnService

// The operator's commands about the audit ledger, which also work while the service is running.
extension Context {
    /// - Returns: the exit code: 4 if something is wrong.
    func checkLedger(before: Milliseconds?, _ places: Places) throws(Failure) -> Int32 {
        let store = try open(environment.store(places), making: false)
        let found: LedgerReport?
        do throws(StoreError) { found = try LedgerCheck.run(in: store, before: before) } catch { throw Failure(error) }
        guard let found else { throw .noLedger }
        let logs = found.logs.map { log in log.words(before: before) }
        try output.print(
            logs.dropFirst().reduce(logs.first ?? Words("")) { $0 + Words("\n") + $1 },
            json: ["logs": .array(found.logs.map { $0.json(before: before, in: output.language) })]
        )
        let count = found.logs.map(\.faultCount).reduce(0, +)
        guard count > 0 else { return 0 }
        output.note(
            Words(
                "the ledger is not as the service wrote it; faults: \(count)",
                "le journal n'est pas tel que le service l'a écrit ; défauts : \(count)"
            )
        )
        return 4
    }

    /// Writes the export of a log; where there is one alone that is written to, it need not be named.
    func exportLog(_ number: Int?, _ places: Places) throws(Failure) {
        let store = try open(environment.store(places), making: false)
        let plan: LedgerPlan?
        do throws(StoreError) { plan = try LedgerReader(store).plan() } catch { throw Failure(error) }
        guard let plan else { throw .noLedger }
        let last = plan.allLogs.count - 1
        guard number != nil || plan.count == 1 else {
            throw .usage(
                Words("there are several logs: --log 0 to \(last)", "il y a plusieurs journaux : --log 0 à \(last)")
            )
        }
        guard let log = number.map(Int64.init) ?? plan.logs.first, plan.allLogs.contains(log) else {
            throw .usage(Words("the logs are 0 to \(last)", "les journaux sont 0 à \(last)"))
        }
        var export = try exported { () throws(LogExportError) in try LogExport(of: log, in: store) }
        while let lines = try exported({ () throws(LogExportError) in try export.lines() }) { try output.write(lines) }
    }

    private func exported<Result>(_ call: () throws(LogExportError) -> Result) throws(Failure) -> Result {
        do throws(LogExportError) { return try call() } catch {
            switch error {
            case .store(let error): throw Failure(error)
            case .absent: throw .noHead
            case .wrong(let finding): throw Failure(finding)
            }
        }
    }

    func createAuditor(_ text: String, _ places: Places) throws(Failure) {
        let name = try auditorName(text)
        let store = try open(environment.store(places), making: false)
        let token: String?
        do throws(StoreError) { token = try Auditors.create(name, in: store) } catch { throw Failure(error) }
        guard let token else {
            throw Failure(
                .fileExists,
                statement: Words("There is an auditor of this name.", "Il y a déjà un auditeur de ce nom."),
                hint: Words(
                    "choose another name, or `thumbturnd auditor remove NAME` first",
                    "choisissez un autre nom, ou d'abord `thumbturnd auditor remove NOM`"
                )
            )
        }
        try output.print(Words(token), json: ["auditor": .string(name.text), "token": .string(token)])
        output.note(
            Words("this token is not shown again", "ce jeton ne sera plus affiché")
        )
    }

    func removeAuditor(_ text: String, _ places: Places) throws(Failure) {
        let name = try auditorName(text)
        let store = try open(environment.store(places), making: false)
        let isRemoved: Bool
        do throws(StoreError) { isRemoved = try Auditors.remove(name, in: store) } catch { throw Failure(error) }
        guard isRemoved else {
            throw Failure(
                .accountUnknown,
                statement: Words("There is no auditor of this name.", "Il n'y a pas d'auditeur de ce nom."),
                hint: Words("check the name", "vérifiez le nom")
            )
        }
        try output.print(
            Words("removed \(name.text): the token is refused", "\(name.text) est retiré : le jeton est refusé"),
            json: ["auditor": .string(name.text)]
        )
    }

    private func auditorName(_ text: String) throws(Failure) -> AuditorName {
        guard let name = AuditorName(text) else {
            throw .usage(
                Words(
                    "the name must be 1 to 64 of A-Z a-z 0-9 . _ @ -",
                    "le nom doit avoir 1 à 64 signes de A-Z a-z 0-9 . _ @ -"
                )
            )
        }
        return name
    }
}

extension Failure {
    /// The failure for a log that would not verify.
    init(_ finding: LedgerFinding) {
        let place = finding.leaves.map {
            $0.lowerBound == $0.upperBound ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)"
        }
        let words = Words(
            "The log is not as the service wrote it",
            "Le journal n'est pas tel que le service l'a écrit"
        )
        self.init(
            .trailBroken,
            statement: words + (place.map { Words(": leaf \($0).", " : feuille \($0).") } ?? Words(".")),
            hint: Words("`thumbturnd check` says more", "`thumbturnd check` en dit plus")
        )
    }

    /// The failure for a log without a signed head.
    static let noHead = Failure(
        .storageUnavailable,
        statement: Words("No head of the log is signed yet.", "Aucune tête du journal n'est encore signée."),
        hint: Words("start the service, and look at its log", "lancez le service, et regardez son journal")
    )

    /// The failure for a database whose service never started with a ledger.
    static let noLedger = Failure(
        .storageUnavailable,
        statement: Words("The database has no audit ledger yet.", "La base n'a pas encore de journal d'audit."),
        hint: Words("start the service once", "lancez le service une fois")
    )
}
