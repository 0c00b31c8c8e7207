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
    /// - Parameters:
    ///   - program: the path of this program.
    ///   - service: the address of the account service, for a phone whose app has an account.
    init(_ program: String, on folder: String, service: String?) throws(Failure) {
        let (lines, secrets) = (try SocketPair(), try SocketPair())
        defer {
            close(lines.theirs)
            close(secrets.theirs)
        }
        do throws(Failure) {
            process = try RunningChild.start(
                program,
                [PhoneFace.word, folder] + (service.map { [$0] } ?? []),
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
}
