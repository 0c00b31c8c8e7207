import Darwin
import StandIn
import Testing

@Suite(.serialized) struct ClockTests {
    @Test func `the monotonic clocks count sleep, the uptime clock does not [apple-src]`() {
        let phone = Phone.start()
        func read() -> [UInt64] {
            [CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_UPTIME_RAW].map { clock_gettime_nsec_np($0) }
        }
        let before = read()
        phone.pass(milliseconds: 1_000)
        phone.pass(milliseconds: 5_000, asleep: true)
        let spans = zip(read(), before).map { $0 - $1 }
        #expect(spans == [6_000_000_000, 6_000_000_000, 6_000_000_000, 1_000_000_000])
    }

    @Test func `setting the clock moves the wall alone, and the boot time with it [apple-src]`() {
        let phone = Phone.start()
        let (monotonic, boot) = (clock_gettime_nsec_np(CLOCK_MONOTONIC), bootTime())
        phone.moveWallClock(byMilliseconds: 60_000)
        #expect(clock_gettime_nsec_np(CLOCK_MONOTONIC) == monotonic)
        #expect(bootTime() - boot == 60)
    }

    @Test func `a reboot starts the monotonic clock again, under another name`() {
        let phone = Phone.start()
        let (monotonic, session) = (clock_gettime_nsec_np(CLOCK_MONOTONIC), bootSession())
        phone.reboot()
        #expect(clock_gettime_nsec_np(CLOCK_MONOTONIC) < monotonic)
        #expect(bootSession() != session)
        #expect(bootSession().utf8.count == 36)
    }

    @Test func `a reading has seconds and nanoseconds`() {
        Phone.start().moveWallClock(byMilliseconds: 1_500)
        var time = timespec()
        #expect(unsafe clock_gettime(CLOCK_REALTIME, &time) == 0)
        #expect(time.tv_sec == 1_767_225_601)
        #expect(time.tv_nsec == 500_000_000)
        #expect(unsafe clock_gettime(clockid_t(99), &time) == -1)
    }

    @Test func `an unknown name and a short buffer are refused`() {
        Phone.start()
        var count = 4
        var buffer = [UInt8](repeating: 0, count: 4)
        #expect(unsafe sysctlbyname("kern.unknown", nil, &count, nil, 0) == -1)
        #expect(unsafe sysctlbyname("kern.bootsessionuuid", &buffer, &count, nil, 0) == -1)
        #expect(count == 37)
    }

    private func bootTime() -> Int {
        var time = timeval()
        var count = MemoryLayout<timeval>.size
        guard unsafe sysctlbyname("kern.boottime", &time, &count, nil, 0) == 0 else { return 0 }
        return time.tv_sec
    }

    private func bootSession() -> String {
        var text = [UInt8](repeating: 0, count: 37)
        var count = text.count
        guard unsafe sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else { return "" }
        return String(decoding: text.dropLast(), as: UTF8.self)
    }
}
