import Glibc
import ThumbturnConsole
import ThumbturnFiles

/// The keeper's process, and this end of its pipe.
final class Keeper: Sendable {
    /// Whether the account service is installed.
    let hasService: Bool
    private let process: pid_t
    /// Its standard input and output; locked from a question to its answer.
    private let lines: Monitor<Int32>

    /// Starts the keeper on a folder, which it removes at its end.
    ///
    /// - Parameter program: the path of this program.
    init(_ program: String, on folder: String) throws(Failure) {
        let service = ServiceProcess.program(beside: program)
        let pair = try SocketPair()
        defer { close(pair.theirs) }
        do throws(Failure) {
            process = try RunningChild.start(
                program,
                [KeeperFace.word, folder] + (service.map { [$0] } ?? []),
                environment: ["SWIFT_BACKTRACE=enable=no"],
                descriptors: [(pair.theirs, 0), (pair.theirs, 1)]
            )
        } catch {
            close(pair.ours)
            throw error
        }
        hasService = service != nil
        lines = Monitor(pair.ours)
    }

    /// Ends the account service, and starts one without accounts.
    ///
    /// - Returns: its address; `nil` if it could not be started.
    func renewService() -> String? {
        let answer = lines.change { lines in
            lines.writeAll([UInt8(ascii: "\n")]) ? LineReader(lines).next() : nil
        }
        guard let answer, !answer.isEmpty else { return nil }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Ends the service, and removes the folder.
    func end() {
        lines.change { lines in
            _ = shutdown(lines, Int32(SHUT_WR))
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            close(lines)
        }
    }
}
