import Foundation
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

    @Test("inactive comes before the background, and active after it", .holds("A37"))
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

    @Test("a change of who is enrolled is told where the system tells it", .holds("INV-107-07"))
    func enrolment() async throws {
        let app = try await App.installed()
        #expect(await events(app, 1) { $0.changeEnrolment() } == [.biometryChanged])
    }

    @Test func `who stops listening is told nothing more, and costs nothing`() async throws {
        let app = try await App.installed()
        let listening = Task { for await _ in app.device.events() {} }
        for _ in 0..<100 { await Task.yield() }
        listening.cancel()
        await listening.value
        app.phone.enterBackground()
        #expect(app.phone.activityCount == 0, "nobody is left who needs time in the background")
        app.phone.enterForeground()
        let stream = app.device.events()
        app.phone.enterBackground()
        #expect(app.phone.activityCount == 1, "somebody listens again")
        withExtendedLifetime(stream) {}
    }

    @Test(
        "a vault that follows its phone is covered when it leaves, and locked when the phone is",
        .holds("A37", "C17")
    )
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

    // iOS: what is suspended keeps its memory.

    @Test(
        "an app that leaves is not suspended before its listener has done what the end of its time asks for",
        .holds("C17")
    )
    func suspension() async throws {
        let app = try await App.installed()
        let stream = app.device.events()
        app.phone.enterBackground()
        #expect(app.phone.activityCount == 1)
        var events = stream.makeAsyncIterator()
        for expected in [DeviceEvent.becameInactive, .enteredBackground] { #expect(await events.next() == expected) }
        let suspended = Signpost()
        let suspending = Task {
            await onThread {
                app.phone.suspend(); suspended.pass()
            }
        }
        #expect(await events.next() == .suspending)
        #expect(await !suspended.isPassedSoon, "the listener has not answered yet")
        app.phone.enterForeground()
        #expect(await events.next() == .becameActive)
        await suspending.value
        #expect(app.phone.activityCount == 0 && app.phone.kills.isEmpty)
    }

    @Test("the wallet's policy keeps the session in the background, and no suspended app has its key", .holds("C17"))
    func suspendedVault() async throws {
        let app = try await App.installed().listening()
        let vault = try await app.makeVault()
        try await app.following(vault) {
            app.phone.enterBackground()
            await vault.comes { $0.isCovered }
            #expect(await vault.holdsKey)
            await onThread { app.phone.suspend() }
            #expect(await !vault.holdsKey)
            #expect(app.phone.activityCount == 0 && app.phone.kills.isEmpty)
            app.phone.enterForeground()
            await vault.comes { !$0.isCovered }
            try await vault.unlockWithPIN()
            #expect(try await vault.isWhole)
        }
    }

    @Test("who is back in time finds the vault open, and the app stays no longer than it has to", .holds("C17"))
    func backInTime() async throws {
        let app = try await App.installed().listening()
        let vault = try await app.makeVault()
        try await app.following(vault) {
            app.phone.enterBackground()
            await vault.comes { $0.isCovered }
            app.phone.enterForeground()
            #expect(app.phone.waitForActivities())
            await vault.comes { !$0.isCovered }
            let isWhole = try await vault.isWhole
            #expect(isWhole)
        }
    }

    @Test("the inactivity limit locks in the background too, while the app stays", .holds("C17"))
    func limit() async throws {
        let app = try await App.installed().listening()
        let vault = try await app.makeVault()
        try await app.following(vault) {
            app.phone.enterBackground()
            await vault.comes { $0.isCovered }
            app.phone.pass(milliseconds: app.policy.locksAfterIdle.count + 1)
            await vault.lockIfIdle()
            #expect(await !vault.holdsKey)
            #expect(app.phone.activityCount == 1)
            await onThread { app.phone.suspend() }
            #expect(app.phone.kills.isEmpty)
        }
    }

    @Test("where the system lets no app stay, the vault locks as it leaves", .holds("C17"))
    func noTime() async throws {
        let app = try await App.installed().listening()
        app.phone.quirks.letsAppsStay = false
        let vault = try await app.makeVault()
        try await app.following(vault) {
            app.phone.enterBackground()
            await vault.comes { $0.state == .locked }
            #expect(await !vault.holdsKey)
        }
    }

    @Test("an unlock that is under way when time is up opens nothing", .holds("A36"))
    func suspendedUnlock() async throws {
        let app = try await App.installed().listening()
        let vault = try await app.makeVault()
        await vault.lock()
        try await app.following(vault) {
            app.phone.script(
                .meanwhile { phone in
                    phone.enterBackground()
                    phone.suspend()
                },
                .agrees
            )
            #expect(await app.failure { try await vault.unlockWithFinger() } != nil)
            #expect(await !vault.holdsKey)
        }
    }

    @Test func `nobody waits for a listener who has left, or longer than was said`() async throws {
        let post = EventPost()
        post.tellAndWait(.suspending, until: Date())
        let waiting = Task { await onThread { post.tellAndWait(.suspending) } }
        #expect(await post.next() == .suspending)
        #expect(await post.next() == .suspending)
        post.close()
        await waiting.value
        post.tellAndWait(.suspending)
        #expect(await post.next() == nil)
    }

    // macOS: the keychain stays readable, and the app runs.

    @Test(
        "a Mac that sleeps, turns its screen off or locks it, or is another user's, says so",
        .holds("C17"),
        arguments: MacEvent.allCases
    )
    func mac(event: MacEvent) async throws {
        let app = try await App.installed(PhoneSetup(kind: .mac, sensor: .touchID))
        for isInFront in [true, false] {
            let stream = AppleEvents.stream(Notice.mac(patience: 0))
            // What other processes say is held back from an app that is not in front.
            if !isInFront { app.phone.resignActive() }
            app.phone.happen(event)
            var events = stream.makeAsyncIterator()
            #expect(await events.next() == .protectedDataLeaving)
        }
    }

    @Test("a Mac does not sleep before its listener has done what that asks for, or has had its time", .holds("C17"))
    func macSleep() async throws {
        let app = try await App.installed(PhoneSetup(kind: .mac, sensor: .touchID))
        var events = AppleEvents.stream(Notice.mac(patience: 600)).makeAsyncIterator()
        let asleep = Signpost()
        let sleeping = Task {
            await onThread {
                app.phone.happen(.sleeps); asleep.pass()
            }
        }
        #expect(await events.next() == .protectedDataLeaving)
        #expect(await !asleep.isPassedSoon)
        app.phone.changeEnrolment()
        #expect(await events.next() == .biometryChanged)
        await sleeping.value
    }

    @Test(
        "a Mac goes to sleep without a key, and locks its vault whenever its owner turns away",
        .holds("C17"),
        arguments: MacEvent.allCases
    )
    func macVault(event: MacEvent) async throws {
        let app = try await App.installed(PhoneSetup(kind: .mac, sensor: .touchID))
            .hearing(AppleEvents.stream(Notice.mac(patience: 60)))
        let vault = try await app.makeVault()
        try await app.following(vault) {
            await onThread { app.phone.happen(event) }
            // Sleep alone waits.
            if event != .sleeps { await vault.comes { $0.state == .locked } }
            #expect(await !vault.holdsKey)
        }
    }
}

/// Tells whether a thread has come by.
private final class Signpost: @unchecked Sendable {
    // Safe to share: `lock` guards the variable.
    private let lock = NSLock()
    private var isPassed = false

    func pass() { lock.withLock { isPassed = true } }

    /// Whether it does within many turns of the tasks; who is held up by nothing needs a few.
    var isPassedSoon: Bool {
        get async {
            for _ in 1...2_000 where !lock.withLock({ isPassed }) { await Task.yield() }
            return lock.withLock { isPassed }
        }
    }
}

/// Blocks a thread, and none of those that tasks share.
private func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            body()
            continuation.resume()
        }
    }
}

extension App {
    /// The same app, which is told these events.
    fileprivate func hearing(_ events: AsyncStream<DeviceEvent>) -> App {
        let heard = Device(
            kind: device.kind,
            store: device.store,
            prompt: device.prompt,
            anchor: device.anchor,
            clock: device.clock,
            installation: device.installation,
            events: { events }
        )
        return App(container: container, carrier: carrier, device: heard)
    }

    /// The same app, which is told everything from now on, and once.
    fileprivate func listening() -> App { hearing(device.events()) }

    /// Runs `body` while the vault follows its phone, and closes the vault: what it still wrote would land on the next test's.
    fileprivate func following(_ vault: Vault, _ body: () async throws -> Void) async throws {
        let following = Task { await vault.followDevice() }
        try await body()
        following.cancel()
        await following.value
        await vault.close()
    }
}

extension Vault {
    /// Waits until the vault shows what is asked for.
    fileprivate func comes(_ isSo: (VaultSnapshot) -> Bool) async {
        for await snapshot in snapshots() where isSo(snapshot) { return }
    }
}
