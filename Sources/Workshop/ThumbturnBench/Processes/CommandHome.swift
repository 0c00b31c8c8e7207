import Glibc
import ThumbturnConsole

/// A user's home folder, and the program run in it; the keys of its device are in files.
struct CommandHome {
    let folder: String
    let program: String

    private static let strace = "/usr/bin/strace"

    /// Whether calls can be counted.
    static var counts: Bool { unsafe access(strace, X_OK) == 0 }

    /// - Parameter folder: is created.
    init(_ folder: String, program: String) throws {
        (self.folder, self.program) = (folder, program)
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - lines: the input on descriptor 3; empty leaves that closed.
    ///   - calls: the calls for strace to count, in its syntax; `nil` runs the program without it.
    func run(_ words: [String], _ lines: [String] = [], counting calls: String? = nil) throws -> MeasuredProcess {
        let log = folder + "/strace"
        let arguments = ["--device", "files"] + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words
        // Include threads.
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

    /// Counts the calls in a log whose rows start with the thread's number.
    ///
    /// A call interrupted in the log by another thread's has a second row, which continues with `<...`; rows about
    /// signals and exits start with symbols too.
    private static func calls(in log: [UInt8]) -> Double {
        Double(
            log.split(separator: UInt8(ascii: "\n")).count { row in
                row.drop { $0 == UInt8(ascii: " ") || 48...57 ~= $0 }.first.map { 97...122 ~= $0 } ?? false
            }
        )
    }
}
