import StandIn
import SwiftUI
import Testing
import Thumbturn
import ThumbturnTestKit
import ThumbturnUI

@testable import WalletApp

@MainActor @Suite("The example app", .timeLimit(.minutes(2)))
struct WalletAppTests {
    private static let pin = "480295"

    @Test(.holds("B-02")) func `it makes a vault with PIN and finger, locks it, and opens it with one prompt`()
        async throws
    {
        let container = try TemporaryFolder()
        let window = try await firstStart(in: container)
        try window.tap("Enable")
        try await wait(for: window) { $0.contains("[Settings]") }
        try window.tap("New wallet")
        try await wait(for: window) { $0.contains("Wallet 1") }

        try window.tap("Lock")
        try await wait(for: window) { $0.contains("Locked") }
        #expect(!window.screen.contains("Wallet 1"))
        // After a lock by hand nothing prompts by itself.
        try window.tap("Unlock with Touch ID")
        try await wait(for: window) { $0.contains("Wallet 1") }

        let restarted = Window(entrance(to: container))
        try await wait(for: restarted) { $0.contains("Wallet 1") }
        window.close()
    }

    @Test(.holds("B-04")) func `biometrics that were skipped are off in the settings`() async throws {
        let container = try TemporaryFolder()
        let window = try await firstStart(in: container)
        try window.tap("Skip")
        try await wait(for: window) { $0.contains("[Settings]") }
        try window.tap("Settings")
        try await wait(for: window) { $0.contains("{Biometric Unlock: off}") }
    }

    @Test func `a PIN that is repeated wrongly, or that anybody would try, is chosen again`() async throws {
        let container = try TemporaryFolder()
        let window = try await opened(in: container)
        try await enter(Self.pin, in: window, until: "Type the new PIN again")
        try await enter("480296", in: window, until: "Choose a new PIN")
        #expect(window.screen.contains(ErrorCode.confirmationDiffers.message(in: .english)))
        try await enter("123456", in: window, until: ErrorCode.secretTooCommon.message(in: .english))
        #expect(window.screen.contains("Choose a new PIN"))
    }

    @Test func `an app that is not signed for its group is told what to add`() async throws {
        Phone.start(PhoneSetup(sensor: .touchID))
        let window = Window(entrance(to: try TemporaryFolder(), signedFor: "OTHER.app"))
        try await wait(for: window) { $0.contains("Keychain Sharing") }
    }

    @Test(.holds("A25")) func `what was started while the phone was locked finds its vault at the return`() async throws
    {
        let container = try TemporaryFolder()
        let first = try await firstStart(in: container)
        try first.tap("Skip")
        try await wait(for: first) { $0.contains("[Settings]") }

        Phone.current.lockScreen()
        let window = Window(entrance(to: container), phase: .background)
        try await wait(for: window) { $0.contains(ErrorCode.storageUnavailable.message(in: .english)) }
        Phone.current.unlockScreen()
        window.phase = .active
        try await wait(for: window) { $0.contains("Locked") }
    }

    @Test func `two windows show one vault`() async throws {
        let container = try TemporaryFolder()
        Phone.start(PhoneSetup(sensor: .touchID))
        let opening = Opening(accessGroup: "TEAM.app", home: container.path)
        let left = Window(Entrance(opening: opening))
        let right = Window(Entrance(opening: opening))
        try await wait(for: left) { $0.contains("Choose a new PIN") }
        let new = try #require(opening.screens.onboarding)
        right.phase = .inactive
        right.phase = .active
        for _ in 0..<100 { await Task.yield() }
        #expect(opening.screens.onboarding === new)
    }

    @Test(.holds("P-107-04")) func `an owner who can't open it erases everything, and starts anew`() async throws {
        let container = try TemporaryFolder()
        let window = try await firstStart(in: container)
        try window.tap("Skip")
        try await wait(for: window) { $0.contains("[Settings]") }
        try window.tap("Lock")
        try await wait(for: window) { $0.contains("[I can't open it]") }
        try window.tap("I can't open it")
        try await wait(for: window) { $0.contains("<Reset wallet: >") }
        try window.type("RESET", into: "Reset wallet")
        try window.tap("Reset wallet")
        try await wait(for: window) { $0.contains("[Create a new wallet]") && !$0.contains("———") }
        try window.tap("Create a new wallet")
        try await wait(for: window) { $0.contains("Choose a new PIN") }
        try await enter(Self.pin, in: window, until: "Type the new PIN again")
        try await enter(Self.pin, in: window, until: "[Skip]")
        try window.tap("Skip")
        try await wait(for: window) { $0.contains("[Settings]") }
    }

    private func entrance(to container: TemporaryFolder, signedFor group: String = "TEAM.app") -> Entrance {
        Entrance(opening: Opening(accessGroup: group, home: container.path))
    }

    /// The first start, up to the question for biometrics.
    private func firstStart(in container: TemporaryFolder) async throws -> Window<Entrance> {
        let window = try await opened(in: container)
        try await enter(Self.pin, in: window, until: "Type the new PIN again")
        try await enter(Self.pin, in: window, until: "[Skip]")
        return window
    }

    private func opened(in container: TemporaryFolder) async throws -> Window<Entrance> {
        Phone.start(PhoneSetup(sensor: .touchID))
        let window = Window(entrance(to: container))
        try await wait(for: window) { $0.contains("Choose a new PIN") }
        return window
    }

    private func enter(_ pin: String, in window: Window<Entrance>, until text: String) async throws {
        for digit in pin { try window.tap(String(digit)) }
        try await wait(for: window) { $0.contains(text) }
    }

    /// Lets everything else run until the screen is as it should be; the suite's time limit is its end.
    private func wait(for window: Window<Entrance>, until isReached: (String) -> Bool) async throws {
        while !isReached(window.screen) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
