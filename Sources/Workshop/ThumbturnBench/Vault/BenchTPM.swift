import Glibc
import ThumbturnConsole

/// A TPM that is a program, with a state of its own; it ends with `stop`.
final class BenchTPM {
    /// The transport in tpm2-tss's words.
    let tcti: String
    private let folder: String
    private var child: RunningChild?

    /// Starts one; returns once it listens.
    ///
    /// Its state lies in memory: a chip does not wait for our disk, and the mood of that would be most of the figure.
    init() throws {
        folder = try Folders.makeTemporary("thumbturn-bench", in: "/dev/shm")
        tcti = "swtpm:path=\(folder)/t"
        child = try RunningChild(
            "/usr/bin/swtpm",
            [
                "socket", "--tpm2", "--tpmstate", "dir=\(folder)", "--server", "type=unixio,path=\(folder)/t",
                "--ctrl", "type=unixio,path=\(folder)/t.ctrl", "--flags", "not-need-init,startup-clear",
                // On a pipe that nobody reads it would wait some day.
                "--log", "file=\(folder)/log",
            ],
            environment: [],
            hasSecrets: false
        )
        // Both, because tpm2-tss keeps the first connection where the second one fails, and swtpm serves one at a time.
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

/// Asks again until something of another process is so, for 20 seconds.
func eventually(_ otherwise: String, _ isSo: () -> Bool) throws {
    let end = monotonicSeconds() + 20
    while !isSo() {
        guard monotonicSeconds() < end else { throw BenchError(what: otherwise) }
        usleep(2_000)
    }
}

enum UnixSocket {
    /// A connection to a socket; nil when nobody listens there.
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
