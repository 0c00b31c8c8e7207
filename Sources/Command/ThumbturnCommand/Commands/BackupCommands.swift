import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// backup, backup verify and restore.
extension Context {
    func backUp(to path: String, replacing: Bool) async throws {
        guard path != Command.pipe else { return try await sendBackup() }
        // Give each backup in a folder its own name, so a timer needs no arguments to vary.
        let isFolder = Folders.leads(toFolder: path)
        let path = isFolder ? path + (path.hasSuffix("/") ? "" : "/") + Self.datedName() : path
        try await withVault { vault, _ in
            try Folders.requireParent(of: path)
            let authorization = try await authorize(vault)
            let count = await vault.snapshot.walletCount
            let target = replacing ? BackupTarget.file(path) : .newFile(path)
            try await backUp(vault, into: target, authorization)
            try output.print(
                Words("Backup written: ", "Sauvegarde écrite : ") + .wallets(count) + Words(".")
                    + Words(isFolder ? "\n\(path)" : ""),
                json: ["backup": .string(path), "walletCount": JSON(count)]
            )
            guard output.isOnTerminal else { return }
            let file = Shell.operand(path)
            output.note(
                Words(
                    "next: `thumbturn backup verify \(file)`, and keep a copy elsewhere",
                    "ensuite : `thumbturn backup verify \(file)`, et gardez une copie ailleurs"
                )
            )
        }
    }

    private func sendBackup() async throws {
        guard !output.isOnTerminal else {
            throw Failure(
                .usage,
                Words("a backup can't be shown on a terminal", "une sauvegarde ne s'affiche pas au terminal"),
                hint: Words("name a file, or redirect it to one", "nommez un fichier, ou redirigez-la vers un fichier")
            )
        }
        let pipe = BackupPipe(output)
        do {
            try await withVault { vault, _ in
                let authorization = try await authorize(vault)
                let count = await vault.snapshot.walletCount
                try await backUp(vault, into: .pipe(pipe.take), authorization)
                output.note(Words("backup written: ", "sauvegarde écrite : ") + .wallets(count))
            }
        } catch {
            throw pipe.failure ?? error
        }
    }

    private func backUp(
        _ vault: Vault,
        into target: BackupTarget,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        defer { output.showProgress(Words("")) }
        try await vault.backUp(into: target, authorization, progress: progress)
    }

    func verifyBackup(_ path: String) async throws {
        try refuseTerminal(as: path)
        try requireFile(path)
        let scratch = try Folders.makeScratch("thumbturn-backup")
        defer { Folders.remove(scratch) }
        let file = try file(of: path, in: scratch)
        try check(file)
        let key = try secrets.readRecoveryKey()
        let count: Int
        do {
            count = try await Vault.verifyBackup(
                at: file,
                recoveryKey: key,
                in: scratch,
                noting: try? vaultFolder(),
                at: .now
            )
        } catch { throw Failure(ofBackup: error) }
        try output.print(
            Words("The backup is complete, and all of it opens: ", "La sauvegarde est complète, et tout s'ouvre : ")
                + .wallets(count) + Words("."),
            json: ["backup": .string(path), "isWhole": .bool(true), "walletCount": JSON(count)]
        )
    }

    func restore(from path: String) async throws {
        let folder = try vaultFolder()
        // Check before asking for or creating anything.
        try refuseTerminal(as: path)
        try requireFile(path)
        if path != Command.pipe { try check(path) }
        try requirePlace(for: folder)
        let damage = try await refuseVault(in: folder)
        let prospect = try await prospect()
        tellWorth(of: prospect)
        let scratch = try Folders.makeScratch("thumbturn-backup")
        defer { Folders.remove(scratch) }
        let file = try file(of: path, in: scratch)
        try check(file)
        let key = try secrets.readRecoveryKey()
        _ = try RecoveryKey.parse(key)
        let secret = try secrets.readNewPIN(under: prospect.assurance)
        let device = try await open(prospect.choice)
        if options.vault == nil { try Folders.makeParents(of: folder) }
        let vault: Vault
        do {
            vault = try await making(on: device, despite: damage) { () async throws(VaultError) in
                defer { output.showProgress(Words("")) }
                return try await Vault.restore(
                    from: file,
                    in: folder,
                    device: device,
                    recoveryKey: key,
                    newSecret: secret,
                    allowing: prospect.choice == .simulated ? .simulated : .hardwareBound,
                    configuration: configuration(),
                    progress: progress
                )
            }
        } catch { throw Failure(ofBackup: error) }
        let count = await vault.snapshot.walletCount
        await vault.close()
        try output.print(
            Words("Restored into \(folder): ", "Restauré dans \(folder) : ") + .wallets(count) + Words(".")
                + prospect.line,
            json: [
                "vault": .string(folder), "walletCount": JSON(count), "keys": .string(prospect.choice.rawValue),
                "assurance": .string(prospect.assurance.name),
            ]
        )
        guard output.isOnTerminal else { return }
        output.note(
            Words(
                "next: `thumbturn wallet list`, `thumbturn wallet export NAME`",
                "ensuite : `thumbturn wallet list`, `thumbturn wallet export NOM`"
            )
        )
    }

    var progress: @Sendable (WorkProgress) -> Void {
        { [output] progress in output.showProgress(Words("\(progress.done) / \(progress.total)")) }
    }

    /// Returns the path of the backup; one on standard input is first copied to a file, still sealed.
    private func file(of path: String, in scratch: String) throws -> String {
        guard path == Command.pipe else { return path }
        let file = scratch + "/input"
        try SecretInput.copyStandardInput(to: file, upTo: Vault.mostBackupBytes)
        return file
    }

    /// Refuses a file that can't be a backup, before asking for any secret.
    private func check(_ file: String) throws {
        try Vault.checkBackup(at: file)
        // The magic bytes of a SQLite file.
        guard Folders.beginning(of: file, count: 16) == Array("SQLite format 3\0".utf8) else {
            throw Failure(.vaultDamaged)
        }
    }

    /// Refuses a path that is not a readable file, with a specific message.
    ///
    /// - Parameter hint: what to name instead; a backup where it is nil.
    func requireFile(_ path: String, hint: Words? = nil) throws(Failure) {
        guard path != Command.pipe else { return }
        if Folders.isAbsent(path) { throw hint.map { .noFile(path, hint: $0) } ?? .noFile(path) }
        if Folders.leads(toFolder: path) { throw hint.map { .folder(path, hint: $0) } ?? .folder(path) }
        guard unsafe access(path, R_OK) == 0 else { throw .unreadable(path) }
    }

    private func refuseTerminal(as path: String) throws {
        guard path == Command.pipe, isatty(STDIN_FILENO) == 1 else { return }
        throw Failure(.usage, Words("a backup can't be typed", "une sauvegarde ne se tape pas"))
    }

    /// A file name with the UTC time, valid on every file system.
    private static func datedName() -> String {
        let date = Milliseconds.now.date.filter { $0 != "-" && $0 != ":" }
        return "thumbturn-\(date).backup"
    }
}

/// Writes a backup to standard output.
final class BackupPipe: @unchecked Sendable {
    // Safe to send: one backup at a time writes, and `failure` is read only after it has ended.

    private let output: Output
    /// The failure that stopped the output.
    private(set) var failure: Failure?

    init(_ output: Output) { self.output = output }

    /// Writes a part of the backup.
    func take(_ bytes: [UInt8]) throws(VaultError) {
        do throws(Failure) { try output.write(bytes) } catch {
            failure = error
            throw VaultError(error.code)
        }
    }
}
