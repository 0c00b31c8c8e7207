// An optimised build may say that `timespec` is of this module, whose headers include it as well.
import CSDBus
import Glibc
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// The clocks of Linux: the wall's, and the one since this boot, which counts sleep.
///
/// `CLOCK_MONOTONIC` stops in sleep, so it does not serve (A17).
struct LinuxClock: Sendable {
    private let boot: Identifier
    private let read: @Sendable (clockid_t) -> timespec

    /// Takes this boot's name from the kernel; where it isn't told, or a time namespace shifts boot time, each process has a
    /// boot of its own without a name, which asks for the strong factor and in which nothing is waited.
    ///
    /// The superuser, or who runs the process in a mount namespace of his, can put another file over the name, and
    /// hibernation leaves it as it is.
    init(
        bootFile: String = "/proc/sys/kernel/random/boot_id",
        processFolder: String = "/proc/self",
        read: @escaping @Sendable (clockid_t) -> timespec = LinuxClock.system
    ) {
        let name = TimeNamespace(of: processFolder).isBelieved ? Self.boot(in: bootFile) : nil
        boot = name ?? .unnamedBoot(Identifier.make().low)
        self.read = read
    }

    func reading() -> ClockReading {
        ClockReading(
            wall: Self.milliseconds(read(CLOCK_REALTIME)),
            boottime: Self.milliseconds(read(CLOCK_BOOTTIME)),
            bootID: boot
        )
    }

    static func system(_ clock: clockid_t) -> timespec {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time
    }

    private static func milliseconds(_ time: timespec) -> Milliseconds {
        Milliseconds(Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The kernel writes the name as a UUID: 32 digits, four hyphens and the end of a line.
    private static func boot(in file: String) -> Identifier? {
        guard let text = try? Descriptor.contents(ofSystemFile: file, upTo: 64) else { return nil }
        return Identifier(text: String(decoding: text.filter { $0 != UInt8(ascii: "-") && $0 != 10 }, as: UTF8.self))
    }
}
