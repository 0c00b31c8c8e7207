import Glibc
import ThumbturnConsole

/// Two ends of a pipe that goes both ways; no other child inherits them.
struct SocketPair {
    let ours: Int32
    let theirs: Int32

    init() throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(errno: errno, Words("pipe"))
        }
        (ours, theirs) = (ends[0], ends[1])
    }
}
