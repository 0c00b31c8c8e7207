import Foundation
import StandIn
import Testing
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnApple

@Suite("The system's prompt", .serialized)
struct PromptTests {
    @Test(
        "one prompt for one read, with the app's words, and none of the keychain's own",
        .holds("C21"),
        arguments: Carrier.allCases
    )
    func onePrompt(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save()
        #expect(await app.refusalOfRead() == nil)
        let expected = Prompt(
            origin: .policy,
            reason: App.text.reason,
            cancelTitle: App.text.cancelTitle,
            fallbackTitle: App.text.fallbackTitle
        )
        #expect(app.phone.prompts == [expected])
    }

    @Test(
        "a prompt that is made to succeed gets nothing",
        .holds("C21", "A29"),
        arguments: [Carrier.enclave, .keychain],
        [AccessControl.currentBiometrySet, .anyBiometryOrPasscode]
    )
    func flippedBoolean(carrier: Carrier, access: AccessControl) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save(1, access)
        app.phone.fail(.evaluate, .claimsSuccess)
        // A yes with room for the passcode looks like that of a watch; neither opens anything.
        #expect(
            await app.refusalOfRead() == (access == .anyBiometryOrPasscode ? .proofNotAccepted : .unclassified)
        )
        // The read that follows may not ask the owner for what was not given.
        #expect(app.phone.promptsShown == 0)
    }

    @Test(
        "a watch that the prompt takes opens no item, and says so",
        .holds("S-06", "A29"),
        arguments: [Carrier.enclave, .keychain]
    )
    func watch(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(sensor: .touchID), carrier)
        try await app.save(1, .anyBiometryOrPasscode)
        app.phone.answer(.watch)
        #expect(await app.refusalOfRead() == .proofNotAccepted)
        #expect(app.phone.promptsShown == 1, "nothing asks once more by itself")
        #expect(await app.refusalOfRead() == nil, "a finger does")
        // A prompt for biometrics alone takes no watch.
        try await app.save(2)
        app.phone.answer(.watch)
        app.phone.answer(.cancel)
        #expect(await app.refusalOfRead(2) == .cancelledByUser(afterMismatch: false))
    }

    @Test("each read asks anew, also right after the phone was unlocked by finger", .holds("C21"))
    func noReuse() async throws {
        let app = try await App.installed(PhoneSetup(sensor: .touchID))
        try await app.save()
        app.phone.lockScreen()
        app.phone.unlockScreen(byBiometry: true)
        app.phone.pass(milliseconds: 1)
        #expect(await app.refusalOfRead() == nil)
        #expect(await app.refusalOfRead() == nil)
        #expect(app.phone.promptsShown == 2)
    }

    @Test func `a second prompt waits for the first, and takes nothing away`() async throws {
        let app = try await App.installed()
        try await app.save(1)
        try await app.save(2)
        app.phone.script(.hesitates)
        async let first = app.refusalOfRead(1)
        await app.untilPrompting()
        async let second = app.refusalOfRead(2)
        // Nobody answers yet, so whoever could get through would have by now.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(app.phone.promptsShown == 1)
        app.phone.answer(.agrees)
        #expect(await first == nil)
        #expect(await second == nil)
        #expect(app.phone.promptsShown == 2)
    }

    @Test func `a task that ends while it waits for its prompt never shows it`() async throws {
        let app = try await App.installed()
        try await app.save(1)
        try await app.save(2)
        app.phone.script(.hesitates)
        let first = Task { await app.refusalOfRead(1) }
        await app.untilPrompting()
        let second = Task { await app.refusalOfRead(2) }
        let third = Task { await app.refusalOfRead(2) }
        for _ in 0..<1_000 { await Task.yield() }
        second.cancel()
        #expect(await second.value == .cancelledBySystem)
        app.phone.answer(.agrees)
        #expect(await first.value == nil)
        #expect(await third.value == nil)
        #expect(app.phone.promptsShown == 2)
    }

    @Test func `a task that ends ends its prompt, and one that has ended shows none`() async throws {
        let app = try await App.installed()
        try await app.save()
        app.phone.script(.hesitates)
        let reading = Task { await app.refusalOfRead() }
        await app.untilPrompting()
        reading.cancel()
        #expect(await reading.value == .cancelledBySystem)
        #expect(!app.phone.isPrompting)

        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await app.refusalOfRead()
        }
        late.cancel()
        #expect(await late.value == .cancelledBySystem)
        #expect(app.phone.promptsShown == 1)
    }

    @Test func `a context that the system has forgotten is replaced once`() async throws {
        let app = try await App.installed()
        try await app.save()
        app.phone.fail(.evaluate, .refuses(-10))
        #expect(await app.refusalOfRead() == nil)
        app.phone.fail(.evaluate, .refuses(-10), times: 2)
        #expect(await app.refusalOfRead() == .readerFailed(afterMismatch: false))
        #expect(app.phone.promptsShown == 1)
    }

    @Test func `a prompt without a reason is our own mistake, and is not shown`() async throws {
        let app = try await App.installed()
        try await app.save()
        let refusal = await app.refusal { () async throws(DeviceRefusal) in
            _ = try await app.device.store.read(app.name(), prompt: PromptText(reason: ""))
        }
        #expect(refusal == .unclassified && app.phone.promptsShown == 0)
    }

    @Test("the permission that iOS asks for at the first use is the owner's to refuse")
    func permission() async throws {
        let app = try await App.installed()
        try await app.save()
        app.phone.permission = .notAsked
        app.phone.script(.cancel)
        #expect(await app.refusalOfRead() == .hardwareMissing)
        #expect(await app.device.prompt.capability().reasonIfUnavailable == .permissionDenied)
    }

    @Test(.timeLimit(.minutes(1))) @MainActor
    func `the keychain is called off the main thread, and holds up no thread that tasks share`() async throws {
        let left = DispatchSemaphore(value: 0)
        let calls = (0..<8).map { _ in
            let keychain = Keychain(accessGroup: App.group)
            return Task {
                await keychain.run { () -> Bool in
                    left.wait()
                    return Thread.isMainThread
                }
            }
        }
        // More calls than tasks have threads wait for what only another task does.
        await Task.detached {
            for _ in 0..<100 { await Task.yield() }
            for _ in 0..<8 { left.signal() }
        }.value
        for call in calls { #expect(await !call.value) }
    }
}

extension App {
    /// Waits until a prompt is up.
    func untilPrompting() async {
        for _ in 0..<1_000_000 where !phone.isPrompting { await Task.yield() }
    }
}
