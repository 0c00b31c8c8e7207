#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// Completion in the shells themselves; where one is not installed, nothing is said of it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CompletionTests {
    /// What is typed, and what a shell offers for it.
    static let lines: [(typed: String, offered: [String])] = [
        ("thumbturn wal", ["wallet"]), ("thumbturn re", ["rekey", "reset", "recovery", "restore"]),
        ("thumbturn wallet r", ["rename"]),
        ("thumbturn wallet ", ["create", "import", "list", "check", "show", "rename", "export", "delete"]),
        ("thumbturn wallet export savings --r", ["--raw", "--recovery", "--require"]),
        ("thumbturn wallet create savings --words ", ["12", "15", "18", "21", "24"]),
        ("thumbturn --device ", ["linux", "files", "simulated"]),
        ("thumbturn --device files wallet im", ["import"]),
        ("thumbturn --vault /tmp/vault --json credential do", ["downgrade"]),
        ("thumbturn completion ", ["bash", "fish", "zsh"]), ("thumbturn simulate mismatch-", ["mismatch-cancel"]),
        ("thumbturn wallet create ", []), ("thumbturn account register ada --service ", []),
        ("thumbturn backup /et", ["/etc"]), ("thumbturn backup veri", ["verify"]),
        ("thumbturn backup --fo", ["--force"]), ("thumbturn backup verify /et", ["/etc"]),
        ("thumbturn --vault /et", ["/etc"]),
        ("thumbturn wallet list --from /et", ["/etc"]), ("thumbturn status ", []),
        ("thumbturn help cre", ["credential"]), ("thumbturn help wallet r", ["rename"]),
        ("thumbturn help demo ", []), ("thumbturn help re", ["rekey", "reset", "recovery", "restore"]),
        ("thumbturn policy set ", PolicyRule.all.map(\.name)), ("thumbturn policy set aut", ["auto-lock"]),
        ("thumbturn --json policy set lock-in-background ", ["yes", "no"]),
        ("thumbturn policy set strong-after-days ", ["never"]), ("thumbturn policy set auto-lock ", []),
        ("thumbturn policy set least-assurance soft", ["softwareFile"]),
    ]

    static func has(_ shell: String) -> Bool {
        ["/bin/", "/usr/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + shell) }
    }

    /// A file with what a shell reads.
    private func script(for shell: CompletionShell, in box: Box) throws -> String {
        let printed = try box.run(["completion", shell.rawValue], nil, ["LC_ALL": "C"]).succeeding()
        let path = box.folder + "/completion." + shell.rawValue
        try Folders.write(Array(printed.standardOutput.utf8), to: path)
        return path
    }

    private func run(_ shell: String, _ arguments: [String], _ box: Box) throws -> String {
        let variables = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        let result = try ChildProcess.run("/usr/bin/env", [shell] + arguments, environment: box.environment(variables))
        #expect(result.exitCode == 0 && result.standardError.isEmpty, "\(result)")
        return result.standardOutput
    }

    @Test func `bash offers what the table has`() throws {
        let box = try Box()
        let path = try script(for: .bash, in: box)
        for (typed, offered) in Self.lines {
            // As bash cuts a line into words: `=` is one.
            let test = """
                source '\(path)'; COMP_WORDS=(\(typed)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                case '\(typed)' in *' ') COMP_WORDS+=(''); COMP_CWORD=$((COMP_CWORD + 1)) ;; esac
                _thumbturn; printf '%s\\n' "${COMPREPLY[@]}"
                """
            let found = try run("bash", ["--norc", "-c", test], box).split(separator: "\n").map(String.init)
            #expect(found.sorted() == offered.sorted(), "\(typed)")
        }
    }

    /// Shells on a terminal, how they are started, and what makes them complete.
    static let shells: [(kind: CompletionShell, start: String, prepare: String)] = [
        (.bash, "bash --norc --noprofile -i", "bind 'set enable-bracketed-paste off'"),
        (.zsh, "zsh -f -i", "unset zle_bracketed_paste; autoload -Uz compinit; compinit -D -u"),
    ]

    @Test(arguments: shells.indices.filter { has(shells[$0].kind.rawValue) })
    func `on a terminal the key completes, also behind an equals sign`(index: Int) throws {
        let (kind, start, prepare) = Self.shells[index]
        let box = try Box()
        let desk = try Desk(box, shell: start)
        _ = desk.run(prepare)
        _ = desk.run("source '\(try script(for: kind, in: box))'")
        _ = desk.run("thumbturn() { printf '<%s>' \"$@\"; echo; }")
        for (typed, run) in [
            ("thumbturn wal\tcr\tsavings", "<wallet><create><savings>"),
            ("thumbturn --device=fil\tdoc\t", "<--device=files><doctor>"),
            ("thumbturn --requ\thard\tstatu\t", "<status>"),
            ("thumbturn wallet export savings --ra\t", "<wallet><export><savings><--raw>"),
            ("thumbturn credential do\tmail", "<credential><downgrade><mail>"),
            ("thumbturn simulate mismatch-\tenroll", "<simulate><mismatch-cancel><enroll>"),
            ("thumbturn completion fi\t", "<completion><fish>"),
            ("thumbturn help wal\tcr\t", "<help><wallet><create>"),
            ("thumbturn policy set lock\ty\t", "<policy><set><lock-in-background><yes>"),
            ("thumbturn backup /etc/passw\t", "<backup></etc/passwd>"),
        ] {
            let shown = desk.run(typed)
            #expect(shown.contains(run + "\n"), "\(shown)")
        }
    }

    @Test(.enabled(if: has("fish"))) func `fish offers what the table has`() throws {
        let box = try Box()
        let path = try script(for: .fish, in: box)
        for (typed, offered) in Self.lines {
            let found = try run("fish", ["--no-config", "-c", "source '\(path)'; complete -C '\(typed)'"], box)
                .split(separator: "\n").map { $0.split(separator: "\t")[0] }
                .map { String($0.hasSuffix("/") ? $0.dropLast() : $0) }
            #expect(found.sorted() == offered.sorted(), "\(typed)")
        }
        let french = try box.run(["completion", "fish"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput
        #expect(french.contains("-a status -d 'montrer ce qu\\'un coffre verrouillé peut dire'"))
    }

    /// How each shell reads a script without running it.
    static let checks: [(kind: CompletionShell, options: [String])] = [
        (.bash, ["-n"]), (.zsh, ["-f", "-n"]), (.fish, ["--no-config", "--no-execute"]),
    ]

    @Test(arguments: checks.indices.filter { has(checks[$0].kind.rawValue) })
    func `each shell finds nothing wrong with its script`(index: Int) throws {
        let (kind, options) = Self.checks[index]
        let box = try Box()
        #expect(try run(kind.rawValue, options + [script(for: kind, in: box)], box).isEmpty)
    }
}
#endif
