import Foundation
import StandIn
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("Apple's clocks", .serialized)
struct ClockTests {
    @Test("sleep counts", .holds("A17"))
    func sleep() async throws {
        let app = try await App.installed()
        let start = app.device.clock()
        app.phone.pass(milliseconds: 31 * 60_000, asleep: true)
        #expect(
            ClockReading.relation(from: start, to: app.device.clock())
                == .elapsed(least: .minutes(31), most: .minutes(31))
        )
    }

    @Test("a boot has a name, the same after each launch", .holds("A16"), arguments: [true, false])
    func boots(tellsBootSession: Bool) async throws {
        let app = try await App.installed()
        app.phone.quirks.tellsBootSession = tellsBootSession
        let first = app.device.clock().bootID
        app.phone.pass(milliseconds: 86_400_000)
        #expect(app.device.clock().bootID == first)
        #expect(try await app.relaunched().device.clock().bootID == first)
        app.phone.reboot()
        app.phone.unlockScreen()
        #expect(app.device.clock().bootID != first)
        #expect(try await app.relaunched().device.clock().bootID != first)
    }

    @Test(
        "where the system does not name boots, a clock that was set while nobody looked is taken for one",
        .holds("A14", "A15"),
        arguments: [-86_400_000, -3_000, 3_000, 86_400_000] as [Int64]
    )
    func setBetweenLaunches(span: Int64) async throws {
        let app = try await App.installed()
        app.phone.quirks.tellsBootSession = false
        let first = app.device.clock()
        app.phone.moveWallClock(byMilliseconds: span)
        // In one process it shows as what it is.
        #expect(app.device.clock().bootID == first.bootID)
        #expect(try await app.relaunched().device.clock().bootID != first.bootID)
    }

    @Test("a step of NTP is no boot", .holds("A18"))
    func smallStep() async throws {
        let app = try await App.installed()
        app.phone.quirks.tellsBootSession = false
        let first = app.device.clock().bootID
        for _ in 1...4 {
            app.phone.moveWallClock(byMilliseconds: 1_500)
            #expect(try await app.relaunched().device.clock().bootID == first)
        }
    }

    @Test("a boot and a long wait are a boot all the same", .holds("A16"))
    func rebootAndWait() async throws {
        let app = try await App.installed()
        app.phone.quirks.tellsBootSession = false
        let first = app.device.clock()
        app.phone.reboot()
        app.phone.unlockScreen()
        app.phone.pass(milliseconds: first.boottime.count + 86_400_000)
        #expect(try await app.relaunched().device.clock().bootID != first.bootID)
    }

    @Test("what the last process knew of the boot and is garbled, or can't be kept, is a boot")
    func garbled() async throws {
        let app = try await App.installed()
        app.phone.quirks.tellsBootSession = false
        let first = app.device.clock().bootID
        try app.container.write(Array(repeating: 0, count: 31), to: "app/boot")
        let second = try await app.relaunched().device.clock().bootID
        #expect(second != first)

        try FileManager.default.removeItem(atPath: app.container.file("app/boot"))
        try FileManager.default.createDirectory(
            atPath: app.container.file("app/boot"),
            withIntermediateDirectories: false
        )
        let third = try await app.relaunched().device.clock().bootID
        #expect(third != second)
        #expect(try await app.relaunched().device.clock().bootID != third)
    }
}
