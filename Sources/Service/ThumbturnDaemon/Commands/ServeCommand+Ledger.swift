import ThumbturnAudit
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnService

// The audit logs of a service that starts.
extension ServeCommand {
    /// Starts the logs of the database, with the keys that sign them.
    ///
    /// A token that is away does not keep the service from starting: records are stored, and signed once it is back.
    ///
    /// - Parameter name: the service's name.
    func startLedger(of name: String, in location: StoreLocation, _ log: ServiceLog) throws(Failure) -> AuditLedger {
        let store = try open(location)
        defer { store.close() }
        let plan: LedgerPlan
        do throws(StoreError) { plan = try AuditLedger.establish(options.logs ?? 1, in: store) } catch {
            throw Failure(error)
        }
        if let given = options.logs, given != plan.count {
            log.record(
                .warning,
                "another --logs than the database's, which stays",
                at: .now(),
                [("given", JSON(given)), ("logs", JSON(plan.count))]
            )
        }
        let signers = try self.signers(of: plan, in: store, log)
        try check(signers, against: plan, in: store)
        let heads = try environment.auditHeads(options.places)
        try check(heads, plan, of: name, in: store)
        let ledger = AuditLedger(plan, of: name, at: location, keeping: heads, log: log)
        guard ledger.start(signers.map(\.opening), witness: options.witness) else {
            throw Failure(HTTPError.noThread, options.listen)
        }
        return ledger
    }

    /// The keys that sign; makes the default one for logs that none has signed.
    private func signers(
        of plan: LedgerPlan,
        in store: any Store,
        _ log: ServiceLog
    ) throws(Failure) -> [SignerLocation] {
        guard options.signers.isEmpty else { return options.signers }
        let path = try environment.auditKey(options.places)
        let isUnsigned: Bool
        do throws(StoreError) { isUnsigned = try AuditLedger.knows([], plan, in: store) } catch {
            throw Failure(error)
        }
        do throws(SignerError) {
            let isAbsent = try SignerLocation.isAbsent(at: path)
            if isUnsigned || !isAbsent {
                let (location, isNew) = try SignerLocation.established(at: path)
                if isNew { log.record(.info, "audit key made", at: .now()) }
                return [location]
            }
        } catch {
            throw Failure(error)
        }
        throw Failure(
            .storageUnavailable,
            statement: Words(
                "The key that signs the audit log is not here: \(path)",
                "La clé qui signe le journal d'audit n'est pas ici : \(path)"
            ),
            hint: Words(
                "copy it from another instance or from its backup; if it is lost, see `thumbturnd help restored`",
                "copiez-la d'une autre instance ou de sa sauvegarde ; si elle est perdue, voyez « thumbturnd help restored »"
            )
        )
    }

    /// Refuses keys that the logs do not know, and that no known one stands beside.
    private func check(_ signers: [SignerLocation], against plan: LedgerPlan, in store: any Store) throws(Failure) {
        var keys: [[UInt8]] = []
        for signer in signers {
            do throws(SignerError) { keys.append(try signer.open().publicKey) } catch {
                switch error {
                case .gone, .tokenMissing: return
                default: throw Failure(error)
                }
            }
        }
        let isKnown: Bool
        do throws(StoreError) { isKnown = try AuditLedger.knows(keys, plan, in: store) } catch { return }
        guard isKnown else {
            throw Failure(
                .storageUnavailable,
                statement: Words(
                    "The audit log is signed by another key.",
                    "Le journal d'audit est signé par une autre clé."
                ),
                hint: Words(
                    "give the former key too, behind the new one: --signer NEW --signer FORMER; if it is lost, see `thumbturnd help restored`",
                    "donnez aussi l'ancienne clé, après la nouvelle : --signer NOUVELLE --signer ANCIENNE ; si elle est perdue, voyez « thumbturnd help restored »"
                )
            )
        }
    }

    /// Refuses a database that lacks a head which this service signed: another head of that log would contradict it.
    private func check(_ heads: HeadFile, _ plan: LedgerPlan, of name: String, in store: any Store) throws(Failure) {
        let kept: [AuditCheckpoint]
        do throws(FileError) { kept = try heads.heads() } catch {
            throw Failure(
                .storageUnavailable,
                statement: Words(
                    "The file of the audit log's last heads can't be read: \(heads.path).",
                    "Le fichier des dernières têtes du journal d'audit est illisible : \(heads.path)."
                ),
                hint: Words(
                    "close it to other users (chmod 600); if it is damaged, remove it: the service makes it anew",
                    "fermez-le aux autres utilisateurs (chmod 600) ; s'il est abîmé, retirez-le : le service le refait"
                )
            )
        }
        let missing: AuditCheckpoint?
        do throws(StoreError) { missing = try AuditLedger.missing(kept, from: plan, of: name, in: store) } catch {
            throw Failure(error)
        }
        guard let missing else { return }
        throw Failure(
            .logContradicted,
            statement: Words(
                "The database is older than its audit log: \(missing.origin) was signed up to \(missing.size).",
                "La base est plus ancienne que son journal d'audit : \(missing.origin) a été signé jusqu'à \(missing.size)."
            ),
            hint: Words(
                "run `thumbturnd restored`; for a database that has nothing to do with that log, remove \(heads.path) first",
                "lancez « thumbturnd restored » ; pour une base sans rapport avec ce journal, retirez d'abord \(heads.path)"
            )
        )
    }
}
