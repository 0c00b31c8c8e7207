import Foundation
import Glibc
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

extension OnTheStack {
    /// The command as a user of a Linux machine meets it: a TPM, a reader, and nothing said of a device.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct CommandOnLinuxTests {
        private static let password = "correct horse battery"
        private static let other = "another horse battery"
        private static let mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        private let tpm: SoftwareTPM
        private let home: TemporaryFolder
        /// Where the commands look for the bus.
        private let bus = Shared(TestStack.address)

        init() async throws {
            tpm = try SoftwareTPM()
            home = try TemporaryFolder()
            try TestStack.run("up")
            try await OtherClient().enrol("mine")
        }

        /// Starts the command.
        ///
        /// - Parameter lines: what it has as standard input, from the first moment on; `finish` gives those of `hasSecrets`.
        private func start(_ words: [String], hasSecrets: Bool = false, lines: [String]? = nil) throws -> RunningChild {
            let file = home.file("lines-" + UUID().uuidString)
            if let lines { try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(fileURLWithPath: file)) }
            let inherited = ["LD_LIBRARY_PATH", "LSAN_OPTIONS", "LLVM_PROFILE_FILE"].compactMap { name in
                ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
            }
            return try RunningChild(
                Bundle.main.bundleURL.appendingPathComponent("thumbturn").path,
                (hasSecrets ? ["--secret-fd", "3"] : []) + (lines == nil ? [] : ["--secret-fd", "0"]) + words,
                environment: inherited + [
                    "HOME=\(home.path)", "LANG=en_US.UTF-8", "SWIFT_BACKTRACE=enable=no",
                    "THUMBTURN_TEST_TPM=\(tpm.tcti)", "THUMBTURN_TEST_BUS=\(bus.value)",
                    "THUMBTURN_TEST_ARGON2=cheapest",
                ],
                hasSecrets: hasSecrets,
                standardInput: lines == nil ? "/dev/null" : file
            )
        }

        private func run(_ words: String..., giving secrets: [String]? = nil) throws -> ChildProcess {
            try start(words, hasSecrets: secrets != nil)
                .finish(secrets.map { Array($0.map { $0 + "\n" }.joined().utf8) } ?? [])
        }

        /// Runs a command that asks for a finger, and lays one down.
        private func run(
            _ words: String...,
            with finger: String,
            giving secrets: [String]? = nil
        ) async throws -> ChildProcess {
            let child = try start(words, lines: secrets)
            // The command asks in its own time; the suite's limit ends the wait.
            try await OtherClient().fingerIsNeeded()
            try TestStack.happen("SCAN \(finger)")
            return child.finish()
        }

        @Test(.holds("B-01", "B-05"))
        func `where a TPM answers a vault lies on it, and opens with a finger and with the PIN`()
            async throws
        {
            let made = try run("init", "--biometrics", giving: [Self.password])
            #expect(made.exitCode == 0, "\(made)")
            #expect(made.standardOutput.contains("TPM 2.0") && made.standardOutput.contains("enabled"))
            #expect(try run("status", "--json").standardOutput.contains(#""keys":"tpm""#))
            let added = try await run("wallet", "import", "Main", with: "mine", giving: ["", Self.mnemonic])
            #expect(added.exitCode == 0, "\(added)")

            let opened = try await run("unlock", with: "mine")
            #expect(opened.exitCode == 0 && opened.standardOutput.contains("(fingerprint)"), "\(opened)")
            #expect(opened.standardError.contains("touch the fingerprint reader"))
            let refused = try await run("unlock", with: "mallory")
            #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-107-030"), "\(refused)")

            let printed = try run("wallet", "export", "Main", giving: [Self.password])
            #expect(printed.standardOutput == Self.mnemonic + "\n", "\(printed)")
            #expect(try run("--require", "hardware", "status").standardError.contains("ERR-TT-217"))
        }

        @Test(.holds("B-03")) func `a PIN that is given opens while a reader waits for nobody`() throws {
            try run("init", "--biometrics", giving: [Self.password]).succeeding()
            let opened = try run("unlock", giving: [Self.password])
            #expect(opened.exitCode == 0 && opened.standardOutput.contains("(PIN or password)"), "\(opened)")
            #expect(opened.standardError.isEmpty, "no finger was asked for: \(opened)")
        }

        /// What keeps a reader from answering.
        enum Trouble: String, CaseIterable, Sendable {
            case claimed, broken, unplugged, killed
        }

        @Test(.holds("A19", "B-03", "C7"), arguments: Trouble.allCases)
        func `a reader that fails is told as that, in every command that a finger opens, and the PIN opens`(
            trouble: Trouble
        ) async throws {
            try run("init", "--device", "files", "--biometrics", giving: [Self.password]).succeeding()
            let other = OtherClient()
            if trouble == .claimed { try await other.call("Claim", "") }
            for words in [["unlock"], ["wallet", "list"], ["wallet", "create", "First"]] {
                let child = try start(words, lines: [""])
                if trouble != .claimed {
                    try await other.fingerIsNeeded()
                    switch trouble {
                    case .claimed: break
                    case .broken: try TestStack.happen("ERROR 0")
                    case .unplugged: try TestStack.happen("UNPLUG")
                    case .killed: try TestStack.run("stop", "fprintd")
                    }
                }
                let refused = child.finish()
                #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-107-001"), "\(refused)")
                #expect(refused.standardError.contains("hint: unlock with your PIN or password"), "\(refused)")
                let opened = try start(words, lines: [Self.password]).finish()
                #expect(opened.exitCode == 0 && !opened.standardError.contains("ERR-"), "\(opened)")
                if trouble == .unplugged { try TestStack.run("stop", "fprintd") }
                if trouble == .unplugged || trouble == .killed { try TestStack.run("start", "fprintd") }
            }
            if trouble == .claimed { try await other.call("Release") }
            let opened = try await run("unlock", with: "mine")
            #expect(opened.exitCode == 0 && opened.standardOutput.contains("(fingerprint)"), "\(opened)")
        }

        @Test func `a vault is made on files where that is asked for, whatever TPM answers`() throws {
            let short = try run("init", "--device", "files", giving: ["480295"])
            #expect(short.exitCode == 2 && short.standardError.contains("ERR-TT-305"), "\(short)")
            try run("init", "--device", "files", giving: [Self.password]).succeeding()
            #expect(try run("status", "--json").standardOutput.contains(#""keys":"files""#))
            try run("unlock", giving: [Self.password]).succeeding()
        }

        @Test(.holds("A25"))
        func `while a TPM can be used its vault opens with it, and then leaves it for files by name alone`()
            throws
        {
            try run("init", giving: [Self.password]).succeeding()
            try run("wallet", "import", "Main", giving: [Self.password, Self.mnemonic]).succeeding()
            let key = String(try run("recovery", "create", giving: [Self.password]).standardOutput.dropLast())
            try run("recovery", "check", giving: [Self.password, key]).succeeding()
            for (words, lines) in [(["unlock", "--recovery"], [key, Self.other]), (["reset"], ["RESET"])] {
                let refused = try start(words + ["--device", "files"], lines: lines).finish()
                #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-208"), "\(refused)")
            }
            tpm.kill()
            let aborted = try run("reset", "--device", "files", giving: ["no"])
            #expect(aborted.exitCode == 1 && aborted.standardError.contains("ERR-TT-318"), "\(aborted)")
            try tpm.start()
            try run("unlock", giving: [Self.password]).succeeding()

            try FileManager.default.copyItem(
                atPath: home.file(".local/share/thumbturn/vault"),
                toPath: home.file("former")
            )
            #expect(try wrapped().count == 4, "the device secret, the slot's part, and the trail's secret and key")

            tpm.kill()
            let left = try run("unlock", "--recovery", "--device", "files", giving: [key, Self.other])
            #expect(left.exitCode == 0 && left.standardError.contains("anyone with that TPM"), "\(left)")
            #expect(try wrapped().isEmpty)
            try tpm.start()
            let former = try run("--vault", home.file("former"), "unlock", giving: [Self.password])
            #expect(former.exitCode == 3 && former.standardError.contains("ERR-TT-209"), "\(former)")
            #expect(try run("status", "--json").standardOutput.contains(#""keys":"files""#))
            #expect(try run("unlock", giving: [Self.password]).exitCode == 1)
            let printed = try run("wallet", "export", "Main", giving: [Self.other])
            #expect(printed.standardOutput == Self.mnemonic + "\n", "\(printed)")
        }

        /// The files of items in the TPM's folder.
        private func wrapped() throws -> [String] {
            try Folders.readableNames(in: home.file(".local/state/thumbturn/tpm/items"))
                .filter { $0.hasPrefix("thumbturn.") }
        }

        @Test(.holds("A25", "A61"))
        func `a reset that a TPM's end cuts off is finished by name, and erases what the TPM wrapped`()
            throws
        {
            try run("init", giving: [Self.password]).succeeding()
            let reset = { (tail: [String], word: String) in
                try start(["reset"] + tail, hasSecrets: true).finish(Array("\(word)\n".utf8))
            }
            // A folder where a part of it would lie keeps the device secret from being deleted.
            let item = try #require(
                try wrapped().first { $0.contains(".device-secret.") && $0.split(separator: ".").count == 4 }
            )
            let obstacle = home.file(".local/state/thumbturn/tpm/items/\(item).0")
            try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
            #expect(try reset([], "RESET").standardError.contains("ERR-TT-211"))
            try FileManager.default.removeItem(atPath: obstacle)
            #expect(try !wrapped().isEmpty)

            tpm.kill()
            let refused = try run("unlock", "--recovery", "--device", "files", giving: ["nothing", Self.other])
            #expect(refused.standardError.contains("ERR-TT-211"), "\(refused)")
            #expect(try reset(["--device", "files"], "no").standardError.contains("ERR-TT-318"))
            #expect(try !wrapped().isEmpty)
            let erased = try reset(["--device", "files"], "RESET")
            #expect(erased.exitCode == 0 && erased.standardOutput.contains("erased"), "\(erased)")
            #expect(try wrapped().isEmpty)
        }

        @Test(.holds("A25")) func `keys that are nowhere may have lain on a TPM, so one that answers is not left`()
            throws
        {
            try run("init", "--device", "files", giving: [Self.password]).succeeding()
            let key = String(try run("recovery", "create", giving: [Self.password]).standardOutput.dropLast())
            try run("recovery", "check", giving: [Self.password, key]).succeeding()
            Folders.remove(home.file(".local/state/thumbturn"))
            for words in [["unlock", "--recovery"], ["reset"], ["status"]] {
                let refused = try start(words + ["--device", "files"], lines: [key, Self.other]).finish()
                #expect(refused.exitCode == 3 && refused.standardError.contains("a TPM can be used"), "\(refused)")
            }
            try run("unlock", "--recovery", giving: [key, Self.other]).succeeding()
            #expect(try run("status", "--json").standardOutput.contains(#""keys":"tpm""#))
        }

        @Test(.holds("A25")) func `a vault leaves a TPM whose owner has a password, which takes no new one`() throws {
            try run("init", giving: [Self.password]).succeeding()
            let key = String(try run("recovery", "create", giving: [Self.password]).standardOutput.dropLast())
            try run("recovery", "check", giving: [Self.password, key]).succeeding()
            try tpm.setOwnerPassword("theirs")
            try run("unlock", "--recovery", "--device", "files", giving: [key, Self.other]).succeeding()
            #expect(try run("status", "--json").standardOutput.contains(#""keys":"files""#))
        }

        @Test(.holds("A1")) func `without the TPM it was made on a vault opens with no PIN, and nothing is made anew`()
            throws
        {
            try run("init", giving: [Self.password]).succeeding()
            tpm.kill()
            let silent = try run("unlock", giving: [Self.password])
            #expect(silent.exitCode == 3 && silent.standardError.contains("ERR-TT-206"), "\(silent)")
            try tpm.start()
            try run("unlock", giving: [Self.password]).succeeding()
            try tpm.replaceState(by: [:])
            let other = try run("unlock", giving: [Self.password])
            #expect(other.exitCode == 3 && other.standardError.contains("ERR-TT-209"), "\(other)")
        }

        @Test(.holds("A25"))
        func `keys in a folder that can't be looked into are not gone, and no TPM is taken in their place`()
            throws
        {
            tpm.kill()
            try run("init", giving: [Self.password]).succeeding()
            try tpm.start()
            let items = home.file(".local/state/thumbturn/files/items")
            try FileManager.default.moveItem(atPath: items, toPath: items + ".aside")
            try FileManager.default.createSymbolicLink(atPath: items, withDestinationPath: items)
            for (words, secret) in [(["unlock"], Self.password), (["reset"], "RESET")] {
                let refused = try start(words, hasSecrets: true).finish(Array("\(secret)\n".utf8))
                #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-206"), "\(refused)")
            }
            try FileManager.default.removeItem(atPath: items)
            try FileManager.default.moveItem(atPath: items + ".aside", toPath: items)
            try run("unlock", giving: [Self.password]).succeeding()
        }

        @Test(.holds("B-03"), arguments: ["tpm", "files"])
        func `a bus that says nothing is not asked where a PIN is given, and costs no vault what it looks at`(
            device: String
        ) throws {
            if device == "files" { tpm.kill() }
            try run("init", "--biometrics", giving: [Self.password]).succeeding()
            try run("wallet", "import", "Main", giving: [Self.password, Self.mnemonic]).succeeding()
            // Nobody takes a connection there, and each try to connect can be seen.
            let path = tpm.folder + "/b"
            let listener = try #require(UnixSocket.listen(at: path))
            defer { close(listener) }
            bus.change { $0 = "unix:path=" + path }
            func wasAsked() -> Bool {
                let client = accept(listener, nil, nil)
                if client >= 0 { close(client) }
                return client >= 0
            }
            let export = try run("wallet", "export", "Main", giving: [Self.password])
            #expect(export.standardOutput == Self.mnemonic + "\n", "\(export)")
            try run("unlock", giving: [Self.password]).succeeding()
            try run("wallet", "list", giving: [Self.password]).succeeding()
            try run("rekey", giving: [Self.password]).succeeding()
            let key = String(try run("recovery", "create", giving: [Self.password]).standardOutput.dropLast())
            try run("recovery", "check", giving: [Self.password, key]).succeeding()
            try run("credential", "set", "token", giving: ["a secret"]).succeeding()
            #expect(try run("credential", "get", "token").standardOutput == "a secret\n")
            #expect(try run("init", giving: [Self.password]).standardError.contains("ERR-TT-202"))
            #expect(!wasAsked())

            let status = try run("status")
            #expect(status.exitCode == 0 && status.standardOutput.contains("not available now"), "\(status)")
            #expect(wasAsked())
            let none = try run("unlock")
            #expect(none.exitCode == 1 && none.standardError.contains("ERR-107-001"), "\(none)")
            #expect(none.standardError.contains("unlock with your PIN or password"))
            #expect(wasAsked())

            // The finger was carried over, and opens where the bus is back.
            bus.change { $0 = TestStack.address }
            #expect(try run("biometrics", "status", "--json").standardOutput.contains(#""isEnabled":true"#))
        }

        @Test(.holds("B-03")) func `a finger opens after a rekey by PIN during which nobody asked for its set`()
            async throws
        {
            try run("init", "--biometrics", giving: [Self.password]).succeeding()
            let rekeyed = try run("rekey", giving: [Self.password])
            #expect(rekeyed.exitCode == 0, "\(rekeyed)")
            let opened = try await run("unlock", with: "mine")
            #expect(opened.exitCode == 0 && opened.standardOutput.contains("(fingerprint)"), "\(opened)")
            // A finger more ends what was carried over too (A28).
            try await OtherClient().enrol("another", as: "left-thumb")
            let refused = try run("unlock")
            #expect(refused.exitCode != 0 && refused.standardError.contains("ERR-107-0"), "\(refused)")
            #expect(try run("status").standardOutput.contains("revoked"))
        }

        @Test(.holds("A56")) func `a TPM that is locked out is named by the refusal, by status and by doctor`() throws {
            try run("init", giving: [Self.password]).succeeding()
            try tpm.setLimits(tries: 1, recovery: 7_200)
            #expect(try run("unlock", giving: [Self.other]).standardError.contains("wrong"))
            let refused = try run("unlock", "--json", giving: [Self.password])
            #expect(refused.exitCode == 1 && refused.standardError.contains("ERR-TT-102"), "\(refused)")
            #expect(
                refused.standardError.contains("TPM is locked out") && refused.standardError.contains("at most 2 h")
            )
            #expect(refused.standardOutput.contains(#""retryAfterSeconds":7200"#), "\(refused)")
            let status = try run("status")
            #expect(
                status.standardOutput.contains("TPM is locked out") && status.standardOutput.contains("at most 2 h")
            )
            let told = try run("status", "--json").standardOutput
            #expect(told.contains("tpmLockedOut") && told.contains(#""tpmRetryAfterSeconds":7200"#), "\(told)")

            let doctor = try run("doctor")
            #expect(doctor.standardOutput.contains("can't be made now on: TPM 2.0"), "\(doctor)")
            #expect(!doctor.standardOutput.contains("would be made on"))
            let made = try run("--vault", home.file("another"), "init", giving: [Self.password])
            #expect(made.exitCode == 1 && made.standardError.contains("TPM is locked out"), "\(made)")
            #expect(!FileManager.default.fileExists(atPath: home.file("another")))
        }

        @Test(.holds("A26")) func `a TPM that was cleared is named by the refusal and by status`() throws {
            try run("init", giving: [Self.password]).succeeding()
            try tpm.replaceState(by: [:])
            let refused = try run("unlock", giving: [Self.password])
            #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-209"), "\(refused)")
            #expect(refused.standardError.contains("was cleared"))
            let status = try run("status")
            #expect(status.exitCode == 0 && status.standardOutput.contains("was cleared"), "\(status)")
            #expect(try run("status", "--json").standardOutput.contains("tpmExchanged"))
        }

        @Test(.holds("A26")) func `on a TPM that was cleared the recovery key opens the vault, and gives it a new PIN`()
            throws
        {
            try run("init", giving: [Self.password]).succeeding()
            try run("wallet", "import", "Main", giving: [Self.password, Self.mnemonic]).succeeding()
            let key = String(try run("recovery", "create", giving: [Self.password]).standardOutput.dropLast())
            try run("recovery", "check", giving: [Self.password, key]).succeeding()
            try tpm.replaceState(by: [:])
            let opened = try run("unlock", "--recovery", giving: [key, Self.other])
            #expect(opened.exitCode == 0, "\(opened)")
            let former = try run("unlock", giving: [Self.password])
            #expect(former.exitCode == 1 && former.standardError.contains("wrong"), "\(former)")
            let printed = try run("wallet", "export", "Main", giving: [Self.other])
            #expect(printed.standardOutput == Self.mnemonic + "\n", "\(printed)")
            let status = try run("status", "--json").standardOutput
            #expect(status.contains(#""keys":"tpm""#) && !status.contains("tpmExchanged"), "\(status)")
        }

        @Test func `an owner hierarchy that is off is named, and nobody is asked for a PIN that was given`() throws {
            try run("init", giving: [Self.password]).succeeding()
            try tpm.turnOwnerOff()
            for words in [["unlock"], ["status"]] {
                let refused = try start(words, lines: [Self.password]).finish()
                #expect(refused.exitCode == 3 && refused.standardError.contains("owner hierarchy is off"), "\(refused)")
            }
            #expect(try run("doctor").standardOutput.contains("its owner hierarchy is off"))
            let made = try run("--vault", home.file("another"), "init", giving: [Self.password])
            #expect(made.exitCode == 0 && made.standardOutput.contains("files"), "\(made)")
        }

        @Test func `a TPM whose memory is full is told by doctor, and by init`() throws {
            _ = try tpm.fillMemory()
            let told = try run("doctor").standardOutput
            #expect(
                told.contains("its memory is full") && told.contains("would be made on: TPM 2.0, if it has room"),
                "\(told)"
            )
            let made = try run("init", giving: [Self.password])
            #expect(made.exitCode == 3 && made.standardError.contains("memory is full"), "\(made)")
        }

        @Test func `doctor promises no files where init could not make them`() throws {
            tpm.kill()
            let folder = home.file(".local/state/thumbturn/files")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
            let told = try run("doctor")
            #expect(told.standardOutput.contains("can't be made now on: files"), "\(told)")
            let made = try run("init", giving: [Self.password])
            #expect(made.exitCode == 3 && made.standardError.contains("mode 0700"), "\(made)")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
            #expect(try run("doctor").standardOutput.contains("would be made on: files"))
            try run("init", giving: [Self.password]).succeeding()
        }

        @Test func `a TPM whose owner has a password is told of, and the vault lies on files`() throws {
            try tpm.setOwnerPassword("theirs")
            let told = try run("doctor")
            #expect(told.standardOutput.contains("tpm2_changeauth"), "\(told)")
            let made = try run("init", giving: [Self.password])
            #expect(made.exitCode == 0 && made.standardError.contains("thumbturn doctor"), "\(made)")
            #expect(try run("status", "--json").standardOutput.contains(#""keys":"files""#))
        }

        @Test func `doctor finds the TPM, the reader with its finger, and the session`() throws {
            let told = try run("doctor")
            #expect(told.exitCode == 0, "\(told)")
            for words in [
                "it answers", "of 3", "one of your fingers is enrolled", "logind reports", "would be made on: TPM 2.0",
            ] {
                #expect(told.standardOutput.contains(words), "\(told)")
            }
        }
    }
}
