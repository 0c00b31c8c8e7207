import StandIn
import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnApple

@Suite("What Apple's systems tell an app", .serialized)
struct EventsTests {
    /// What is told while `body` lets something happen.
    private func events(_ app: App, _ count: Int, _ body: (Phone) -> Void) async -> [DeviceEvent] {
        let stream = app.device.events()
        body(app.phone)
        var told: [DeviceEvent] = []
        for await event in stream {
            told.append(event)
            if told.count == count { break }
        }
        return told
    }

    @Test("A37: inactive comes before the background, and active after it")
    func order() async throws {
        let app = try await App.installed()
        let told = await events(app, 3) { phone in
            phone.enterBackground()
            phone.enterForeground()
        }
        #expect(told == [.becameInactive, .enteredBackground, .becameActive])
    }

    @Test func `a phone that is being locked says so before the keys go`() async throws {
        let app = try await App.installed()
        #expect(
            await events(app, 3) { $0.lockScreen() } == [.becameInactive, .enteredBackground, .protectedDataLeaving]
        )
    }

    @Test("INV-107-07: a change of who is enrolled is told where the system tells it")
    func enrolment() async throws {
        let app = try await App.installed()
        #expect(await events(app, 1) { $0.changeEnrolment() } == [.biometryChanged])
    }

    @Test func `who stops listening is told nothing more, and costs nothing`() async throws {
        let app = try await App.installed()
        let listening = Task {
            var count = 0
            for await _ in app.device.events() { count += 1 }
            return count
        }
        for _ in 0..<100 { await Task.yield() }
        listening.cancel()
        let heard = await listening.value
        app.phone.enterBackground()
        app.phone.changeEnrolment()
        #expect(heard == 0)
    }

    @Test("A37, C17: a vault that follows its phone is covered when it leaves, and locked when the phone is")
    func vault() async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault()
        let following = Task { await vault.followDevice() }
        let snapshots = await vault.snapshots()
        for _ in 0..<1_000 { await Task.yield() }
        app.phone.enterBackground()
        for await snapshot in snapshots where snapshot.isCovered {
            #expect(snapshot.state == .unlocked(.full))
            break
        }
        app.phone.lockScreen()
        app.phone.unlockScreen()
        for await snapshot in await vault.snapshots() where snapshot.state == .locked { break }
        following.cancel()
        await following.value
        await vault.close()  // What it still wrote would land on the next test's phone.
    }
}
