import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// A device whose files are there, can be read, and are not whole: the recovery key, a reset and `doctor` get by.
@Suite struct DamagedDeviceCommandTests {
    private static let password = "correct horse battery"
    private static let other = "another horse battery"
    private static let isOnLinux = FileManager.default.fileExists(atPath: "/proc")

    /// A box with a vault on files, a wallet and a recovery key.
    private func filled() throws -> (Box, String) {
        let box = try Box()
        try run(box, ["init"], [Self.password]).succeeding()
        try run(box, ["wallet", "import", "Savings"], [Self.password, Box.mnemonic]).succeeding()
        let key = String(try run(box, ["recovery", "create"], [Self.password]).standardOutput.prefix { $0 != "\n" })
        try run(box, ["recovery", "check"], [Self.password, key]).succeeding()
        return (box, key)
    }

    private func run(_ box: Box, _ words: [String], _ secrets: [String]? = nil) throws -> ChildProcess {
        try box.run(["--device", "files"] + words, secrets)
    }

    private func files(_ box: Box, _ isMeant: (String) -> Bool) -> [String] {
        Folders.files(below: box.folder + "/state/thumbturn/files/items").filter {
            isMeant(($0 as NSString).lastPathComponent)
        }
    }

    private func secrets(_ box: Box) -> [String] { files(box) { $0.hasPrefix("thumbturn.") && !isOfTrail($0) } }

    /// Whether a reset leaves a file: the trail's items tell of it.
    private func isOfTrail(_ name: String) -> Bool { name.contains(".trail.") || name.contains(".device-key.") }

    @Test(.holds("A25"), .enabled(if: isOnLinux))
    func `one bit of a device secret costs the PIN, and neither recovery key nor reset`() throws {
        let (box, key) = try filled()
        let file = try #require(secrets(box).first)
        var bytes = Folders.contents(of: file)
        bytes[bytes.count - 40] ^= 1
        try box.replace(file, bytes)
        let refused = try run(box, ["unlock"], [Self.password])
        #expect(refused.exitCode != 0 && refused.standardError.contains("ERR-TT-209"), "\(refused)")
        #expect(refused.standardError.contains("recovery"), "\(refused)")
        let status = try run(box, ["status", "--json"])
        #expect(status.exitCode == 0 && status.standardOutput.contains("keyMissing"), "\(status)")
        let doctor = try run(box, ["doctor", "--json"])
        #expect(doctor.standardOutput.contains((file as NSString).lastPathComponent), "\(doctor)")
        let exported = try run(box, ["wallet", "export", "Savings", "--recovery"], [key])
        #expect(exported.standardOutput == Box.mnemonic + "\n", "\(exported)")
        #expect(Folders.contents(of: file) == bytes, "it stays")

        try run(box, ["unlock", "--recovery"], [key, Self.other]).succeeding()
        try run(box, ["unlock"], [Self.other]).succeeding()
        #expect(!Folders.files(below: box.folder).contains(file), "what has committed has no use for it")

        for file in secrets(box) { try box.replace(file, [1, 2, 3]) }
        try run(box, ["reset"], ["RESET"]).succeeding()
        #expect(files(box) { $0 != "machine" && !isOfTrail($0) }.isEmpty)
        try run(box, ["init"], [Self.password]).succeeding()
    }

    @Test(.holds("A25"), .enabled(if: isOnLinux))
    func `a damaged anchor costs what an absent one costs: a day, and neither status, recovery key nor reset`() throws {
        for isDamaged in [true, false] {
            let (box, key) = try filled()
            for file in files(box, { $0.hasPrefix("anchor.") }) {
                if isDamaged {
                    try box.replace(file, Folders.contents(of: file).dropLast())
                } else {
                    try FileManager.default.removeItem(atPath: file)
                }
            }
            let refused = try run(box, ["unlock"], [Self.password])
            #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-102"), "\(refused)")
            try run(box, ["status"]).succeeding()
            let exported = try run(box, ["wallet", "export", "Savings", "--recovery"], [key])
            #expect(exported.standardOutput == Box.mnemonic + "\n", "\(exported)")

            // Nothing tells such a vault from an older copy, so the owner says that it is the newest.
            let unsure = try run(box, ["unlock", "--recovery"], [key, Self.other])
            #expect(unsure.exitCode == 4 && unsure.standardError.contains("ERR-TT-218"), "\(unsure)")
            #expect(unsure.standardError.contains("unlock --recovery --accept-older-copy"), "\(unsure)")
            try run(box, ["unlock", "--recovery", "--accept-older-copy"], [key, Self.other, "OLDER"]).succeeding()
            try run(box, ["unlock"], [Self.other]).succeeding()
            try run(box, ["reset"], ["RESET"]).succeeding()
            #expect(files(box) { $0 != "machine" && !isOfTrail($0) }.isEmpty)
        }
    }

    @Test(.holds("A25"))
    func `a simulated device of which any byte is damaged opens by the recovery key, and is reset`()
        throws
    {
        let box = try Box.withVault()
        try box.run(["wallet", "import", "Savings"], [Box.pin, Box.mnemonic]).succeeding()
        let key = try box.recoveryKey()
        let state = box.device + "/device.state"
        let good = Folders.contents(of: state)
        for index in stride(from: 0, to: good.count, by: max(1, good.count / 48)) {
            var bytes = good
            bytes[index] ^= 1 << UInt8(index % 8)
            try box.replace(state, bytes)
            let refused = try box.run(["unlock"], [Box.pin])
            #expect(refused.standardError.contains("ERR-TT-209"), "byte \(index): \(refused)")
            let exported = try box.run(["wallet", "export", "Savings", "--recovery"], [key])
            #expect(exported.standardOutput == Box.mnemonic + "\n", "byte \(index): \(exported)")
            #expect(Folders.contents(of: state) == bytes, "byte \(index)")
        }
        #expect(try (box.json(["doctor"])["damagedKeys"] as? [String])?.count == 1)
        try box.replace(state, good)
        try box.run(["unlock"], [Box.pin]).succeeding()

        try box.replace(state, good.dropLast())
        try box.run(["unlock", "--recovery"], [key, Box.wrongPIN]).succeeding()
        try box.run(["unlock"], [Box.wrongPIN]).succeeding()
        // A device is not the vault's alone, so what was damaged stays for whatever else was in it.
        #expect(Folders.files(below: box.device).count == 3)
        try box.replace(state, [])
        try box.run(["reset"], ["RESET"]).succeeding()
        try box.run(["init"], [Box.pin]).succeeding()
    }
}

extension Box {
    func replace(_ path: String, _ bytes: ArraySlice<UInt8>) throws { try replace(path, Array(bytes)) }
}
