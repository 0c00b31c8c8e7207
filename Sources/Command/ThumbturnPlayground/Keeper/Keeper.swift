import Glibc
import ThumbturnConsole
import ThumbturnFiles

/// The keeper's process, and this end of its pipe.
final class Keeper: Sendable {
    /// Whether the account service is installed.
    let hasService: Bool
    /// The path of the folder of all of the playground's files, which the keeper made and removes at its end.
    let folder: String
    private let process: pid_t
    /// Its standard input and output; locked from a question to its answer.
    private let lines: Monitor<Int32>

    /// Starts the keeper.
    ///
    /// - Parameter program: the path of this program.
    init(_ program: String) throws(Failure) {
        let service = ServiceProcess.program(beside: program)
        let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
        let pair = try SocketPair()
        defer { close(pair.theirs) }
        do throws(Failure) {
            process = try RunningChild.start(
                program,
                [KeeperFace.word] + (service.map { [$0] } ?? []),
                environment: ["SWIFT_BACKTRACE=enable=no"] + (temporary.map { ["TMPDIR=" + $0] } ?? []),
                descriptors: [(pair.theirs, 0), (pair.theirs, 1)]
            )
        } catch {
            close(pair.ours)
            throw error
        }
        hasService = service != nil
        folder = String(decoding: LineReader(pair.ours).next() ?? [], as: UTF8.self)
        lines = Monitor(pair.ours)
        guard !folder.isEmpty else {
            end()
            throw Failure(.storageUnavailable)
        }
    }

    /// Ends the account service, and starts one without accounts.
    ///
    /// - Parameter use: given its address before another call can end that service.
    /// - Returns: whether it could be started.
    func renewService(_ use: (String) -> Void) -> Bool { ask("", use) }

    /// Takes the account service away, or brings it back.
    ///
    /// - Parameter use: called before another call can do so.
    /// - Returns: whether there was one, and it came back.
    func moveService(_ word: ServiceWord, _ use: () -> Void) -> Bool { ask(word.rawValue) { _ in use() } }

    private func ask(_ line: String, _ use: (String) -> Void) -> Bool {
        lines.change { lines in
            guard lines.writeAll(Array(line.utf8) + [UInt8(ascii: "\n")]), let answer = LineReader(lines).next(),
                !answer.isEmpty
            else { return false }
            use(String(decoding: answer, as: UTF8.self))
            return true
        }
    }

    /// Ends the service, and removes the folder.
    func end() {
        lines.change { lines in
            _ = shutdown(lines, Int32(SHUT_WR))
            var status: Int32 = 0
            while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
            close(lines)
        }
        // In case it was killed.
        if !folder.isEmpty { Folders.remove(folder) }
    }
}
