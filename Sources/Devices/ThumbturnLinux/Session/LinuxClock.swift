// An optimised build may attribute `timespec` to this module, whose headers include it as well.
import CSDBus
import Glibc
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// The clocks of Linux: wall time, and the time since boot, which includes sleep.
///
/// `CLOCK_MONOTONIC` stops during sleep, so it is not used (A17).
struct LinuxClock: Sendable {
    private let boot: Identifier
    private let read: @Sendable (clockid_t) -> timespec

    /// Reads this boot's name from the kernel.
    ///
    /// If it is unavailable, or a time namespace shifts boot time, each process gets an unnamed boot of its own, which
    /// requires the strong factor and in which no waiting time passes.
    ///
    /// Root, or an attacker who runs the process in their own mount namespace, can mount another file over the name;
    /// hibernation leaves the name unchanged.
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

    /// Reads the boot's name, a UUID: 32 digits, four hyphens and a line end.
    private static func boot(in file: String) -> Identifier? {
        guard let text = try? Descriptor.contents(ofSystemFile: file, upTo: 64) else { return nil }
        return Identifier(text: String(decoding: text.filter { $0 != UInt8(ascii: "-") && $0 != 10 }, as: UTF8.self))
    }
}
