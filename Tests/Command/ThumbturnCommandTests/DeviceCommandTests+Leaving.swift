#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

// What lies on a TPM that is gone for good.
extension DeviceCommandTests {
    private static let other = "another horse battery"
    private static let recovery = ["unlock", "--recovery", "--device", "files"]

    /// A vault whose keys lie where a TPM's would, with its recovery key and a backup.
    ///
    /// - Parameter prepare: given box and recovery key while the device is there.
    private func boxOnTPM(
        _ prepare: (Box, String) throws -> Void = { _, _ in }
    ) throws -> (box: Box, backup: String, key: String) {
        let box = try Box()
        try run(box, ["init", "--device", "files"], [Self.password]).succeeding()
        try run(box, ["wallet", "import", "Savings"], [Self.password, Box.mnemonic]).succeeding()
        let (backup, key) = try backUp(box)
        try prepare(box, key)
        try move("files", to: "tpm", in: box)
        return (box, backup, key)
    }

    private func move(_ name: String, to other: String, in box: Box) throws {
        let folder = box.folder + "/state/thumbturn/"
        try FileManager.default.moveItem(atPath: folder + name, toPath: folder + other)
    }

    /// The files of vaults and credentials, without locks and the folders of devices.
    private func stored(in box: Box) -> [String: [UInt8]] { box.contents().filter { $0.key.contains(".sqlite") } }

    /// The items in the folder of a device.
    private func items(of device: String, in box: Box) throws -> [String] {
        try Folders.readableNames(in: "\(box.folder)/state/thumbturn/\(device)/items")
            .filter { $0.hasPrefix("thumbturn.") }.sorted()
    }

    /// Runs `body` while no device secret on files can be deleted: a folder lies where a part of it would.
    private func whileNothingIsDeleted(in box: Box, _ body: () throws -> Void) throws {
        let paths = try items(of: "files", in: box).filter { $0.contains(".device-secret.") }.map {
            box.folder + "/state/thumbturn/files/items/" + $0 + "." + String(repeating: "0", count: 32)
        }
        try #require(!paths.isEmpty)
        for path in paths { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }
        try body()
        for path in paths { try FileManager.default.removeItem(atPath: path) }
    }

    /// A vault that notes the device secret of before a recovery, which could not be deleted yet; its PIN is `other`.
    private func boxWithNoteOnTPM() throws -> (box: Box, backup: String, key: String) {
        var former = ""
        let made = try boxOnTPM { box, key in
            former = try #require(try items(of: "files", in: box).first { $0.contains(".device-secret.") })
            try whileNothingIsDeleted(in: box) {
                let recovered = try run(box, ["unlock", "--recovery"], [key, Self.other])
                #expect(recovered.exitCode == 0, "\(recovered)")
            }
        }
        #expect(try items(of: "tpm", in: made.box).count == 4)
        #expect(stored(in: made.box).values.contains { Data($0).range(of: Data(former.utf8)) != nil })
        return made
    }

    @Test(.holds("A25")) func `a vault leaves a TPM that is gone by its recovery key and by name, and by nothing else`()
        throws
    {
        var others: [String] = []
        let (box, _, key) = try boxOnTPM { box, _ in
            let own = try items(of: "files", in: box)
            try run(box, ["--vault", box.folder + "/second", "init"], [Self.password]).succeeding()
            try run(box, ["credential", "set", "mail"], ["hunter2"]).succeeding()
            others = try items(of: "files", in: box).filter { !own.contains($0) }
        }
        let before = box.contents()
        let lost = try run(box, ["unlock", "--recovery"], [key, Self.other])
        #expect(lost.exitCode == 3 && lost.standardError.contains("ERR-TT-206"), "\(lost)")
        #expect(lost.standardError.contains("`thumbturn unlock --recovery --device files`"), "\(lost)")
        for words in [["unlock"], ["status"], ["wallet", "list"], ["pin", "change"], ["recovery", "remove"]] {
            let refused = try run(box, words + ["--device", "files"], [Self.password, Self.other])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
        }
        let chip = Self.recovery + ["--require", "hardware"]
        #expect(try run(box, chip, [key, Self.other]).standardError.contains("ERR-TT-217"))
        #expect(box.contents() == before)
        let opened = try run(box, Self.recovery, [key, Self.other])
        #expect(opened.exitCode == 0, "\(opened)")
        #expect(opened.standardError.contains("a copied disk allows unlimited guesses"), "\(opened)")
        #expect(opened.standardError.contains("anyone with that TPM"), "\(opened)")
        #expect(try items(of: "tpm", in: box) == others && others.count == 4, "what is not this vault's stays")
        #expect(try json(box, ["status"])["keys"] as? String == "files")
        let printed = try run(box, ["wallet", "export", "Savings"], [Self.other])
        #expect(printed.standardOutput == Box.mnemonic + "\n", "\(printed)")
    }

    @Test(.holds("A25")) func `who only tried to go on without the TPM has lost nothing when it comes back`() throws {
        let (box, backup, key) = try boxWithNoteOnTPM()
        let foreign = try boxOnTPM().key
        let (before, keys) = (stored(in: box), try items(of: "tpm", in: box))
        for (words, secrets, code) in [
            (["reset"], ["no"], "ERR-TT-318"), (["unlock", "--recovery"], ["nothing", Self.password], "ERR-TT-308"),
            (["unlock", "--recovery"], [foreign, Self.password], "ERR-107-040"),
            (["unlock", "--recovery"], [key, "short"], "ERR-TT-305"), (["init"], [Self.password], "ERR-TT-202"),
            (["restore", backup], [key, Self.password], "ERR-TT-202"),
        ] {
            let refused = try run(box, words + ["--device", "files"], secrets)
            #expect(refused.exitCode != 0 && refused.standardError.contains(code), "\(refused)")
            #expect(stored(in: box) == before, "what is to be deleted on the TPM is still noted after \(words)")
        }
        #expect(try items(of: "tpm", in: box) == keys)
        Folders.remove(box.folder + "/state/thumbturn/files")
        try move("tpm", to: "files", in: box)
        let printed = try run(box, ["wallet", "export", "Savings"], [Self.other])
        #expect(printed.standardOutput == Box.mnemonic + "\n", "\(printed)")
        #expect(try items(of: "files", in: box).count == 3, "what was noted is deleted")
    }

    @Test(.holds("A25"))
    func `a vault that left its TPM leaves there neither what it used nor what it had noted to delete`()
        throws
    {
        for words in [["unlock", "--recovery"], ["reset"]] {
            let (box, _, key) = try boxWithNoteOnTPM()
            // What can't be deleted is told, and is no reason to stay.
            let items = box.folder + "/state/thumbturn/tpm/items/"
            let obstacle = items + (try #require(try self.items(of: "tpm", in: box).first)) + ".part"
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            let left = try run(box, words + ["--device", "files"], words == ["reset"] ? ["RESET"] : [key, Self.other])
            #expect(left.exitCode == 0 && left.standardError.contains("delete what is left in \(items)"), "\(left)")
            #expect(try self.items(of: "tpm", in: box).allSatisfy { obstacle.contains($0) })
        }
        for (words, secrets) in [(["unlock", "--recovery"], { [$0, Self.other] }), (["reset"], { _ in ["RESET"] })]
            as [([String], (String) -> [String])]
        {
            let (box, _, key) = try boxWithNoteOnTPM()
            let left = try run(box, words + ["--device", "files"], secrets(key))
            #expect(left.exitCode == 0 && !left.standardError.contains("delete what is left"), "\(left)")
            #expect(try items(of: "tpm", in: box).isEmpty)
        }
    }

    @Test(.holds("S-07", "A25"))
    func `a vault whose TPM is gone is reset by name, and its backup restored in its place`() throws {
        let (box, backup, key) = try boxOnTPM()
        #expect(try run(box, ["reset"], ["RESET"]).standardError.contains("ERR-TT-206"))
        let second = ["--vault", box.folder + "/second"]
        try run(box, second + ["restore", backup, "--device", "files"], [key, Self.password]).succeeding()
        let erased = try run(box, ["reset", "--device", "files"], ["RESET"])
        #expect(erased.exitCode == 0, "\(erased)")
        #expect(
            erased.standardError.contains("anyone with that TPM"),
            "what a reset could not erase is told: \(erased)"
        )
        let restored = try run(box, ["restore", backup, "--device", "files"], [key, Self.password])
        #expect(restored.exitCode == 0, "\(restored)")
        for place in [[], second] {
            let printed = try run(box, place + ["wallet", "export", "Savings"], [Self.password])
            #expect(printed.standardOutput == Box.mnemonic + "\n", "\(printed)")
        }
    }

    @Test(.holds("A25", "A61"), arguments: [true, false])
    func `a reset that the end of a TPM cut off is finished by name and by its word, and by nothing else`(
        itemsAreThere: Bool
    ) throws {
        let (box, _, key) = try boxOnTPM { box, _ in
            try whileNothingIsDeleted(in: box) {
                let cut = try run(box, ["reset"], ["RESET"])
                #expect(cut.exitCode == 1 && cut.standardError.contains("ERR-TT-211"), "\(cut)")
            }
        }
        if !itemsAreThere {
            // Only a counter was left to delete; and what is being erased says of no device that it is not the simulated one.
            Folders.remove(box.folder + "/state/thumbturn/tpm")
            try FileManager.default.createDirectory(atPath: box.device, withIntermediateDirectories: true)
        }
        let before = stored(in: box)
        for (words, secrets, code) in [
            (["unlock", "--recovery"], [key, Self.other], "ERR-TT-211"), (["reset"], ["no"], "ERR-TT-318"),
        ] {
            let refused = try run(box, words + ["--device", "files"], secrets)
            #expect(refused.exitCode != 0 && refused.standardError.contains(code), "\(refused)")
            #expect(stored(in: box) == before)
        }
        let erased = try run(box, ["reset", "--device", "files"], ["RESET"])
        #expect(erased.exitCode == 0, "\(erased)")
        #expect(try items(of: "tpm", in: box).isEmpty)
        try run(box, ["init", "--device", "files"], [Self.password]).succeeding()
    }

    @Test(.holds("A25")) func `a credential whose TPM is gone is removed by name, and by nothing else`() throws {
        let box = try Box()
        for name in ["mail", "bank"] { try run(box, ["credential", "set", name], ["hunter2"]).succeeding() }
        try move("files", to: "tpm", in: box)
        let (before, keys) = (box.contents(), try items(of: "tpm", in: box))
        for words in [["get"], ["remove"], ["set"]] {
            let lost = try run(box, ["credential"] + words + ["mail"], ["hunter2"])
            #expect(lost.exitCode == 3 && lost.standardError.contains("ERR-TT-206"), "\(lost)")
            #expect(lost.standardError.contains("`thumbturn credential remove NAME --device files`"), "\(lost)")
            #expect(!lost.standardError.contains("--recovery"), "\(lost)")
        }
        for words in [["get"], ["upgrade"], ["downgrade"], ["set"]] {
            let refused = try run(box, ["credential"] + words + ["mail", "--device", "files"], ["hunter2"])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
        }
        let forbidden = ["THUMBTURN_TEST_TPM": "device:/proc/sys/kernel/ostype"]
        let refused = try run(box, ["credential", "remove", "mail", "--device", "files"], nil, forbidden)
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
        #expect(box.contents() == before)

        let removed = try run(box, ["credential", "remove", "mail", "--device", "files"])
        #expect(removed.exitCode == 0 && removed.standardError.contains("anyone with that TPM"), "\(removed)")
        let rest = try items(of: "tpm", in: box)
        let kept = try #require(rest.first)
        #expect(keys.count == 2 && rest == [kept] && keys.contains(kept), "the other credential's key stays")
        try run(box, ["credential", "set", "mail"], ["hunter3"]).succeeding()
        #expect(try run(box, ["credential", "get", "mail"]).standardOutput == "hunter3\n")
        #expect(try run(box, ["credential", "get", "bank"]).standardError.contains("ERR-TT-206"))
        try FileManager.default.copyItem(
            atPath: box.folder + "/state/thumbturn/tpm/items/" + kept,
            toPath: box.folder + "/state/thumbturn/files/items/" + kept
        )
        Folders.remove(box.folder + "/state/thumbturn/tpm")
        #expect(try run(box, ["credential", "get", "bank"]).standardOutput == "hunter2\n")
    }

    @Test(.holds("A25")) func `a TPM that its user may not use is there, and no vault leaves it`() throws {
        let (box, _, key) = try boxOnTPM()
        // Nobody may write there, the superuser neither.
        let forbidden = ["THUMBTURN_TEST_TPM": "device:/proc/sys/kernel/ostype"]
        #expect(try run(box, ["doctor", "--json"], nil, forbidden).standardOutput.contains(#""state":"forbidden""#))
        let before = box.contents()
        for (words, secrets) in [(Self.recovery, [key, Self.other]), (["reset", "--device", "files"], ["RESET"])] {
            for (locale, told) in [("en_US.UTF-8", "have no access to"), ("fr_FR.UTF-8", "n'y avez pas accès")] {
                let refused = try run(box, words, secrets, forbidden.merging(["LANG": locale]) { $1 })
                #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
                #expect(refused.standardError.contains(told), "\(refused)")
                #expect(refused.standardError.contains("usermod -aG tss"), "\(refused)")
            }
        }
        #expect(box.contents() == before)
    }

    @Test(.holds("A25")) func `a vault leaves a TPM that does not answer`() throws {
        let (box, _, key) = try boxOnTPM()
        let silent = ["THUMBTURN_TEST_TPM": "swtpm:path=\(box.folder)/nobody"]
        try run(box, Self.recovery, [key, Self.other], silent).succeeding()
        #expect(try json(box, ["status"])["keys"] as? String == "files")
    }

    @Test(.holds("A25"))
    func `keys that are nowhere may have lain on a TPM: one that is there is not left, else that is told`()
        throws
    {
        let (box, _, key) = try boxWithNoteOnTPM()
        Folders.remove(box.folder + "/state/thumbturn/tpm")
        let forbidden = ["THUMBTURN_TEST_TPM": "device:/proc/sys/kernel/ostype"]
        let before = box.contents()
        for words in [Self.recovery, ["reset", "--device", "files"], ["status", "--device", "files"]] {
            let refused = try run(box, words, [key, Self.other], forbidden)
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
        }
        #expect(box.contents() == before)
        let mistyped = try run(box, Self.recovery, ["nothing", Self.other])
        #expect(mistyped.standardError.contains("ERR-TT-308"), "\(mistyped)")
        #expect(stored(in: box) == before.filter { $0.key.contains(".sqlite") })
        let opened = try run(box, Self.recovery, [key, Self.other])
        #expect(opened.exitCode == 0 && opened.standardError.contains("anyone with that TPM"), "\(opened)")
        try run(box, ["unlock"], [Self.other]).succeeding()
    }
}
#endif
