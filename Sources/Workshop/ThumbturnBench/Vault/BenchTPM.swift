import CTLS
import Glibc
import ThumbturnConsole

/// A software TPM with its own state, ended by `stop`.
final class BenchTPM {
    /// The transport, in tpm2-tss's syntax.
    let tcti: String
    private let folder: String
    private var child: RunningChild?

    /// Starts a TPM; returns once it is listening.
    ///
    /// Its state is in memory: a chip does not wait for our disk, whose variations would dominate the figure.
    init() throws {
        folder = try Folders.makeTemporary("thumbturn-bench", in: "/dev/shm")
        tcti = "swtpm:path=\(folder)/t"
        child = try RunningChild(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(folder)/t",
                "--ctrl", "type=unixio,path=\(folder)/t.ctrl", "--flags", "not-need-init,startup-clear",
                // A pipe without a reader would eventually block it.
                "--log", "file=\(folder)/log",
            ],
            environment: [],
            hasSecrets: false
        )
        // Check both sockets, because tpm2-tss keeps the first connection if the second one fails, and swtpm serves one
        // at a time.
        for path in [folder + "/t", folder + "/t.ctrl"] {
            try eventually("swtpm does not listen") { UnixSocket.connection(to: path).map { close($0) } != nil }
        }
    }

    func stop() {
        guard let child = child.take() else { return }
        kill(child.process, SIGTERM)
        _ = child.finish()
        Folders.remove(folder)
    }
}

/// Waits up to 20 seconds for a condition in another process.
func eventually(_ otherwise: String, _ isSo: () -> Bool) throws {
    let end = monotonicSeconds() + 20
    while !isSo() {
        guard monotonicSeconds() < end else { throw BenchError(what: otherwise) }
        usleep(2_000)
    }
}

enum UnixSocket {
    /// Connects to a socket; returns `nil` if no process listens there.
    static func connection(to path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8.prefix(107)) }
        let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result == 0 { return file }
        close(file)
        return nil
    }
}
