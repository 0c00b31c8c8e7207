import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// Whose folders a command works in: a refusal leaves nothing behind, and a folder that others can exchange is told.
@Suite struct FolderCommandTests {
    private static let another: uid_t = 12_345

    /// Everything below a box, folders too.
    private func everything(in box: Box) -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: box.folder)) ?? []).filter { !$0.hasSuffix("-shm") }
            .sorted()
    }

    private func give(_ box: Box, to user: uid_t) throws {
        try #require(unsafe lchown(box.folder, user, user) == 0)
        for path in everything(in: box) { try #require(unsafe lchown(box.folder + "/" + path, user, user) == 0) }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only the superuser works in another's folder"),
        arguments: ["simulated", "files"]
    )
    func `the superuser is refused in another user's vault, and leaves no folder there`(device: String) throws {
        let box = try Box()
        try box.run(["--device", device, "init"], ["correct horse battery"]).succeeding()
        try give(box, to: Self.another)
        let before = everything(in: box)
        for (words, lines) in [
            (["credential", "set", "mail"], ["hunter2"]), (["credential", "list"], []), (["unlock"], [Box.pin]),
            (["wallet", "import", "Main"], [Box.pin, Box.mnemonic]), (["init"], ["correct horse battery"]),
        ] {
            let refused = try box.run(["--device", device] + words, lines)
            if words != ["credential", "list"] {
                #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-205"), "\(refused)")
            }
            #expect(everything(in: box) == before, "\(words)")
        }
        try give(box, to: 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser works in another's folder"))
    func `the superuser makes nothing in another user's home`() throws {
        let box = try Box()
        try Folders.write(Array("{}".utf8), to: box.folder + "/former.json")
        try give(box, to: Self.another)
        let before = everything(in: box)
        for (words, lines) in [
            (["init"], [Box.pin]), (["credential", "set", "mail"], ["hunter2"]),
            (["--device", "files", "init"], ["correct horse battery"]), (["simulate", "enroll"], []),
            (["init", "--vault", box.folder + "/vault"], [Box.pin]),
            (["--device", "files", "credential", "set", "mail"], ["hunter2"]),
        ] {
            let refused = try box.run(words, lines)
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-205"), "\(refused)")
            #expect(everything(in: box) == before, "\(words)")
        }
        try give(box, to: 0)
    }

    @Test func `a vault that can't be made where it is wanted leaves no device behind`() throws {
        let box = try Box()
        for words in [["init"], ["--device", "files", "init"]] {
            let refused = try box.run(words + ["--vault", box.folder + "/none/vault"], ["correct horse battery"])
            #expect(refused.exitCode == 3, "\(refused)")
            #expect(everything(in: box).isEmpty)
        }
        try FileManager.default.createDirectory(atPath: box.folder + "/open", withIntermediateDirectories: false)
        try #require(unsafe chmod(box.folder + "/open", 0o755) == 0)
        let refused = try box.run(["init", "--vault", box.folder + "/open"], [Box.pin])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-205"), "\(refused)")
        #expect(everything(in: box) == ["open"])
    }

    @Test func `a folder above the vault that others may write is said by status and doctor`() throws {
        let box = try Box.withVault()
        func exposed() throws -> [String] {
            let warnings = try #require(box.json(["status"])["warnings"] as? [String])
            let found = try #require(box.json(["doctor"])["exposedFolders"] as? [String])
            #expect(warnings.contains("folderExposed") == !found.isEmpty)
            return found
        }
        #expect(try exposed().isEmpty)
        let home = Folders.absolute(box.folder)
        for mode: mode_t in [0o775, 0o757, 0o777] {
            try #require(unsafe chmod(box.folder, mode) == 0)
            #expect(try exposed() == [home])
        }
        #expect(try box.run(["doctor"]).standardOutput.contains("others own it or can write to it"))
        #expect(try box.run(["status"]).standardOutput.contains("could replace it"))
        try #require(unsafe chmod(box.folder, 0o1777) == 0)
        #expect(try exposed().isEmpty, "as in /tmp, others can't take it away")
        try #require(unsafe chmod(box.folder, 0o755) == 0)
        // The keys' folder counts as well.
        try #require(unsafe chmod(box.folder + "/state", 0o777) == 0)
        #expect(try exposed() == [home + "/state"])
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser gives folders away"))
    func `a folder above the vault that another user owns is said`() throws {
        let box = try Box.withVault()
        try #require(unsafe chown(box.folder + "/data", Self.another, Self.another) == 0)
        #expect(try (box.json(["status"])["warnings"] as? [String])?.contains("folderExposed") == true)
        let found = try box.json(["doctor"])["exposedFolders"] as? [String]
        #expect(found == [Folders.absolute(box.folder) + "/data"])
    }
}
