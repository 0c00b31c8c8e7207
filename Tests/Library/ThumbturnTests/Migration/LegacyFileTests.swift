import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// A former wallet in a file: what is erased is what was read, or nothing.
@Suite struct LegacyFileTests {
    private let folder: TemporaryFolder
    private let path: String
    private static let bytes = Array(FormerApp.Sealed.first.rawValue.utf8)
    private static let other = Array(FormerApp.Sealed.other.rawValue.utf8)
    private static var digest: [UInt8] { SHA256.digest(bytes) }

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("wallet")
        try folder.write(Self.bytes, to: "wallet")
    }

    private func there(_ name: String = "wallet") -> [UInt8]? { try? folder.read(name) }

    private func read(_ file: LegacyFile) async throws -> [UInt8]? {
        guard let bytes = try await file.readSealed() else { return nil }
        return bytes.withBytes { $0.exposed }
    }

    private func refused(_ body: () async throws(DeviceRefusal) -> Void) async -> DeviceRefusal? {
        do throws(DeviceRefusal) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `it is read, erased, and absent afterwards`() async throws {
        let file = try LegacyFile(path)
        #expect(try await read(file) == Self.bytes)
        #expect(!file.countsGuesses && !file.isAbsent)
        try await file.eraseSealed(digest: Self.digest)
        #expect(there() == nil)
        #expect(try await read(file) == nil)
        try await file.eraseSealed(digest: Self.digest)
        #expect(try LegacyFile(path).isAbsent)
    }

    @Test func `a file that was put in its place since it was read stays`() async throws {
        let file = try LegacyFile(path)
        try folder.write(Self.other, to: "new")
        try FileManager.default.moveItem(atPath: path, toPath: folder.file("moved"))
        try FileManager.default.moveItem(atPath: folder.file("new"), toPath: path)
        #expect(
            await refused { () async throws(DeviceRefusal) in try await file.eraseSealed(digest: Self.digest) } != nil
        )
        #expect(there() == Self.other)
        #expect(there("moved") == [UInt8](repeating: 0, count: Self.bytes.count), "it was the one that was read")
    }

    @Test func `a file that was written since it was read stays as it is`() async throws {
        let file = try LegacyFile(path)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.write(contentsOf: Self.other)
        try handle.close()
        let code = await refused { () async throws(DeviceRefusal) in try await file.eraseSealed(digest: Self.digest) }
        #expect(code == .unclassified)
        #expect(there() == Self.other)
    }

    @Test func `a file that was given a second name since it was read keeps both, and its bytes`() async throws {
        let file = try LegacyFile(path)
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        let code = await refused { () async throws(DeviceRefusal) in try await file.eraseSealed(digest: Self.digest) }
        #expect(code == .unclassified)
        #expect(there() == Self.bytes && there("second") == Self.bytes)
    }

    @Test(arguments: [1, 511, 512, 513, 4_096])
    func `an erase that was cut off behind any of its zeros is gone through with`(length: Int) async throws {
        try folder.write([UInt8](repeating: 0, count: length), to: "zeros")
        let file = try LegacyFile(folder.file("zeros"))
        try await file.eraseSealed(digest: Self.digest)
        #expect(there("zeros") == nil)
    }

    @Test func `an erase that was cut off between its two writes is gone through with`() async throws {
        // Only the first sector is written over so far.
        try folder.write([UInt8](repeating: 0, count: 512) + Array("the rest of a wallet".utf8), to: "wallet")
        try await LegacyFile(path).eraseSealed(digest: Self.digest)
        #expect(there() == nil)
    }

    @Test(arguments: [1, 511, LegacySealed.mostBytes])
    func `what begins with fewer zeros than a sector, or is longer than a wallet, is no remains of an erase`(zeros: Int)
        async throws
    {
        try folder.write([UInt8](repeating: 0, count: zeros) + [1], to: "wallet")
        let file = try LegacyFile(path)
        let code = await refused { () async throws(DeviceRefusal) in try await file.eraseSealed(digest: Self.digest) }
        #expect(code == .unclassified && there()?.last == 1)
    }

    @Test(.holds("A39")) func `what is no plain file of one's own is refused before it is opened`() async throws {
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder.file("symbolic"), withDestinationPath: path)
        try manager.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        try #require(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        for name in ["symbolic", "folder", "pipe"] {
            #expect(await refusal { try LegacyFile(folder.file(name)) } == .vaultUnsafe, "\(name)")
        }
        #expect(await refusal { try LegacyFile("/dev/null") } == .vaultUnsafe)
        for mode in [0o620, 0o602] {
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(await refusal { try LegacyFile(path) } == .vaultUnsafe)
        }
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try manager.linkItem(atPath: path, toPath: folder.file("second"))
        #expect(await refusal { try LegacyFile(path) } == .vaultUnsafe)
        #expect(await refusal { try LegacyFile(path + "/deeper") } == .storageUnavailable)
    }

    @Test func `of a file of 2 GB no more is read than a wallet can be`() async throws {
        try #require(unsafe truncate(path, 2 << 30) == 0)
        let bytes = try #require(try await read(LegacyFile(path)))
        #expect(bytes.count == LegacySealed.mostBytes + 1)
        let code = await refusal {
            try LegacySealed(reading: SecretBytes(text: String(decoding: bytes, as: UTF8.self)))
        }
        #expect(code == .legacyMalformed)
    }
}

/// Former wallets that come into a vault that is open.
@Suite struct MigrationImportTests {
    private let made: TestVault

    init() async throws {
        made = try await TestVault.make()
        try await made.strong()
    }

    private func file(_ sealed: FormerApp.Sealed, _ name: String) throws -> LegacyMigration {
        try file(Array(sealed.rawValue.utf8), name)
    }

    private func file(_ bytes: [UInt8], _ name: String) throws -> LegacyMigration {
        try made.folder.write(bytes, to: name)
        return LegacyMigration(of: try LegacyFile(made.folder.file(name)), named: try WalletName(name))
    }

    /// The same file, opened anew.
    private func again(_ name: String) throws -> LegacyMigration {
        LegacyMigration(of: try LegacyFile(made.folder.file(name)), named: try WalletName(name))
    }

    private func isThere(_ name: String) -> Bool { (try? made.folder.read(name)) != nil }

    @discardableResult
    private func migrate(_ migrations: LegacyMigration...) async throws -> [WalletSummary] {
        try await made.vault.migrate(migrations, with: SecretBytes(text: FormerApp.pin))
    }

    @Test(.holds("K-09")) func `several come in together, and all of them are erased`() async throws {
        let added = try await migrate(file(.first, "one"), file(.other, "two"))
        #expect(added.map(\.name.text) == ["one", "two"])
        #expect(try await made.mnemonics() == ["one": FormerApp.words, "two": FormerApp.otherWords])
        #expect(!isThere("one") && !isThere("two"))
        #expect(await made.vault.snapshot.migration == .full)
        let told = made.log.events.filter { $0.kind == .migrationCompleted || $0.kind == .legacyErased }
        #expect(told.map(\.kind) == [.migrationCompleted, .legacyErased] && told.allSatisfy { $0.count == 2 })
    }

    @Test(.holds("K-09")) func `where a wallet is gone none comes in or is erased, and the session only exports`()
        async throws
    {
        try await migrate(file(.first, "one"))
        try await made.add("Two", "a secret")
        try made.sql { try $0.run("DELETE FROM wallet WHERE rowid = 1") }
        #expect(await refusal { try await migrate(file(.other, "two")) } == .vaultTampered)
        #expect(isThere("two"))
        #expect(await made.vault.snapshot.state == .unlocked(.exportOnly))
        #expect(try await made.vault.inventory().wallets.map(\.name.text) == ["Two"])
    }

    @Test(.holds("K-09"), arguments: [FormerApp.Sealed.badChecksum, .weak, .again])
    func `where one of several is refused none comes in, and none is erased`(bad: FormerApp.Sealed) async throws {
        let head = try made.contents().head
        let codes: [FormerApp.Sealed: ErrorCode] = [
            .badChecksum: .legacyChecksumWrong, .weak: .legacySecretRefused, .again: .legacyAlreadyMigrated,
        ]
        let code = await refusal { try await migrate(file(.first, "one"), file(bad, "two")) }
        #expect(code == codes[bad])
        #expect(try made.contents().head == head)
        #expect(isThere("one") && isThere("two"))
        #expect(try await made.vault.wallets().isEmpty)
    }

    @Test(.holds("K-09")) func `one that could not be erased is remembered, and given once more it is erased`()
        async throws
    {
        let migration = try file(.first, "one")
        try FileManager.default.linkItem(atPath: made.folder.file("one"), toPath: made.folder.file("second"))
        #expect(await refusal { try await migrate(migration) } == .legacyNotErased)
        #expect(await made.vault.snapshot.migration == .erasing)
        #expect(try made.folder.read("one") == Array(FormerApp.Sealed.first.rawValue.utf8))
        try FileManager.default.removeItem(atPath: made.folder.file("second"))
        #expect(try await migrate(again("one")).isEmpty)
        #expect(!isThere("one"))
        #expect(await made.vault.snapshot.migration == .full)
        #expect(made.log.count(.legacyErased) == 1)
    }

    @Test(.holds("K-09"))
    func `what an erase left that was cut off is taken away, and only while the vault remembers one`()
        async throws
    {
        let migration = try file(.first, "one")
        try FileManager.default.linkItem(atPath: made.folder.file("one"), toPath: made.folder.file("second"))
        #expect(await refusal { try await migrate(migration) } == .legacyNotErased)
        try FileManager.default.removeItem(atPath: made.folder.file("second"))
        let zeros = [UInt8](repeating: 0, count: 150)
        #expect(
            await refusal { try await migrate(file(zeros, "zeros"), file(.badChecksum, "bad")) } == .legacyChecksumWrong
        )
        #expect(isThere("zeros"), "all or none")
        #expect(try await migrate(file(zeros, "one")).isEmpty)
        #expect(!isThere("one"))
        #expect(await made.vault.snapshot.migration == .full)
        #expect(await refusal { try await migrate(again("zeros")) } == .legacyMalformed)
        #expect(isThere("zeros"))
    }

    @Test(.holds("K-09")) func `a wallet that its owner deleted since then is not erased with its former copy`()
        async throws
    {
        try await made.add("Other")
        let migration = try file(.first, "one")
        try FileManager.default.linkItem(atPath: made.folder.file("one"), toPath: made.folder.file("second"))
        #expect(await refusal { try await migrate(migration) } == .legacyNotErased)
        let wallet = try #require(try await made.vault.wallets().first { $0.name.text == "one" })
        try await made.vault.deleteWallet(wallet.id, try await made.strong())
        try FileManager.default.removeItem(atPath: made.folder.file("second"))
        await made.vault.close()

        var configuration = TestVault.configuration(made.log)
        configuration.legacy = try again("one")
        let vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        #expect(isThere("one"), "it is the last copy")
        let added = try await vault.migrate([again("one")], with: SecretBytes(text: FormerApp.pin))
        #expect(added.count == 1 && !isThere("one"))
    }

    @Test(.holds("K-09")) func `where the vault's wallets do not stand nothing comes in and nothing is erased`()
        async throws
    {
        try await made.add("Other")
        await made.vault.lock()
        var wallet = try #require(made.wallets().first)
        wallet.secret[60] ^= 1
        try made.replace(wallet)
        try await made.strong()
        #expect(await refusal { try await migrate(file(.first, "one")) } == .vaultTampered)
        #expect(isThere("one"))
    }

    @Test func `a locked vault takes nothing in`() async throws {
        await made.vault.lock()
        #expect(await refusal { try await migrate(file(.first, "one")) } == .locked)
        #expect(isThere("one"))
    }

    @Test func `a backup of a vault with an erase that was put off restores, and erases nothing by itself`()
        async throws
    {
        let key = try await made.makeRecoveryKey()
        let migration = try file(.first, "one")
        try FileManager.default.linkItem(atPath: made.folder.file("one"), toPath: made.folder.file("second"))
        #expect(await refusal { try await migrate(migration) } == .legacyNotErased)
        try await made.vault.backUp(to: made.folder.file("backup"), try await made.strong())
        let restored = try await Vault.restore(
            from: made.folder.file("backup"),
            in: made.folder.file("restored"),
            device: made.device,
            recoveryKey: SecretBytes(text: key),
            newSecret: SecretBytes(text: TestVault.pin),
            configuration: TestVault.configuration()
        )
        #expect(try await restored.wallets().count == 1)
        #expect(isThere("one") && isThere("second"))
    }
}
