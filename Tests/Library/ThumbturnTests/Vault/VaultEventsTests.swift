import Testing
import ThumbturnBase
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
@testable import Thumbturn
import ThumbturnTestKit

@Suite("A vault that follows its device")
struct VaultEventsTests {
    @Test("being inactive covers, and locks nothing", .holds("A37"))
    func inactive() async throws {
        let made = try await EventfulVault.make()
        let snapshot = await made.afterwards(.becameInactive)
        #expect(snapshot.isCovered && snapshot.state == .unlocked(.full))
    }

    @Test("the cover is up before anything else that the background asks for", .holds("A37"))
    func coverComesFirst() async throws {
        let made = try await EventfulVault.make(policy: .localPD107)
        let snapshots = await made.vault.snapshots()
        await made.afterwards(.becameInactive, .enteredBackground)
        for await snapshot in snapshots {
            guard snapshot.state != .unlocked(.full) else { continue }
            #expect(snapshot.isCovered)
            break
        }
    }

    @Test("the background locks where the policy says so, and only covers elsewhere", .holds("C17"))
    func background() async throws {
        let wallet = try await EventfulVault.make().afterwards(.enteredBackground)
        #expect(wallet.isCovered && wallet.state == .unlocked(.full))
        let account = try await EventfulVault.make(policy: .localPD107).afterwards(.enteredBackground)
        #expect(account.isCovered && account.state == .locked)
    }

    @Test("a return to the foreground uncovers, and looks at the sensor anew", .holds("B-01"))
    func foreground() async throws {
        let made = try await EventfulVault.make()
        try made.simulated.simulate(.unenroll)
        let snapshot = await made.afterwards(.becameInactive, .becameActive)
        #expect(!snapshot.isCovered)
        #expect(snapshot.capability.reasonIfUnavailable == .notEnrolled)
    }

    @Test("a return after too long away locks before the cover falls", .holds("A37"))
    func lateReturn() async throws {
        let made = try await TestVault.make()
        await made.vault.enterBackground()
        try made.advance(.minutes(6))
        let snapshots = await made.vault.snapshots()
        try await made.vault.enterForeground()
        var wasLocked = false
        for await snapshot in snapshots {
            wasLocked = wasLocked || snapshot.state == .locked
            guard !snapshot.isCovered else { continue }
            #expect(wasLocked)
            break
        }
    }

    @Test("a return that waits for a call under way holds up no event behind it", .holds("A37"))
    func eventsBehindAReturn() async throws {
        let made = try await EventfulVault.make(policy: .localPD107)
        await made.vault.beginCall()
        let snapshots = await made.vault.snapshots()
        async let last = made.afterwards(.becameActive, .enteredBackground)
        for await snapshot in snapshots where snapshot.state == .locked {
            #expect(snapshot.isCovered)
            break
        }
        await made.vault.endCall()
        #expect(await last.isCovered)
    }

    @Test("who is enrolled may change while the app is in front", .holds("INV-107-07"))
    func enrolment() async throws {
        let made = try await EventfulVault.make(biometrics: true)
        try made.simulated.simulate(.enroll)
        #expect(await made.afterwards(.biometryChanged).biometrics == .revoked(.biometricsChanged))
    }

    @Test func `a device that is being locked takes the keys along`() async throws {
        let made = try await EventfulVault.make()
        #expect(await made.afterwards(.protectedDataLeaving).state == .locked)
    }

    @Test(
        "a process that is about to be suspended takes no key along",
        .holds("C17"),
        arguments: [VaultPolicy.wallet, .localPD107]
    )
    func suspension(policy: VaultPolicy) async throws {
        let made = try await EventfulVault.make(policy: policy.allowing(.simulated))
        #expect(await made.afterwards(.becameInactive, .enteredBackground, .suspending).state == .locked)
        #expect(await !made.vault.holdsKey)
    }

    @Test("what another process keeps from being written in the background holds up no suspension", .holds("C17"))
    func suspensionBehindTheBackground() async throws {
        let made = try await EventfulVault.make()
        let other = try ProcessLock(in: made.folder)
        try await other.acquire()
        made.tell(.enteredBackground)
        let following = Task { await made.vault.followDevice() }
        while await !made.vault.isInCall { await Task.yield() }
        made.tell(.suspending)
        // Whoever waits for the other process gives up after some 2,000 turns.
        for _ in 1...500 where await made.vault.holdsKey { await Task.yield() }
        #expect(await !made.vault.holdsKey)
        other.release()
        following.cancel()
        await following.value
    }

    @Test func `a fault at an event ends nothing, and shows at the next call`() async throws {
        let made = try await EventfulVault.make()
        try made.simulated.simulate(.lockDevice)
        let snapshot = await made.afterwards(.becameActive, .biometryChanged, .becameInactive)
        #expect(snapshot.isCovered)
        #expect(made.log.tolerated.count == 2)
        #expect(await refusal { try await made.vault.refresh() } == .storageUnavailable)
    }

    /// Where the events come from the device itself, and not from the test.
    @Test("what happens to a simulated device reaches the vault that follows it", .holds("INV-107-07", "C17"))
    func simulatedDevice() async throws {
        let simulated = SimulatedDevice()
        let stream = simulated.device.events()
        let made = try await TestVault.make(
            policy: .localPD107.allowing(.simulated),
            biometrics: true,
            on: simulated,
            seenAs: simulated.device.telling { stream }
        )
        let snapshots = await made.vault.snapshots()
        let following = Task { await made.vault.followDevice() }
        let story: [(SimulatedEvent, @Sendable (VaultSnapshot) -> Bool)] = [
            (.enroll, { $0.biometrics == .revoked(.biometricsChanged) }),
            (.lockDevice, { $0.state == .locked && $0.isCovered }), (.unlockDevice, { !$0.isCovered }),
            (.background, { $0.isCovered }), (.foreground, { !$0.isCovered }),
        ]
        var shown = snapshots.makeAsyncIterator()
        for (event, isShown) in story {
            try simulated.simulate(event)
            while let snapshot = await shown.next(), !isShown(snapshot) {}
            #expect(await isShown(made.vault.snapshot), "\(event)")
        }
        following.cancel()
        await following.value
    }

    @Test func `a device that tells nothing leaves nothing to follow`() async throws {
        let made = try await TestVault.make()
        await made.vault.followDevice()
        #expect(await made.vault.snapshot.state == .unlocked(.full))
    }
}

/// A vault on a device whose events a test tells.
private struct EventfulVault {
    let simulated: SimulatedDevice
    private let made: TestVault
    private let events: AsyncStream<DeviceEvent>.Continuation

    static func make(policy: VaultPolicy = TestVault.policy, biometrics: Bool = false) async throws -> EventfulVault {
        let simulated = SimulatedDevice()
        let (stream, events) = AsyncStream.makeStream(of: DeviceEvent.self)
        let plain = simulated.device
        let device = Device(
            kind: plain.kind,
            store: plain.store,
            prompt: plain.prompt,
            anchor: plain.anchor,
            clock: plain.clock,
            installation: plain.installation,
            events: { stream }
        )
        let made = try await TestVault.make(policy: policy, biometrics: biometrics, on: simulated, seenAs: device)
        return EventfulVault(simulated: simulated, made: made, events: events)
    }

    var vault: Vault { made.vault }
    var log: EventLog { made.log }
    var folder: String { made.path }

    func tell(_ event: DeviceEvent) { events.yield(event) }

    /// Tells the events, and what the vault looks like once it has done all that they ask for.
    @discardableResult
    func afterwards(_ happened: DeviceEvent...) async -> VaultSnapshot {
        for event in happened { events.yield(event) }
        events.finish()
        await vault.followDevice()
        return await vault.snapshot
    }
}

extension Vault {
    /// Takes the vault as a call that is under way has it, until `endCall`.
    fileprivate func beginCall() async { await taskLock.enter() }

    fileprivate func endCall() { taskLock.leave() }

    fileprivate var isInCall: Bool { taskLock.isHeld }
}
