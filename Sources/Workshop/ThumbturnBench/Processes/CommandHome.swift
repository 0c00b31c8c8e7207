import Glibc
import ThumbturnConsole

/// A person's folder, and the program that they start in it; the keys of their device lie in files.
struct CommandHome {
    let folder: String
    let program: String

    private static let strace = "/usr/bin/strace"

    /// Whether there is something to count calls with.
    static var counts: Bool { unsafe access(strace, X_OK) == 0 }

    /// - Parameter folder: is made.
    init(_ folder: String, program: String) throws {
        (self.folder, self.program) = (folder, program)
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - lines: what descriptor 3 gives; none leaves that closed.
    ///   - calls: which strace counts, in its words; nil runs the program alone.
    func run(_ words: [String], _ lines: [String] = [], counting calls: String? = nil) throws -> MeasuredProcess {
        let log = folder + "/strace"
        let arguments = ["--device", "files"] + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words
        // Threads too.
        let traced = calls.map { ["-f", "-o", log, "-e", "trace=" + $0, program] } ?? []
        var process = try MeasuredProcess.run(
            traced.isEmpty ? program : Self.strace,
            traced + arguments,
            environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"],
            secret: lines.isEmpty ? nil : lines.joined(separator: "\n")
        )
        if calls != nil { process.calls = Self.calls(in: Folders.contents(of: log)) }
        return process
    }

    /// A row begins with the thread's number.
    ///
    /// A call that another thread's interrupts in the log has a second row, which goes on
    /// with `<...`; a signal's and an end's have signs too.
    private static func calls(in log: [UInt8]) -> Double {
        Double(
            log.split(separator: UInt8(ascii: "\n")).count { row in
                row.drop { $0 == UInt8(ascii: " ") || 48...57 ~= $0 }.first.map { 97...122 ~= $0 } ?? false
            }
        )
    }
}
