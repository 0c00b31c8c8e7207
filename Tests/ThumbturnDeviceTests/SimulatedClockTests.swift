import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

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

    @Test(.holds("A17")) func `in a folder the clocks are the real ones, and the one since boot counts sleep`() throws {
        let folder = try TemporaryFolder()
        let device = try SimulatedDevice(folder: folder.devicePath)
        #if canImport(Glibc)
        let boot = CLOCK_BOOTTIME
        #else
        let boot = CLOCK_MONOTONIC_RAW
        #endif
        let before = (wall: milliseconds(CLOCK_REALTIME), boot: milliseconds(boot))
        let reading = device.device.clock()
        let after = (wall: milliseconds(CLOCK_REALTIME), boot: milliseconds(boot))
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
