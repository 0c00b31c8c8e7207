import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnSimulator

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite("The clocks of a simulated device")
struct SimulatedClockTests {
    @Test func `in memory time stands still until it is advanced`() throws {
        let device = SimulatedDevice()
        let start = device.device.clock()
        #expect(device.device.clock() == start)
        try device.simulate("advance 31m")
        let later = device.device.clock()
        #expect(ClockReading.relation(from: start, to: later) == .elapsed(least: .minutes(31), most: .minutes(31)))
    }

    @Test func `in memory a clock that runs passes by itself, and is moved while it does`() async throws {
        let device = SimulatedDevice(clockRuns: true)
        let start = device.device.clock()
        await until { device.device.clock() != start }
        let before = device.device.clock()
        #expect(before.wall > start.wall && before.boottime > start.boottime && before.bootID == start.bootID)
        try device.simulate("advance 31m")
        guard case .elapsed(let least, let most) = ClockReading.relation(from: before, to: device.device.clock()) else {
            Issue.record("the clocks disagree")
            return
        }
        #expect(least >= .minutes(31) && most < .minutes(32))
        try device.simulate("clock -1d")
        #expect(ClockReading.relation(from: before, to: device.device.clock()) == .backward)
        try device.simulate("reboot")
        let booted = device.device.clock()
        #expect(ClockReading.relation(from: before, to: booted) == .rebooted && booted.boottime < .minutes(1))
        await until { device.device.clock().boottime > booted.boottime }
        #expect(device.device.clock().boottime > booted.boottime, "it runs on")
        let copy = device.clone()
        let copied = copy.device.clock()
        await until { copy.device.clock().boottime > copied.boottime }
        #expect(copy.device.clock().boottime > copied.boottime && copied.bootID == booted.bootID)
    }

    @Test(.holds("A17")) func `time since the boot is the clock that counts sleep`() {
        let clocks = HostClocks.now { clock in
            switch clock {
            case Self.countsSleep: timespec(tv_sec: 7, tv_nsec: 8_999_999)
            case CLOCK_REALTIME: timespec(tv_sec: 1_000_000, tv_nsec: 1_000_000)
            default: timespec()
            }
        }
        #expect(clocks == HostClocks(wall: Milliseconds(1_000_000_001), boottime: Milliseconds(7_008)))
    }

    #if canImport(Glibc)
    private static let countsSleep = CLOCK_BOOTTIME
    #else
    private static let countsSleep = CLOCK_MONOTONIC_RAW
    #endif

    @Test(.holds("A17")) func `in a folder the clocks are the real ones`() throws {
        let folder = try TemporaryFolder()
        let device = try SimulatedDevice(folder: folder.devicePath)
        let before = (wall: milliseconds(CLOCK_REALTIME), boot: milliseconds(Self.countsSleep))
        let reading = device.device.clock()
        let after = (wall: milliseconds(CLOCK_REALTIME), boot: milliseconds(Self.countsSleep))
        #expect((before.wall...after.wall).contains(reading.wall.count))
        #expect((before.boot...after.boot).contains(reading.boottime.count))
    }

    @Test func `a folder that is damaged leaves the clocks running as they were last known`() async throws {
        let folder = try TemporaryFolder()
        let device = try SimulatedDevice(folder: folder.devicePath)
        try device.simulate("advance 1d")
        let good = device.device.clock()
        try folder.writeState([])
        let blind = device.device.clock()
        guard case .elapsed(_, let most) = ClockReading.relation(from: good, to: blind) else {
            Issue.record("the clocks jumped")
            return
        }
        #expect(most < .minutes(1))
    }

    private func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
