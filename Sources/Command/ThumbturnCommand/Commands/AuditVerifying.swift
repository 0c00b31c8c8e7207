import Thumbturn
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// audit verify.
extension Context {
    /// More than the first line of a service's export has.
    private static let headerByteCount = 1 << 14

    /// Verifies an export of a device or of a service, in the memory of one line; needs no vault.
    ///
    /// Where there is one, a service's export of the same log has to pass through the head that the vault keeps.
    func verifyTrail(_ path: String, keys: [String]) async throws {
        guard path != Command.pipe || isatty(STDIN_FILENO) != 1 else {
            throw Failure(.usage, Words("an export can't be typed", "un export ne se tape pas"))
        }
        let pinned = try keys.isEmpty ? nil : keys.flatMap(publicKeys)
        let name = Words("name an export", "nommez un export")
        try requireFile(path, hint: name)
        let file = try InputFile(path, orThrow: .unreadable(path))
        var start: [UInt8]? = try file.firstLine(upTo: Self.headerByteCount)
        let known = ExportVerifier.isLedger(startingWith: start ?? []) ? await keptCheckpoint() : nil
        let verdict = try ExportVerifier.verify(pinned: pinned, known: known) { () throws(Failure) in
            if let start = start.take() { return start }
            return try file.next()
        }
        switch verdict {
        case .success(.device(let summary)):
            try output.print(
                summary.text(lookedUpBy: advice),
                json: JSON.object([("export", .string(path))] + summary.json)
            )
        case .success(.ledger(let summary)):
            try output.print(summary.text, json: JSON.object([("export", .string(path))] + summary.json))
        case .failure(.device(let finding)):
            guard !finding.isNoExport else { throw Failure(finding) }
            try tell(Failure(finding), of: path, finding.json)
        case .failure(.ledger(let finding)):
            try tell(Failure(finding), of: path, finding.json)
        }
    }

    /// Returns the last head that the vault here keeps of its account's log; a vault that can't be read is told of.
    private func keptCheckpoint() async -> AuditCheckpoint? {
        guard let folder = try? vaultFolder(), !Folders.isAbsent(folder) else { return nil }
        do {
            return try await withVault(mayLeaveTPM: false, asksService: false, readsWallets: false) { vault, _ in
                if let refusal = await vault.snapshot.condition.refusal { throw Failure(refusal) }
                return await vault.keptCheckpoint
            }
        } catch {
            output.note(
                Words(
                    "the vault here can't be read, so nothing was compared with what it keeps: `thumbturn status` says why",
                    "le coffre ici est illisible, donc rien n'a été comparé à ce qu'il garde : `thumbturn status` dit pourquoi"
                )
            )
            return nil
        }
    }

    /// Prints what failed, in JSON if that was asked for, and throws it.
    private func tell(_ failure: Failure, of path: String, _ place: [(String, JSON)]) throws {
        var failure = failure
        guard output.isJSON else { throw failure }
        failure.isPrinted = true
        try output.printLine(
            JSON.object(
                [("export", .string(path)), ("isWhole", .bool(false))] + place + [("error", output.json(of: failure))]
            ).text
        )
        throw failure
    }

    /// Returns the public keys of a PEM file, in DER.
    private func publicKeys(in path: String) throws(Failure) -> [[UInt8]] {
        let name = Words("name a PEM file with a P-256 public key", "nommez un fichier PEM avec une clé publique P-256")
        try requireFile(path, hint: name)
        let text = try InputFile(path, orThrow: .unreadable(path)).contents(upTo: 1 << 20)
        let keys = PEM.contents(labelled: "PUBLIC KEY", in: text ?? [])
        guard !keys.isEmpty, keys.allSatisfy({ (try? P256.check(publicKey: $0)) != nil }) else {
            throw Failure(
                .usage,
                statement: Words(
                    "\(path) has no public key of a device or a log.",
                    "\(path) n'a pas la clé publique d'un appareil ou d'un registre."
                ),
                hint: name
            )
        }
        return keys
    }
}

extension AuditFinding {
    /// The place that `--json` names.
    fileprivate var json: [(String, JSON)] { [("seq", seq.map { .integer(Int64(clamping: $0)) } ?? .null)] }
}
