import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// What a command says where it has too little: of a disk, of files, of threads.
struct ShortageCommandTests {
    @Test(.enabled(if: geteuid() == 0, "only the superuser mounts a small disk"))
    func `a full disk refuses the wallet, and keeps the rest`() throws {
        let box = try Box()
        let disk = box.folder + "/disk"
        try box.shell("mkdir \(disk) && mount -t tmpfs -o size=512k none \(disk)").succeeding()
        defer { _ = try? box.shell("umount \(disk)") }
        let vault = ["--vault", disk + "/vault"]
        try box.run(vault + ["init"], [Box.pin]).succeeding()
        try Folders.write([UInt8](repeating: 0, count: 120_000), to: disk + "/filler")
        let big = String(repeating: "x", count: 300_000)
        let refused = try box.run(vault + ["wallet", "import", "Big", "--opaque"], [Box.pin, big])
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-207"), "\(refused)")
        #expect(try box.json(vault + ["status"])["walletCount"] as? Int == 0)
        try box.run(vault + ["wallet", "import", "Small", "--opaque"], [Box.pin, "x"]).succeeding()
        #expect(unsafe unlink(disk + "/filler") == 0)
        #expect(try box.run(vault + ["wallet", "export", "Small"], [Box.pin]).standardOutput == "x")
    }

    @Test(.holds("A19"), .enabled(if: geteuid() == 0, "only the superuser mounts a small disk"))
    func `however little room a disk has, the right PIN is not counted`() throws {
        let box = try Box()
        let disk = box.folder + "/disk"
        try box.shell("mkdir \(disk) && mount -t tmpfs -o size=512k none \(disk)").succeeding()
        defer { _ = try? box.shell("umount \(disk)") }
        let vault = ["--vault", disk + "/vault"]
        try box.run(vault + ["init"], [Box.pin]).succeeding()
        let free = try box.space(on: disk)
        try #require(free > 150_000)
        var (opened, refused) = (0, 0)
        for pages in 0..<28 {
            try Folders.write([UInt8](repeating: 0, count: free - pages * 4_096), to: disk + "/filler")
            let ended = try box.run(vault + ["unlock"], [Box.pin])
            #expect(unsafe unlink(disk + "/filler") == 0)
            if ended.exitCode == 0 {
                opened += 1
            } else {
                refused += 1
                #expect(ended.exitCode == 3 && ended.standardError.contains("ERR-TT-207"), "\(pages): \(ended)")
            }
            let attempts = try #require(box.json(vault + ["status"])["attempts"] as? [String: Any])
            #expect(attempts["failures"] as? Int == 0, "\(pages) pages were free")
        }
        #expect(opened > 2 && refused > 2)
    }

    @Test(.holds("A19"), .enabled(if: geteuid() == 0, "only the superuser mounts a small disk"), arguments: [1, 3])
    func `a disk that the vault filled by itself lets its owner in, delete, recover and start anew`(megabytes: Int)
        throws
    {
        let box = try Box()
        let disk = box.folder + "/disk"
        try box.shell("mkdir \(disk) && mount -t tmpfs -o size=\(megabytes)m none \(disk)").succeeding()
        defer { _ = try? box.shell("umount \(disk)") }
        let everything = ["XDG_DATA_HOME": disk + "/data", "XDG_STATE_HOME": disk + "/state"]
        func run(_ words: String..., lines: [String]) throws -> ChildProcess { try box.run(words, lines, everything) }
        try run("init", lines: [Box.pin]).succeeding()
        let made = try run("recovery", "create", lines: [Box.pin]).standardOutput
        let key = String(try #require(made.split(separator: "\n").first))
        try run("recovery", "check", lines: [Box.pin, key]).succeeding()
        var count = 0
        func fill(with pin: String) throws {
            for size in [200_000, 20_000, 2_000, 20] {
                while true {
                    let secret = String(repeating: "x", count: size)
                    let ended = try run("wallet", "import", "W\(count)", "--opaque", lines: [pin, secret])
                    guard ended.exitCode == 0 else {
                        try #require(ended.exitCode == 3 && ended.standardError.contains("ERR-TT-207"), "\(ended)")
                        break
                    }
                    count += 1
                }
            }
        }
        try fill(with: Box.pin)
        try #require(count > 0)
        try run("unlock", lines: [Box.pin]).succeeding()
        let list = try run("wallet", "list", "--recovery", lines: [key])
        #expect(list.exitCode == 0 && list.standardOutput.split(separator: "\n").count == count, "\(list)")
        try run("wallet", "delete", "W0", lines: [Box.pin, "W0"]).succeeding()
        try fill(with: Box.pin)
        let newPIN = "50937164"
        try run("unlock", "--recovery", lines: [key, newPIN]).succeeding()
        try fill(with: newPIN)
        try run("unlock", lines: [newPIN]).succeeding()
        try run("reset", lines: ["RESET"]).succeeding()
        try run("init", lines: [Box.pin]).succeeding()
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser mounts a small disk"))
    func `on a disk that others filled the recovery key reads all the same`() throws {
        let box = try Box()
        let disk = box.folder + "/disk"
        try box.shell("mkdir \(disk) && mount -t tmpfs -o size=1m none \(disk)").succeeding()
        defer { _ = try? box.shell("umount \(disk)") }
        let vault = ["--vault", disk + "/vault"]
        try box.run(vault + ["init"], [Box.pin]).succeeding()
        try box.run(vault + ["wallet", "import", "Small", "--opaque"], [Box.pin, "x"]).succeeding()
        let key = try box.recoveryKey(vault)
        // Twice, for what the vault kept for itself goes with the first look.
        for _ in 0..<2 {
            let free = try box.space(on: disk)
            if free > 0 { try Folders.write([UInt8](repeating: 0, count: free), to: disk + "/filler-\(free)") }
            for source in [["--recovery"], ["--from", disk + "/vault/vault.sqlite"]] {
                let words = source[0] == "--from" ? source : vault + source
                let ended = try box.run(["wallet", "export", "Small"] + words, [key])
                #expect(ended.exitCode == 0 && ended.standardOutput == "x", "\(ended)")
            }
        }
    }

    #if os(Linux)
    @Test(arguments: [("fcntl", "ENOLCK", "lock"), ("flock", "ENOSYS", "lock"), ("mmap", "ENODEV", "vault.sqlite-shm")])
    func `a file system without locks or shared memory is told as that at once`(
        call: String,
        failure: String,
        file: String
    ) throws {
        let box = try Box.withVault()
        let shared = call == "mmap"
        let told = shared ? "its file system shares no memory" : "its file system has no locks"
        let ended = try box.refusing(call, failure, box.vault + "/" + file, "status")
        #expect(ended.exitCode == 3 && ended.standardError.contains("ERR-TT-206"), "\(ended)")
        #expect(
            ended.standardError.contains(told) && ended.standardError.contains("hint: keep the vault on"),
            "\(ended)"
        )

        let probe = box.folder + "/.thumbturn-probe"
        let refused = try box.refusing(call, failure, probe, "--vault \(box.folder)/other init")
        #expect(refused.exitCode == 3 && refused.standardError.contains(told), "\(refused)")
        #expect(Folders.isAbsent(box.folder + "/other") && Folders.isAbsent(probe))
        let doctor = try box.refusing(call, failure, probe, "--vault \(box.folder)/other doctor")
        #expect(doctor.exitCode == 0 && doctor.standardOutput.contains(told), "\(doctor)")
    }
    #endif

    @Test func `a limit on the size of files refuses the wallet, and keeps the rest`() throws {
        let box = try Box.withVault()
        // In blocks of 512 bytes: 64 KiB.
        let refused = try box.shell(
            "ulimit -f 128; (echo \(Box.pin); head -c 300000 /dev/zero | tr '\\0' x; echo) "
                + "| \"$0\" wallet import Big --opaque --secret-fd 0"
        )
        #expect(refused.exitCode == 3 && refused.standardError.contains("ERR-TT-206"), "\(refused)")
        #expect(try box.json(["status"])["walletCount"] as? Int == 0)
        try box.run(["unlock"], [Box.pin]).succeeding()
    }

    @Test(arguments: [4, 5, 8, 16, 24, 64])
    func `however few files may be open, a command ends with an answer or an error`(limit: Int) throws {
        let box = try Box.withVault()
        for words in ["--version", "status", "help"] {
            let ended = try box.shell("ulimit -n \(limit); \"$0\" --device simulated \(words)")
            if words == "status" {
                try expectShortage(ended, enough: limit == 64)
            } else {
                #expect(ended.exitCode == 0 && !ended.standardOutput.isEmpty, "\(ended)")
            }
        }
    }

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "sh opens no more than ten"),
        arguments: [(80, false), (200, true)]
    )
    func `files that were open before are not free`(limit: Int, enough: Bool) throws {
        let box = try Box.withVault()
        let open = "for i in $(seq 3 70); do eval \"exec $i</dev/null\"; done"
        let script = "\(open); ulimit -n \(limit); exec \"$0\" --device simulated status"
        let ended = try ChildProcess.run("/bin/bash", ["-c", script, Box.tool], environment: box.environment([:]))
        try expectShortage(ended, enough: enough)
    }

    #if os(Linux)
    @Test(.enabled(if: geteuid() == 0, "only the superuser becomes a user without processes"))
    func `however few threads there are, a command ends with an answer or an error`() throws {
        let box = try Box()
        // Another user has no way into the box, nor into wherever the tests keep their temporary files.
        let made = try box.shell("folder=$(mktemp -d /tmp/thumbturn-user.XXXXXX); chmod 755 $folder; echo $folder")
        let folder = made.standardOutput.trimmingCharacters(in: .newlines)
        try #require(made.exitCode == 0 && folder.hasPrefix("/tmp/thumbturn-user."))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (tool, home, user) = (folder + "/thumbturn", folder + "/home", UInt32(54_321))
        // By another process: what is still open for writing in a child of this one could not be run.
        try box.shell("cp \"$0\" \(tool) && chmod 755 \(tool)").succeeding()
        try #require(unsafe mkdir(home, 0o700) == 0 && chown(home, user, user) == 0)
        // The last is more than any number of processors asks for.
        for limit in [1, 2, 3, 4, 5, 6, 8, 12, 80] {
            for words in ["--version", "doctor"] {
                let ended = try box.shell(
                    "export HOME=\(home) XDG_DATA_HOME= XDG_STATE_HOME=; exec timeout 60 setpriv --reuid \(user) "
                        + "--regid \(user) --clear-groups prlimit --nproc=\(limit) \(tool) --device simulated \(words)"
                )
                if words == "doctor" {
                    try expectShortage(ended, enough: limit == 80 ? true : limit > 4 ? nil : false)
                } else {
                    #expect(ended.exitCode == 0 && !ended.standardOutput.isEmpty, "\(ended)")
                }
            }
        }
    }
    #endif

    #if os(Linux)
    @Test(
        .enabled(if: ["LSAN_OPTIONS", "TSAN_OPTIONS"].allSatisfy { ProcessInfo.processInfo.environment[$0] == nil }),
        arguments: [60_000, 90_000, 120_000]
    )
    func `with too little memory a command says that it is memory`(kilobytes: Int) throws {
        let box = try Box.withVault()
        let ended = try box.shell(
            "ulimit -v \(kilobytes); printf '\(Box.pin)\\n' | \"$0\" --device simulated unlock --secret-fd 0"
        )
        // A processor more is some threads more, and this machine may have enough.
        if ended.exitCode == 0 { try #require(kilobytes > 100_000, "\(ended)") }
        guard ended.exitCode != 0 else { return }
        #expect(ended.exitCode == 3 && ended.standardError.contains("no memory left"), "\(ended)")
        #expect(ended.standardError.contains("hint: raise `ulimit -v`"), "\(ended)")
    }
    #endif

    /// An answer of a command that has enough to begin, and else what it is short of.
    ///
    /// - Parameter enough: whether it has; nil where that depends on the machine.
    private func expectShortage(_ ended: ChildProcess, enough: Bool?) throws {
        if enough ?? (ended.exitCode == 0) {
            #expect(ended.exitCode == 0 && !ended.standardOutput.isEmpty, "\(ended)")
        } else {
            #expect(ended.exitCode == 3 && ended.standardError.contains("ERR-TT-206"), "\(ended)")
            #expect(ended.standardError.contains("hint: raise `ulimit"), "\(ended)")
        }
    }
}

extension Box {
    /// Runs the command where the kernel refuses one call on one file.
    fileprivate func refusing(_ call: String, _ failure: String, _ file: String, _ words: String) throws -> ChildProcess
    {
        try #require(FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "run `make setup`")
        return try shell(
            "printf '\(Self.pin)\\n' | exec strace -f -qq -o /dev/null -P '\(file)' -e trace=\(call) "
                + "-e inject=\(call):error=\(failure) \"$0\" --device simulated \(words) --secret-fd 0"
        )
    }

    /// How many bytes may still be written to a disk.
    fileprivate func space(on disk: String) throws -> Int {
        let said = try shell("df --output=avail -B1 \(disk) | tail -1").standardOutput
        return try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
