import Glibc
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnFiles

/// The phone's process, and this end of its pipes.
struct PhoneProcess: Sendable {
    let process: pid_t
    /// Its standard input and output, both ways in one.
    let lines: Int32
    let secrets: SecretPipe

    /// Starts the phone on a folder.
    ///
    /// - Parameter program: the path of this program.
    init(_ program: String, on folder: String) throws(Failure) {
        let (lines, secrets) = (try Self.pair(), try Self.pair())
        defer {
            close(lines.theirs)
            close(secrets.theirs)
        }
        do throws(Failure) {
            process = try RunningChild.start(
                program,
                [PhoneFace.word, folder],
                // Nothing of ours, and no backtrace, which would print the memory behind registers.
                environment: ["SWIFT_BACKTRACE=enable=no"],
                descriptors: [(lines.theirs, 0), (lines.theirs, 1), (secrets.theirs, 3)]
            )
        } catch {
            close(lines.ours)
            close(secrets.ours)
            throw error
        }
        self.lines = lines.ours
        self.secrets = SecretPipe(descriptor: secrets.ours)
    }

    /// Kills it at once.
    func killNow() { kill(process, SIGKILL) }

    /// Tells it that nothing more comes; it then ends by itself.
    func hangUp() { shutdown(lines, Int32(SHUT_WR)) }

    /// Waits for its end, and closes the pipes.
    func reap() {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        close(lines)
        close(secrets.descriptor)
    }

    private static func pair() throws(Failure) -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(errno: errno, Words("pipe"))
        }
        return (ends[0], ends[1])
    }
}
