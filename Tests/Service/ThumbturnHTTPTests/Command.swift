import Foundation

/// A program that is run to its end.
struct Command {
    let status: Int32
    let output: [UInt8]

    /// What it printed, on both outputs.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs a program of the PATH, for at most 30 seconds.
    init(_ words: String..., input: String = "") throws { try self.init(words, input: input) }

    init(_ words: [String], input: String = "") throws {
        let process = Process()
        let (given, printed) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["30"] + words
        (process.standardInput, process.standardOutput, process.standardError) = (given, printed, printed)
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try given.fileHandleForWriting.close()
        output = Array(printed.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        status = process.terminationStatus
    }
}
