import Glibc
import ThumbturnConsole

/// A vault by way of Java, C and the bridge, in a Java machine of its own, on a device in that machine's memory.
final class BenchPhone {
    private let commands: Pipe
    private let answers: Pipe
    private let process: pid_t
    private var unread: [UInt8] = []

    /// Starts the machine, and makes a vault with biometrics.
    ///
    /// - Parameters:
    ///   - options: the file of Java's options that `Android/test.sh --bench` wrote.
    ///   - home: the folder of the vault, which exists.
    init(_ options: String, in home: String) throws {
        (commands, answers) = (try Pipe(), try Pipe())
        process = try RunningChild.start(
            "/usr/bin/java",
            ["@" + options, home],
            environment: ["PATH=/usr/bin:/bin"],
            descriptors: [(commands.read, STDIN_FILENO), (answers.write, STDOUT_FILENO)]
        )
        commands.closeRead()
        answers.closeWrite()
        guard try line() == "ready" else { throw BenchError(what: "Java makes no vault") }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Does one command of `Bench`, so many times.
    ///
    /// - Returns: the number that it prints.
    func run(_ command: String, count: Int = 1) throws -> Double {
        let bytes = Array("\(command) \(count)\n".utf8)
        guard commands.writeSome(of: bytes[...]) == bytes.count, let number = Double(try line()) else {
            throw BenchError(what: "Java can't do \(command)")
        }
        return number
    }

    /// Returns the seconds that one of so many takes.
    func seconds(_ command: String, count: Int = 1) throws -> Double { try run(command, count: count) / 1e9 }

    private func line() throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            guard answers.readOn(into: &unread) else { throw BenchError(what: "Java's machine ended") }
        }
    }
}
