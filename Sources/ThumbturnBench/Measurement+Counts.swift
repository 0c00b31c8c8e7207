#if canImport(COpenSSL)
import Thumbturn
import ThumbturnConsole

// What a command asks of the system: counted, so that neither the machine's speed nor its disk's mood is in it.
extension Measurement {
    /// The calls by which a program waits for its data to be on the disk.
    private static let flushes = "fsync,fdatasync,sync_file_range,msync,sync,syncfs"
    /// The calls for files, and for memory that is locked.
    ///
    /// The rest varies with the number of cores: threads, and their waits.
    private static let calls = "%file,%desc,mlock,munlock"

    /// The flushes, and the calls, of the commands that a person uses most, with keys in files and no finger; none without
    /// strace.
    static var counts: [Measurement] {
        guard CountedCommands.isPossible else { return [] }
        return [
            (["status"], [], 0, 450),
            (["unlock"], [BenchVault.pin], 5, 680),
            (["wallet", "list"], [BenchVault.pin], 5, 700),
            (["wallet", "export", CountedCommands.wallet], [BenchVault.pin], 5, 710),
            (["wallet", "import"], [BenchVault.pin, CountedCommands.mnemonic], 7, 820),
        ].flatMap { (words: [String], lines: [String], flushes: Double, calls: Double) in
            [
                count("flushes", Self.flushes, "flushes to the disk", of: words, lines, most: flushes),
                count(
                    "calls",
                    Self.calls,
                    "calls of the system for files and locked memory",
                    of: words,
                    lines,
                    most: calls
                ),
            ]
        }
    }

    private static func count(
        _ name: String,
        _ calls: String,
        _ what: String,
        of words: [String],
        _ lines: [String],
        most: Double
    ) -> Measurement {
        Measurement(
            name: "\(name)-\(words.count > 1 ? words[1] : words[0])",
            ours: "thumbturn \(words.prefix(2).joined(separator: " ")), with keys in files: \(what)",
            primitive: "",
            unit: .count,
            pairs: 3,
            most: most,
            prepare: { workshop in
                let commands = try workshop.countedCommands()
                return Pair(ours: { try commands.count(calls, words, lines) })
            }
        )
    }
}
#endif
