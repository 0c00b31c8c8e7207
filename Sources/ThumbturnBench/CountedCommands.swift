#if canImport(COpenSSL)
import Glibc
import ThumbturnConsole

/// A vault whose keys lie in files, and our own executable under strace, which counts what it asks of the system.
final class CountedCommands {
    /// The name of the wallet that is there.
    static let wallet = "counted"
    static let mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    private static let strace = "/usr/bin/strace"

    private let folder: String
    private var count = 0

    /// Whether there is something to count with.
    static var isPossible: Bool { unsafe access(strace, X_OK) == 0 }

    init(in folder: String) throws {
        self.folder = folder
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
        _ = try count("none", ["init"], [BenchVault.pin])
        _ = try count("none", ["wallet", "import", Self.wallet], [BenchVault.pin, Self.mnemonic])
    }

    /// Runs a command; what is imported gets a name of its own.
    ///
    /// - Parameters:
    ///   - calls: which count, in strace's words.
    ///   - lines: what descriptor 3 gives; none leaves that closed.
    func count(_ calls: String, _ words: [String], _ lines: [String]) throws -> Double {
        let log = folder + "/strace"
        count += 1
        let name = words == ["wallet", "import"] ? ["wallet \(count)"] : []
        _ = try MeasuredProcess.run(
            Self.strace,
            // Threads too; and by its path, since in strace `/proc/self/exe` is strace.
            ["-f", "-o", log, "-e", "trace=" + calls, Folders.absolute("/proc/self/exe"), "--device", "files"]
                + (lines.isEmpty ? [] : ["--secret-fd", "3"]) + words + name,
            environment: ["HOME=\(folder)", "PATH=/usr/bin:/bin"],
            secret: lines.isEmpty ? nil : lines.joined(separator: "\n")
        )
        // A row begins with the thread's number. A call that another thread's interrupts in the log has a second row, which
        // goes on with `<...`; a signal's and an end's have signs too.
        return Double(
            Folders.contents(of: log).split(separator: UInt8(ascii: "\n")).count { row in
                row.drop { $0 == UInt8(ascii: " ") || 48...57 ~= $0 }.first.map { 97...122 ~= $0 } ?? false
            }
        )
    }
}
#endif
