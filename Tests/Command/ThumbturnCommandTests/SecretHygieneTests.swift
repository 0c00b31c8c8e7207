import Foundation
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

#if os(Linux)
import CSystem
#endif

struct SecretHygieneTests {
    @Test(.holds("A52"), arguments: [[], ["--json"]])
    func `no command prints a secret but those that are asked to`(option: [String]) throws {
        let box = try Box.withVault("--biometrics")
        let key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
        let recovery = try box.recoveryKey()
        // What each ends with, so that none of them ends before a secret is near.
        let runs: [(words: [String], secrets: [String]?, code: Int32)] = [
            (["wallet", "import", "Savings"], [Box.pin, Box.mnemonic], 0),
            (["wallet", "import", "Key", "--private-key"], [Box.pin, key], 0),
            (["wallet", "import", "Bad"], [Box.pin, Box.mnemonic + " " + Box.mnemonic], 2),
            (["wallet", "import", "Bad", "--private-key"], [Box.pin, Box.mnemonic], 2),
            (["wallet", "import", "--bulk"], [Box.pin, Box.mnemonic], 2),
            (["wallet", "list"], [Box.pin], 0), (["wallet", "show", "Savings"], [Box.pin], 0),
            (["wallet", "rename", "Savings", "Coins"], [Box.pin], 0),
            (["wallet", "rename", "Coins", "Savings"], [Box.pin], 0),
            (["wallet", "delete", "Key"], [Box.pin, Box.pin], 1),
            (["unlock"], [Box.pin], 0), (["unlock"], [Box.mnemonic], 1),
            (["simulate", "finger", "match"], nil, 0), (["unlock"], nil, 0),
            (["status"], nil, 0), (["biometrics", "status"], nil, 0),
            (["biometrics", "disable"], [Box.pin], 0), (["biometrics", "enable"], [Box.pin], 0),
            (["pin", "change"], [Box.pin, Box.pin], 2),
            (["recovery", "check"], [Box.pin, recovery], 0), (["recovery", "check"], [Box.pin, Box.mnemonic], 2),
            (["unlock", "--recovery"], [Box.mnemonic, Box.pin], 2),
            (["reset"], [Box.pin], 1), (["init"], [Box.pin], 1),
            (["restore", box.database], [Box.mnemonic, Box.pin], 1),
            (["backup", box.folder + "/b"], [Box.pin], 0), (["help"], nil, 0), (["simulate", "reboot"], nil, 0),
            ([Box.mnemonic], nil, 2), (["unlock", Box.pin], nil, 2), (["unlock", "--pin=" + Box.pin], nil, 2),
        ]
        let forms =
            SecretScan.forms(of: Array(Box.pin.utf8), named: "PIN")
            + SecretScan.forms(of: Array(Box.mnemonic.utf8), named: "mnemonic")
            + SecretScan.forms(of: Array(key.utf8), named: "key")
            + SecretScan.forms(of: Array(recovery.utf8), named: "recovery key")
        for (words, secrets, code) in runs {
            let result = try box.run(words + option, secrets)
            #expect(result.exitCode == code, "\(words): \(result)")
            for form in forms {
                let printed = Array((result.standardOutput + result.standardError).utf8)
                #expect(SecretScan.firstIndex(of: form.bytes, in: printed) == nil, "\(words): \(form.name)")
            }
        }
        // The control: the scan finds what is there.
        let exported = try box.run(["wallet", "export", "Savings"], [Box.pin]).standardOutput
        #expect(SecretScan.firstIndex(of: Array(Box.mnemonic.utf8), in: Array(exported.utf8)) != nil)
        var scan = SecretScan(forms: forms)
        #expect(scan.findings(below: box.folder).isEmpty)
    }

    @Test func `a scan finds every form that it knows, and nothing else`() throws {
        let box = try Box()
        let secret = Array("correct horse".utf8)
        for (index, form) in SecretScan.forms(of: secret, named: "secret").enumerated() {
            try Folders.write([0, 1] + form.bytes + [2], to: box.folder + "/\(index)")
        }
        // Bytes before it shift the digits of base 64.
        for before in ["", "x", "xx", "xxx"] {
            let text = Data((before + "correct horse" + "tail").utf8).base64EncodedString()
            try Folders.write(Array(text.utf8), to: box.folder + "/shifted" + before)
        }
        try Folders.write(Array("correct house".utf8), to: box.folder + "/innocent")
        var scan = SecretScan(forms: SecretScan.forms(of: secret, named: "secret"))
        let found = Set(scan.findings(below: box.folder).map(\.path))
        #expect(found == Set(Folders.files(below: box.folder)).subtracting([box.folder + "/innocent"]))
    }

    #if os(Linux)
    @Test(.holds("A53"), .timeLimit(.minutes(20)))
    func `a process that waits for a secret leaves no core, and locks its memory`() throws {
        let box = try Box.withVault()
        let child = try RunningChild(
            Box.tool,
            ["unlock", "--secret-fd", "3"],
            environment: box.environment([:]),
            hasSecrets: true
        )
        let folder = "/proc/\(child.process)"
        while !text(folder + "/status").contains("VmLck:\t") || text(folder + "/status").contains("VmLck:\t       0 kB")
        {
            sched_yield()
        }
        let limit = try #require(
            text(folder + "/limits").split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        )
        #expect(limit.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        #expect(!text(folder + "/cmdline").contains(Box.pin))
        #expect(!text(folder + "/environ").contains(Box.pin))
        if geteuid() != 0 {
            // What may not be dumped belongs to the superuser.
            #expect(try FileManager.default.attributesOfItem(atPath: folder)[.ownerAccountID] as? Int == 0)
        }
        let result = child.finish(Array((Box.pin + "\n").utf8))
        #expect(result.exitCode == 0)
    }

    @Test(.holds("A53"), .timeLimit(.minutes(20)))
    func `a command that aborts while it waits for a secret leaves no core, whatever limit it was given`() throws {
        let box = try Box.withVault()
        let unlimited = "cd '\(box.folder)'; ulimit -S -c $(ulimit -H -c); exec \"$@\""
        func end(_ words: [String], waitsForSecret: Bool) throws -> Int32 {
            let child = try RunningChild(
                "/bin/sh",
                ["-c", unlimited, "sh"] + words,
                environment: box.environment([:]),
                hasSecrets: waitsForSecret
            )
            if waitsForSecret {
                let status = "/proc/\(child.process)/status"
                while !text(status).contains("VmLck:\t") || text(status).contains("VmLck:\t       0 kB") {
                    sched_yield()
                }
                kill(child.process, SIGABRT)
            }
            var info = unsafe siginfo_t()
            #expect(unsafe waitid(P_PID, id_t(child.process), &info, WEXITED | WNOWAIT) == 0)
            _ = child.finish()
            return unsafe info.si_code
        }
        #expect(try end([Box.tool, "unlock", "--secret-fd", "3"], waitsForSecret: true) == CLD_KILLED)
        // The control: a program that takes nothing away from itself leaves one, where the limit lets it.
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        let plain = try end(["/bin/sh", "-c", "kill -ABRT $$"], waitsForSecret: false)
        #expect(plain == (limit.rlim_max > 0 ? CLD_DUMPED : CLD_KILLED))
    }
    #endif

    @Test(.holds("A53")) func `the process shuts debuggers out`() async {
        await #expect(processExitsWith: .success) {
            #expect(!Hardening.isInForce)
            Hardening.apply()
            #expect(Hardening.isInForce)
            // What the system says, and not only the product.
            var limit = rlimit()
            #if os(Linux)
            #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
            #expect(system_get_dumpable() == 0)
            #else
            #expect(unsafe getrlimit(RLIMIT_CORE, &limit) == 0)
            #endif
            #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
        }
    }

    @Test(.holds("A53")) func `no command is run without it`() throws {
        #expect(
            try Box.withVault().json(["status"])["warnings"] as? [String] == [
                "recoveryKeyMissing", "assuranceBelowHardware",
            ]
        )
    }

    private func text(_ path: String) -> String { String(decoding: Folders.contents(of: path), as: UTF8.self) }
}
