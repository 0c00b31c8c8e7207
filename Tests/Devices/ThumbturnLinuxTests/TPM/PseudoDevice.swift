import Foundation
import Glibc
import ThumbturnTestKit

/// A device file that a TPM answers at, as the kernel offers one: the end of a terminal that passes bytes on as they are.
final class PseudoDevice: Sendable {
    let path: String
    private let (master, keeper): (CInt, CInt)

    init(before tpm: SoftwareTPM) throws {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // `TIOCSPTLCK` and `TIOCGPTN`, which are no constants to Swift: unlocks the other end, and tells its number.
        var (lock, number) = (CInt(0), CInt(0))
        guard master >= 0, unsafe ioctl(master, 0x4004_5431, &lock) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw SoftwareTPM.Failure(description: "no terminal") }
        path = "/dev/pts/\(number)"
        // While one is open, the other end is not hung up.
        let keeper = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        (self.master, self.keeper) = (master, keeper)
        var settings = termios()
        guard keeper >= 0, unsafe tcgetattr(keeper, &settings) == 0 else {
            throw SoftwareTPM.Failure(description: "no terminal")
        }
        unsafe cfmakeraw(&settings)
        unsafe tcsetattr(keeper, TCSANOW, &settings)
        Thread.detachNewThread {
            while let command = readFrame(master) {
                guard let server = try? SoftwareTPM.connect(tpm.socket) else { return }
                defer { close(server) }
                guard unsafe send(server, command, command.count, CInt(MSG_NOSIGNAL)) == command.count,
                    let answer = readFrame(server), unsafe write(master, answer, answer.count) == answer.count
                else { return }
            }
            close(master)
        }
    }

    // The thread's read ends with the last file that is open at this end.
    deinit { close(keeper) }

    /// The files of this process that are open there, but for our own.
    func openFiles() throws -> [CInt] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }.filter {
            $0 != keeper
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
    }
}
