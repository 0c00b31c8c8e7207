import Thumbturn
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnCrypto

// audit log and export.
extension Context {
    /// Prints what the trail tells; needs no secret.
    func showTrail(all: Bool) async throws {
        let (report, first) = try await withVault(mayLeaveTPM: false, asksService: false, readsWallets: false) {
            vault,
            _ in
            guard let count = await vault.trailSummary?.count else { throw await Self.noTrail(of: vault) }
            let first = all || count <= TrailReport.usualCount ? 0 : count - TrailReport.usualCount
            let entries = try await vault.trail(after: first > 0 ? first - 1 : nil, limit: .max)
            // As of the look that read the entries.
            guard let summary = await vault.trailSummary else { throw await Self.noTrail(of: vault) }
            let report = TrailReport(
                summary: summary,
                entries: entries,
                hasFormer: await vault.hasFormerTrail,
                factor: await vault.factor
            )
            return (report, first)
        }
        var failure = report.breaks(from: first).map(Self.broken)
        failure?.isPrinted = output.isJSON
        var lines = [report.summary.health.firstLine(hasFormer: report.hasFormer)].compactMap(\.self).map {
            advice.completed($0.naming(report.factor))
        }
        if let delivery = report.summary.delivery, delivery.undelivered > 0 || delivery.halt != nil {
            lines.append(StatusReport.deliveryTitle + Words(": ", " : ") + delivery.line)
        }
        if first > 0 {
            lines.append(
                advice.completed(
                    Words("\(first) earlier", "\(first) plus anciens") + Words(": ", " : ")
                        + Words("`thumbturn audit log --all`")
                )
            )
        }
        lines += report.lines
        let members = report.json + (failure.map { [("error", output.json(of: $0))] } ?? [])
        try output.print(lines.joined(separator: "\n"), indent: 4, json: JSON.object(members))
        if let failure { throw failure }
    }

    private static func broken(at seq: UInt64) -> Failure {
        Failure(
            .trailBroken,
            statement: Words(
                "Event \(seq) of the trail is missing or damaged; what follows it can't be believed.",
                "L'événement \(seq) du journal manque ou est abîmé ; ce qui suit n'est pas crédible."
            ),
            hint: Words(
                "`thumbturn audit export FILE` writes what stands before it, and a new trail begins",
                "`thumbturn audit export FICHIER` écrit ce qui précède, et un nouveau journal commence"
            )
        )
    }

    private static func noTrail(of vault: Vault) async -> Failure {
        if let refusal = await vault.snapshot.condition.refusal { return Failure(refusal) }
        return Failure(
            .storageUnavailable,
            statement: Words(
                "The trail can't be read now: the device does not give its key.",
                "Le journal ne peut être lu pour l'instant : l'appareil ne donne pas sa clé."
            )
        )
    }

    /// Writes the trail, or the one before it, as a file that anyone can verify.
    func exportTrail(to path: String, former: Bool) async throws {
        guard path != Command.pipe else {
            throw Failure.usage(Words("the export needs the name of a file", "l'export demande le nom d'un fichier"))
        }
        try await withVault(readsWallets: false) { vault, _ in
            let file = try NewFile(path)
            let authorization = try await authorize(vault)
            let gathered = GatheredExport()
            let export: TrailExport
            do {
                export = try await vault.exportTrail(authorization, former: former, to: gathered.take)
            } catch let error as VaultError where error.code == .keyMissing && former {
                throw Self.noFormerTrail
            } catch let error as VaultError where error.code == .vaultDamaged && gathered.bytes.isEmpty {
                throw Self.nothingToExport
            }
            // What does not verify is not written: it would be found out by an auditor.
            let summary: AuditSummary
            switch gathered.verified() {
            case .success(let found): summary = found
            case .failure(let finding): throw Failure(finding)
            }
            try file.write(gathered.bytes)
            var failure = export.isWhole ? nil : Self.partial(upTo: export.count)
            failure?.isPrinted = output.isJSON
            let members: [(String, JSON)] = [
                ("export", .string(path)), ("count", .integer(Int64(clamping: summary.count))),
                ("isWhole", .bool(export.isWhole)), ("fingerprint", .string(summary.fingerprint)),
            ]
            try output.print(
                Words("Trail exported: ", "Journal exporté : ") + .events(summary.count)
                    + Words(".\nfingerprint: ", ".\nempreinte : ") + Words(summary.fingerprint),
                json: JSON.object(members + (failure.map { [("error", output.json(of: $0))] } ?? []))
            )
            if let failure { throw failure }
        }
    }

    private static let noFormerTrail = Failure(
        .usage,
        statement: Words(
            "There is no trail before this one, or its key is gone.",
            "Il n'y a pas de journal avant celui-ci, ou sa clé a disparu."
        ),
        hint: Words("leave out --former", "omettez --former")
    )

    private static let nothingToExport = Failure(
        .trailBroken,
        statement: Words(
            "No event of the trail can be read: there is nothing to export.",
            "Aucun événement du journal n'est lisible : il n'y a rien à exporter."
        )
    )

    private static func partial(upTo count: UInt64) -> Failure {
        Failure(
            .trailBroken,
            statement: Words(
                "The file is not the whole trail: event \(count) is missing or damaged, and those behind it are not in it.",
                "Le fichier n'est pas tout le journal : l'événement \(count) manque ou est abîmé, et les suivants n'y sont pas."
            ),
            hint: Words(
                "keep the file: `thumbturn audit log` shows the trail that goes on",
                "gardez le fichier : `thumbturn audit log` montre le journal qui continue"
            )
        )
    }
}

/// Gathers an export before any of it is in a file.
private final class GatheredExport: @unchecked Sendable {
    // Safe to send: one export at a time writes, and it is read only after that has ended.
    private(set) var bytes: [UInt8] = []

    func take(_ line: [UInt8]) { bytes += line }

    func verified() -> Result<AuditSummary, AuditFinding> {
        var rest: [UInt8]? = bytes
        return AuditVerifier.verify { () throws(Never) in rest.take() }
    }
}

extension Words {
    static func events(_ count: UInt64) -> Words {
        Words(count == 1 ? "1 event" : "\(count) events", count < 2 ? "\(count) événement" : "\(count) événements")
    }
}
