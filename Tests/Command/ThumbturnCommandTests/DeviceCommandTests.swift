#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit
import struct ThumbturnTestKit.FormerApp

@testable import ThumbturnCommand

/// Where a vault's keys lie when nothing is said of it; the machine of these tests has no TPM that answers.
struct DeviceCommandTests {
    static let password = "correct horse battery"
    /// A machine with a name, without a TPM and a reader, whatever this one has.
    static let noTPM = [
        "THUMBTURN_TEST_TPM": "device:/dev/no-such-tpm", "THUMBTURN_TEST_BUS": "unix:path=/dev/no-such-bus",
        "THUMBTURN_TEST_MACHINE": "/proc/sys/kernel/ostype",
    ]

    /// Runs a command that names no device.
    func run(
        _ box: Box,
        _ words: [String],
        _ secrets: [String]? = nil,
        _ variables: [String: String] = noTPM
    ) throws -> ChildProcess {
        try ChildProcess.run(
            Box.tool,
            (secrets == nil ? [] : ["--secret-fd", "3"]) + words,
            environment: box.environment(variables),
            secrets: secrets.map { Array($0.map { $0 + "\n" }.joined().utf8) }
        )
    }

    func json(_ box: Box, _ words: [String], _ secrets: [String]? = nil) throws -> [String: Any] {
        let printed = try run(box, words + ["--json"], secrets).standardOutput
        return try #require(JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
    }

    @Test(.holds("C14")) func `without a TPM a vault lies on files, and init and status say what that means`() throws {
        let box = try Box()
        let made = try run(box, ["init"], [Self.password])
        #expect(made.exitCode == 0, "\(made)")
        #expect(made.standardOutput.contains("a copied disk allows unlimited guesses"))
        let status = try json(box, ["status"])
        #expect(status["device"] as? String == "linux" && status["keys"] as? String == "files")
        #expect(status["assurance"] as? String == "softwareFile")
        #expect((status["warnings"] as? [String])?.contains("assuranceBelowHardware") == true)
        for (locale, words) in [
            ("en_US.UTF-8", "a copied disk allows unlimited guesses"), ("fr_FR.UTF-8", "essais illimités"),
        ] {
            let picture = try box.screen(
                ["status"],
                columns: 80,
                nil,
                Self.noTPM.merging(["LANG": locale]) { $1 }
            )
            #expect(picture.contains(words), "\(picture)")
            for line in picture.split(separator: "\n") { #expect(line.columns == 80, "\(line)") }
        }
        try run(box, ["wallet", "import", "Main"], [Self.password, Box.mnemonic]).succeeding()
        #expect(
            try run(box, ["wallet", "export", "Main"], [Self.password]).standardOutput.contains(Box.mnemonic)
        )
    }

    @Test(
        .holds("C14"),
        arguments: [("en_US.UTF-8", "a copied disk allows unlimited guesses"), ("fr_FR.UTF-8", "une copie du disque")]
    )
    func `init and restore onto files say what that is worth, and status says it in the same words`(
        locale: String,
        end: String
    ) throws {
        let (box, other) = (try Box(), try Box())
        let variables = Self.noTPM.merging(["LANG": locale]) { $1 }
        let made = try run(box, ["init"], [Self.password], variables)
        let note = try #require(made.standardError.split(separator: "\n").first { $0.contains(end) })
        let words = note.dropFirst("thumbturn: ".count)
        let (backup, key) = try backUp(box)
        let restored = try run(other, ["restore", backup], [key, Self.password], variables)
        #expect(restored.exitCode == 0 && restored.standardError == note + "\n", "\(restored)")
        #expect(restored.standardOutput.contains(end))
        #expect(try run(other, ["status"], nil, variables).standardOutput.contains(": \(words)\n"))
        let again = try json(try Box(), ["restore", backup], [key, Self.password])
        #expect(again["keys"] as? String == "files" && again["assurance"] as? String == "softwareFile")
    }

    /// Makes a confirmed recovery key, and a backup.
    func backUp(_ box: Box) throws -> (backup: String, key: String) {
        let key = try #require(try json(box, ["recovery", "create"], [Self.password])["recoveryKey"] as? String)
        try run(box, ["recovery", "check"], [Self.password, key]).succeeding()
        let backup = box.folder + "/backup"
        try run(box, ["backup", backup], [Self.password]).succeeding()
        return (backup, key)
    }

    @Test(.holds("C6"), arguments: ["", "12345", "short", "271828"])
    func `where twelve digits are asked for, no message speaks of six`(secret: String) throws {
        for (locale, words) in [("en_US.UTF-8", "12 digits"), ("fr_FR.UTF-8", "12 chiffres")] {
            let refused = try run(Box(), ["init"], [secret], Self.noTPM.merging(["LANG": locale]) { $1 })
            #expect(refused.exitCode == 2 && refused.standardError.contains("ERR-TT-305"), "\(refused)")
            #expect(refused.standardError.contains(words) && !refused.standardError.contains("6 "), "\(refused)")
        }
    }

    @Test(.holds("S-01"))
    func `where nothing takes a passcode system authentication is refused at once, and nothing changes`()
        throws
    {
        let box = try Box()
        try run(box, ["init"], [Self.password]).succeeding()
        _ = try backUp(box)
        let folder = box.folder + "/.config/thumbturn"
        for list in [nil, "*"] {
            if let list {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try Folders.write(Array(list.utf8), to: folder + "/system-auth-users")
            }
            let before = box.contents()
            for secrets in [nil, [Self.password]] {
                let refused = try run(box, ["system-auth", "enable"], secrets)
                #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-114"), "\(refused)")
                #expect(refused.standardError.contains("passcode in place of a finger"), "\(refused)")
                #expect(!refused.standardError.contains("system-auth-users"), "\(refused)")
                #expect(refused.standardError.split(separator: "\n").count == 2, "\(refused)")
            }
            let off = try run(box, ["system-auth", "disable"], [Self.password])
            #expect(off.exitCode == 1 && off.standardError.contains("ERR-TT-113"), "\(off)")
            #expect(box.contents() == before)
        }
        for words in [["help"], ["help", "system-auth", "enable"]] {
            #expect(try run(box, words).standardOutput.contains("Linux"))
        }
    }

    @Test(.holds("C6")) func `on files a short PIN is refused, and nothing is made`() throws {
        let box = try Box()
        let refused = try run(box, ["init"], [Box.pin])
        #expect(refused.exitCode == 2 && refused.standardError.contains("ERR-TT-305"), "\(refused)")
        #expect(box.contents().isEmpty)
    }

    @Test func `what is made must lie in hardware where that is required, and nothing is made`() throws {
        let box = try Box()
        for words in [["init"], ["--device", "simulated", "init"]] {
            let refused = try run(box, ["--require", "hardware"] + words, [Self.password])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-217"), "\(refused)")
        }
        #expect(box.contents().isEmpty)
        try run(box, ["init"], [Self.password]).succeeding()
        let refused = try run(box, ["--require", "hardware", "wallet", "list"], [Self.password])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-217"), "\(refused)")
    }

    @Test func `each vault opens with the device it was made on, and with no other`() throws {
        let box = try Box()
        let (files, simulated) = (["--vault", box.folder + "/files"], ["--vault", box.folder + "/simulated"])
        try run(box, files + ["init"], [Self.password]).succeeding()
        try run(box, simulated + ["init", "--device", "simulated"], [Self.password]).succeeding()
        for (vault, device, other) in [(files, "linux", "simulated"), (simulated, "simulated", "linux")] {
            #expect(try json(box, vault + ["status"])["device"] as? String == device)
            try run(box, vault + ["unlock"], [Self.password]).succeeding()
            try run(box, vault + ["unlock", "--device", device], [Self.password]).succeeding()
            let before = box.contents()
            let refused = try run(box, vault + ["unlock", "--device", other], [Self.password])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
            #expect(box.contents() == before)
        }
        let twice = try run(box, simulated + ["init"], [Self.password])
        #expect(twice.exitCode != 0 && twice.standardError.contains("ERR-TT-202"), "\(twice)")
    }

    @Test(.holds("A26")) func `a vault on files that is copied without its keys asks for its recovery key`() throws {
        let (box, other) = (try Box(), try Box())
        try run(box, ["init"], [Self.password]).succeeding()
        let made = try json(box, ["recovery", "create"], [Self.password])
        let key = try #require(made["recoveryKey"] as? String)
        try run(box, ["recovery", "check"], [Self.password, key]).succeeding()
        try FileManager.default.createDirectory(
            atPath: other.folder + "/data/thumbturn",
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(atPath: box.vault, toPath: other.vault)
        let refused = try run(other, ["unlock"], [Self.password])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-209"), "\(refused)")
        try run(other, ["unlock", "--recovery"], [key, "another horse battery"]).succeeding()
        try run(other, ["unlock"], ["another horse battery"]).succeeding()
        #expect(try json(other, ["status"])["keys"] as? String == "files")
    }

    @Test func `a backup of a simulated vault is restored onto this machine, and opens there`() throws {
        let (box, other) = (try Box(), try Box())
        try run(box, ["init", "--device", "simulated"], [Self.password]).succeeding()
        let made = try json(box, ["recovery", "create"], [Self.password])
        let key = try #require(made["recoveryKey"] as? String)
        try run(box, ["recovery", "check"], [Self.password, key]).succeeding()
        let backup = box.folder + "/backup"
        try run(box, ["backup", backup], [Self.password]).succeeding()
        let restored = try run(other, ["restore", backup], [key, Self.password])
        #expect(restored.exitCode == 0, "\(restored)")
        for words in [["unlock"], ["unlock", "--device", "linux"]] {
            let opened = try run(other, words, [Self.password])
            #expect(opened.exitCode == 0, "\(opened)")
        }
        #expect(try json(other, ["status"])["keys"] as? String == "files")
    }

    @Test(.holds("B-06")) func `a finger that files would guard is a choice of its own`() throws {
        let (box, chosen) = (try Box(), try Box())
        try run(box, ["init"], [Self.password]).succeeding()
        #expect(try minimumAssurance(box) == "hardwareBound")
        // There is no reader here, so the vault is made without a finger, and the exit code says so.
        #expect(try run(chosen, ["init", "--biometrics"], [Self.password]).exitCode == 1)
        #expect(try minimumAssurance(chosen) == "softwareFile")
    }

    @Test(.holds("C14")) func `a vault that is made for another app's wallet has no weaker rules than any`() throws {
        let box = try Box()
        try Folders.write(Array(FormerApp.Sealed.first.rawValue.utf8), to: box.folder + "/wallet")
        let taken = try run(box, ["migrate", "legacy", box.folder + "/wallet"], [FormerApp.pin, Self.password])
        #expect(taken.exitCode == 0, "\(taken)")
        #expect(try minimumAssurance(box) == "hardwareBound")
    }

    private func minimumAssurance(_ box: Box) throws -> String? {
        (try json(box, ["status"])["policy"] as? [String: Any])?["minimumAssurance"] as? String
    }

    @Test func `a TPM that does not answer is told of, and a vault that lies on one is never made anew`() throws {
        let box = try Box()
        let silent = ["THUMBTURN_TEST_TPM": "swtpm:path=\(box.folder)/nobody"]
        let made = try run(box, ["init"], [Self.password], silent)
        #expect(made.exitCode == 0 && made.standardError.contains("thumbturn doctor"), "\(made)")
        let secrets = box.contents().keys.filter { $0.contains("/files/items/thumbturn.") }
        try #require(secrets.count == 3)
        // As if its keys lay on a TPM: what stands there is never taken for missing because the TPM is.
        let items = box.folder + "/state/thumbturn/tpm/items"
        try FileManager.default.createDirectory(atPath: items, withIntermediateDirectories: true)
        for secret in secrets {
            let name = (secret as NSString).lastPathComponent
            try FileManager.default.copyItem(atPath: secret, toPath: items + "/" + name)
        }
        let refused = try run(box, ["unlock"], [Self.password], silent)
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-206"), "\(refused)")
    }

    @Test(.holds("A25")) func `what a vault left where it once lay does not hide where its keys lie now`() throws {
        let box = try Box()
        let silent = ["THUMBTURN_TEST_TPM": "swtpm:path=\(box.folder)/nobody"]
        try run(box, ["init"], [Self.password], silent).succeeding()
        let secret = try #require(box.contents().keys.first { $0.contains("/files/items/thumbturn.") })
        let items = box.folder + "/state/thumbturn/tpm/items"
        try FileManager.default.createDirectory(atPath: items, withIntermediateDirectories: true)
        let former = (secret as NSString).lastPathComponent.dropLast(32) + String(repeating: "0", count: 32)
        try Folders.write([], to: items + "/" + former)
        let opened = try run(box, ["unlock"], [Self.password], silent)
        #expect(opened.exitCode == 0, "\(opened)")
    }

    @Test func `credentials lie where the vault around them does, else where a vault would`() throws {
        let (alone, within) = (try Box(), try Box())
        try run(alone, ["credential", "set", "mail"], ["hunter2"]).succeeding()
        try run(within, ["init", "--device", "simulated"], [Self.password]).succeeding()
        try run(within, ["credential", "set", "mail"], ["hunter2"]).succeeding()
        for (box, folder) in [(alone, "/files/"), (within, "/simulated-device/")] {
            #expect(box.contents().keys.contains { $0.contains(folder) })
            #expect(try run(box, ["credential", "get", "mail"]).standardOutput == "hunter2\n")
        }
        #expect(!within.contents().keys.contains { $0.contains("/files/") })
    }

    @Test func `doctor tells what there is and what it is worth, and makes nothing`() throws {
        let box = try Box()
        let found = try json(box, ["doctor"])
        #expect((found["tpm"] as? [String: Any])?["state"] as? String == "missing")
        #expect((found["newVault"] as? [String: Any])?["keys"] as? String == "files")
        #expect(found["isHardened"] as? Bool == true)
        for (locale, words) in [("en_US.UTF-8", "would be made on: files"), ("fr_FR.UTF-8", "créé sur : fichiers")] {
            let told = try run(box, ["doctor"], nil, Self.noTPM.merging(["LANG": locale]) { $1 })
            #expect(told.exitCode == 0 && told.standardOutput.contains(words), "\(told)")
            for line in told.standardOutput.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
        let silent = ["THUMBTURN_TEST_TPM": "swtpm:path=\(box.folder)/nobody"]
        #expect(try run(box, ["doctor"], nil, silent).standardOutput.contains("does not answer"))
        let required = try run(box, ["doctor", "--require", "hardware"])
        #expect(required.exitCode == 3 && required.standardError.contains("ERR-TT-217"), "\(required)")
        #expect(box.contents().isEmpty)
    }

    @Test(arguments: [nil, ""])
    func `a machine without a name makes a vault on files, opens it, and doctor says what that means`(
        content: String?
    ) throws {
        let box = try Box()
        let name = box.folder + "/machine-id"
        if let content { try Folders.write(Array(content.utf8), to: name) }
        let nameless = Self.noTPM.merging(["THUMBTURN_TEST_MACHINE": name]) { $1 }
        for (locale, words) in [("en_US.UTF-8", "get a name of their own"), ("fr_FR.UTF-8", "propre nom")] {
            let told = try run(box, ["doctor"], nil, nameless.merging(["LANG": locale]) { $1 })
            #expect(told.exitCode == 0 && told.standardOutput.contains(words), "\(told)")
            for line in told.standardOutput.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
        for words in [["init"], ["unlock"], ["unlock"]] {
            let done = try run(box, words + ["--device", "files"], [Self.password], nameless)
            #expect(done.exitCode == 0, "\(done)")
        }
        let own = box.folder + "/state/thumbturn/files/items/machine"
        #expect(try FileManager.default.attributesOfItem(atPath: own)[.posixPermissions] as? Int == 0o600)

        // Systems name themselves late: at their first boot, or with the first package that asks for it.
        _ = unsafe unlink(name)
        try Folders.write(Array("0123456789abcdef0123456789abcdef\n".utf8), to: name)
        try run(box, ["unlock"], [Self.password], nameless).succeeding()
        #expect(try run(box, ["doctor"], nil, nameless).standardOutput.contains("it has a name"))
    }

    @Test func `doctor says that the machine's name can't be read`() throws {
        let box = try Box()
        let odd = Self.noTPM.merging(["THUMBTURN_TEST_MACHINE": box.folder]) { $1 }
        let told = try run(box, ["doctor"], nil, odd)
        #expect(told.exitCode == 0 && told.standardOutput.contains("/etc/machine-id can't be read"), "\(told)")
        let refused = try run(box, ["init"], [Self.password], odd)
        #expect(refused.exitCode == 3 && refused.standardError.contains("/etc/machine-id can't be read"), "\(refused)")
        #expect(refused.standardError.contains("sudo chmod 444 /etc/machine-id"), "\(refused)")
    }
}
#endif
