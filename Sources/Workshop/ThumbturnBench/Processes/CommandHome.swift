import Glibc
import ThumbturnConsole

/// A user's home folder, and the program run in it.
struct CommandHome {
    let folder: String
    let program: String
    /// The device, as `--device` names it.
    let device: String

    private static let strace = "/usr/bin/strace"

    /// Whether calls can be counted.
    static var counts: Bool { unsafe access(strace, X_OK) == 0 }

    /// - Parameter folder: is created.
    init(_ folder: String, program: String, device: String = "files") throws {
        (self.folder, self.program, self.device) = (folder, program, device)
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - lines: the input on descriptor 3; empty leaves that closed.
    ///   - calls: the calls for strace to count, in its syntax; `nil` runs the program without it.
    ///   - file: counts only those that have to do with files whose name contains this.
    ///   - exitCode: how the command has to end.
    func run(
        _ words: [String],
        _ lines: [String] = [],
        counting calls: String? = nil,
        on file: String? = nil,
        expecting exitCode: Int32 = 0
    ) throws -> MeasuredProcess {
        let log = folder + "/strace"
        let arguments = ["--device", device] + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words
        // Include threads.
        let traced = calls.map { ["-f", "-y", "-o", log, "-e", "trace=" + $0, program] } ?? []
        var process = try MeasuredProcess.run(
            traced.isEmpty ? program : Self.strace,
            traced + arguments,
            environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"],
            secret: lines.isEmpty ? nil : lines.joined(separator: "\n"),
            expecting: exitCode
        )
        if calls != nil { process.calls = Self.calls(in: Folders.contents(of: log), on: file) }
        return process
    }

    /// Counts the calls in a log whose rows start with the thread's number.
    ///
    /// A call interrupted in the log by another thread's has a second row, which continues with `<...`; rows about
    /// signals and exits start with symbols too.
    private static func calls(in log: [UInt8], on file: String?) -> Double {
        Double(
            log.split(separator: UInt8(ascii: "\n")).count { row in
                let name = row.drop { $0 == UInt8(ascii: " ") || 48...57 ~= $0 }
                guard let first = name.first, 97...122 ~= first else { return false }
                return file.map { String(decoding: row, as: UTF8.self).contains($0) } ?? true
            }
        )
    }

    /// Creates a recovery key, and types it back.
    func makeRecoveryKey(_ pin: String) throws -> String {
        let words = try run(["recovery", "create", "--json"], [pin]).output
        let parts: [Substring] = words.split(separator: "\"")
        guard let key = parts.first(where: { $0.count > 20 && $0.contains("-") }).map(String.init) else {
            throw BenchError(what: "no recovery key in what `recovery create` prints")
        }
        _ = try run(["recovery", "check"], [pin, key])
        return key
    }
}
