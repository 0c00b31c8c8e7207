import Foundation
import Glibc
import Testing
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

struct LinuxClockTests {
    @Test(.holds("A17")) func `time since the boot is the clock that counts sleep, CLOCK_BOOTTIME`() {
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

    @Test(.holds("A17")) func `the clocks are the system's`() {
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
        #expect(one.reading().bootName == .none && other.reading().bootName == .none)
        #expect(LinuxClock().reading().bootName == .given)
    }

    @Test(
        .holds("A14"),
        arguments: [
            ("monotonic           0         0\nboottime            0         0\n", BootName.given),
            ("monotonic       86400         0\nboottime            0         0\n", .given),
            ("monotonic           0         0\nboottime        86400         0\n", .none),
            ("monotonic           0         0\nboottime            0         1\n", .none),
            ("monotonic           0         0\nboottime           -1         0\n", .none),
            ("monotonic           0         0\n", .none), ("boottime 0", .none), ("", .none),
            (String(repeating: "boottime 0 0\n", count: 1_000), .none),
        ]
    )
    func `a boot time that a time namespace shifts is not believed, so the boot has no name`(
        offsets: String,
        name: BootName
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write(Array(offsets.utf8), to: "timens_offsets")
        #expect(LinuxClock(processFolder: folder.path).reading().bootName == name)
        let other = LinuxClock(processFolder: folder.path).reading().bootID
        #expect((LinuxClock(processFolder: folder.path).reading().bootID == other) == (name == .given))
    }

    @Test(.holds("A14")) func `offsets that are only its children's say nothing of a process's own boot time`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("boottime 0 0\n".utf8), to: "timens_offsets")
        try FileManager.default.createDirectory(atPath: folder.file("ns"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.file("ns/time"), withDestinationPath: "time:[1]")
        let children = folder.file("ns/time_for_children")
        try FileManager.default.createSymbolicLink(atPath: children, withDestinationPath: "time:[2]")
        #expect(LinuxClock(processFolder: folder.path).reading().bootName == .none)
        try FileManager.default.removeItem(atPath: children)
        try FileManager.default.createSymbolicLink(atPath: children, withDestinationPath: "time:[1]")
        #expect(LinuxClock(processFolder: folder.path).reading().bootName == .given)
    }

    @Test func `a kernel that knows no time namespaces shifts no clock`() throws {
        let folder = try TemporaryFolder()
        #expect(LinuxClock(processFolder: folder.path).reading().bootName == .given)
    }
}
