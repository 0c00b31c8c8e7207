import Foundation
import Testing
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// A vault's own file is read with the log beside it, whoever has it open.
@Suite struct DatabaseImageTests {
    /// A vault whose last wallet lies in the log alone.
    private static func make() async throws -> (made: TestVault, key: String, reader: Database) {
        let made = try await TestVault.make()
        try await made.add("Former")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        // Who reads keeps the log from being moved into the file.
        let reader = try Database(opening: made.file, format: VaultStore.format)
        try reader.beginRead()
        _ = try reader.rows("SELECT id FROM wallet")
        let vault = try await made.reopened()
        _ = try await vault.strong()
        try await vault.add("New", "the newest secret")
        await vault.vault.close()
        return (made, key, reader)
    }

    private static func names(in path: String, _ key: String) throws -> [String] {
        try OpenedBackup(at: path, recoveryKey: SecretBytes(text: key)).inventory.wallets.map(\.name.text)
    }

    @Test func `what is committed and lies in the log is read with the file`() async throws {
        let (made, key, reader) = try await Self.make()
        defer { reader.close() }
        #expect(try Self.names(in: made.file, key) == ["Former", "New"])
        try made.folder.write(made.folder.read("vault/vault.sqlite"), to: "alone")
        #expect(try Self.names(in: made.folder.file("alone"), key) == ["Former"])
    }

    @Test func `a file that changes while it is read is read anew, and never half`() async throws {
        let (made, key, reader) = try await Self.make()
        reader.close()
        let writer = try Database(opening: made.file, format: VaultStore.format)
        var changes = 0
        let image = try DatabaseImage(made.file) { () throws(VaultError) in
            guard changes < 5 else { return }
            changes += 1
            try storing { () throws(SQLiteError) in
                try writer.run("INSERT INTO leftover VALUES (?, NULL)", .text("note \(changes)"))
                if changes % 2 == 0 { try writer.truncateLog() }
            }
        }
        #expect(changes == 5 && image.hasCommits)
        try FileCopy.copy(image, toScratch: made.folder.file("copy"))
        writer.close()
        #expect(try made.folder.read("copy") == made.folder.read("vault/vault.sqlite"))
        #expect(try Self.names(in: made.folder.file("copy"), key) == ["Former", "New"])
        // One that never stands still is told, not guessed.
        #expect(throws: VaultError(ErrorCode.busy)) {
            try DatabaseImage(made.file) { () throws(VaultError) in
                changes += 1
                try? made.folder.write(Array("\(changes)".utf8), to: "vault/vault.sqlite-wal")
            }
        }
    }

    /// A file of one vault beside the log of another one, which is whole and would hide some of its pages.
    ///
    /// - Parameter isDamaged: whether a page of the file is damaged too, so that nothing of it is authentic as a whole.
    private static func foreign(isDamaged: Bool) async throws -> (made: TestVault, key: String) {
        let (other, _, reader) = try await make()
        defer { reader.close() }
        let made = try await TestVault.make()
        for number in 0..<8 { try await made.add("Wallet \(number)", String(repeating: "\(number)", count: 2_000)) }
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        var bytes = try made.folder.read("vault/vault.sqlite")
        if isDamaged { bytes = Array(bytes.dropLast(Int(Database.pageByteCount))) }
        try made.folder.write(bytes, to: "copy.sqlite")
        try made.folder.write(other.folder.read("vault/vault.sqlite-wal"), to: "copy.sqlite-wal")
        return (made, key)
    }

    @Test(arguments: [false, true])
    func `nothing is taken of another file's log, and all that is whole in this one is given`(isDamaged: Bool)
        async throws
    {
        let (made, key) = try await Self.foreign(isDamaged: isDamaged)
        let path = made.folder.file("copy.sqlite")
        let opened = try OpenedBackup(at: path, recoveryKey: SecretBytes(text: key)).inventory
        #expect(opened.isLogLost)
        try FileManager.default.removeItem(atPath: path + "-wal")
        let alone = try OpenedBackup(at: path, recoveryKey: SecretBytes(text: key)).inventory
        #expect(!alone.isLogLost && opened.wallets == alone.wallets && opened.damaged == alone.damaged)
        #expect(alone.isAuthentic == !isDamaged && alone.wallets.count >= (isDamaged ? 6 : 8))
    }

    @Test func `beside another file's log nothing was tampered with: the log can't be used`() async throws {
        let (made, key) = try await Self.foreign(isDamaged: false)
        let path = made.folder.file("copy.sqlite")
        let scratch = made.folder.file("scratch")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
        let code = await refusal {
            try await Vault.verifyBackup(
                at: path,
                recoveryKey: SecretBytes(text: key),
                in: scratch,
                noting: nil,
                at: .zero
            )
        }
        #expect(code == .logUnusable)
    }

    @Test func `a log that is older than its file does not take the place of what was stored since`() async throws {
        let (made, key, reader) = try await Self.make()
        let log = try made.folder.read("vault/vault.sqlite-wal")
        reader.close()
        let vault = try await made.reopened()
        _ = try await vault.strong()
        try await vault.add("Newest")
        await vault.vault.close()
        try made.folder.write(made.folder.read("vault/vault.sqlite"), to: "copy")
        try made.folder.write(log, to: "copy-wal")
        let opened = try OpenedBackup(at: made.folder.file("copy"), recoveryKey: SecretBytes(text: key)).inventory
        #expect(opened.isLogLost && opened.isAuthentic)
        #expect(opened.wallets.map(\.name.text) == ["Former", "New", "Newest"])
    }

    @Test func `where no log can be read in its place the file is read alone`() async throws {
        let (made, key, reader) = try await Self.make()
        defer { reader.close() }
        let manager = FileManager.default
        try made.folder.write(made.folder.read("vault/vault.sqlite"), to: "copy")
        let (path, log) = (made.folder.file("copy"), made.folder.file("copy-wal"))
        let plants: [() throws -> Void] = [
            { try manager.createSymbolicLink(atPath: log, withDestinationPath: made.file + "-wal") },
            { try manager.createSymbolicLink(atPath: log, withDestinationPath: "nowhere") },
            { try manager.createDirectory(atPath: log, withIntermediateDirectories: false) },
        ]
        for (number, plant) in plants.enumerated() {
            try plant()
            let opened = try OpenedBackup(at: path, recoveryKey: SecretBytes(text: key)).inventory
            #expect(opened.isLogLost && opened.wallets.map(\.name.text) == ["Former"], "\(number)")
            try manager.removeItem(atPath: log)
        }
    }
}
