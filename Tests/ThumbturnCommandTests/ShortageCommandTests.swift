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
        try Folders.write([UInt8](repeating: 0, count: 200_000), to: disk + "/filler")
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
        let said = try box.shell("df --output=avail -B1 \(disk) | tail -1").standardOutput
        let free = try #require(Int(said.trimmingCharacters(in: .whitespacesAndNewlines)))
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
