import Foundation
import Glibc
import Testing
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

struct LinuxClockTests {
    @Test func `A17: time since the boot is the clock that counts sleep, CLOCK_BOOTTIME`() {
        let clock = LinuxClock { clock in
            switch clock {
            case CLOCK_BOOTTIME: timespec(tv_sec: 7, tv_nsec: 8_999_999)
            case CLOCK_REALTIME: timespec(tv_sec: 1_000_000, tv_nsec: 1_000_000)
            default: timespec()
            }
        }
        #expect(clock.reading().boottime == Milliseconds(7_008))
        #expect(clock.reading().wall == Milliseconds(1_000_000_001))
    }

    @Test func `A17: the clocks are the system's`() {
        func now(_ clock: clockid_t) -> Int64 {
            let time = LinuxClock.system(clock)
            return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        }
        let before = (now(CLOCK_BOOTTIME), now(CLOCK_REALTIME))
        let reading = LinuxClock().reading()
        let after = (now(CLOCK_BOOTTIME), now(CLOCK_REALTIME))
        #expect((before.0...after.0).contains(reading.boottime.count))
        #expect((before.1...after.1).contains(reading.wall.count))
    }

    @Test func `a boot has the kernel's name for it`() throws {
        let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        let digits = text.filter(\.isHexDigit)
        #expect(LinuxClock().reading().bootID.text == digits)
        #expect(LinuxClock().reading().bootID == LinuxClock().reading().bootID)
    }

    @Test(arguments: ["", "no name", "0000-0000", String(repeating: "0", count: 33)])
    func `without a name each process has a boot of its own, and keeps it`(contents: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(contents.utf8), to: "boot_id")
        let (one, other) = (
            LinuxClock(bootFile: folder.file("boot_id")), LinuxClock(bootFile: folder.file("missing"))
        )
        #expect(one.reading().bootID == one.reading().bootID)
        #expect(one.reading().bootID != LinuxClock(bootFile: folder.file("boot_id")).reading().bootID)
        #expect(other.reading().bootID != one.reading().bootID)
    }
}
