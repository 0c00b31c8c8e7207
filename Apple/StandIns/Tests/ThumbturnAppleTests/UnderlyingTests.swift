import Foundation
import StandIn
import Testing
import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("The system's number in a vault's error", .serialized)
struct UnderlyingTests {
    private func error(_ body: () async throws -> Void) async -> VaultError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? VaultError
        }
    }

    private static let ends: [(Int, DeviceRefusal.Meaning, ErrorCode)] = [
        (-2, .cancelledByUser(afterMismatch: false), .promptCancelled), (-4, .cancelledBySystem, .promptCancelled),
        (-1, .notRecognised, .biometricsNotRecognised), (-8, .lockedOut, .strongFactorRequired),
        (-3, .fallbackChosen, .strongFactorRequired),
    ]

    @Test(
        "a prompt's end is told with its number: two cancels, a mismatch and a lockout are four",
        .holds("B-03", "C7"),
        arguments: ends
    )
    func prompt(code: Int, kind: DeviceRefusal.Meaning, expected: ErrorCode) async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault()
        await vault.lock()
        app.phone.fail(.evaluate, .refuses(code))
        let failure = try #require(await error { try await vault.unlockWithFinger() })
        #expect(failure.underlying == UnderlyingCode(.localAuthentication, code))
        #expect(failure.refusal == kind && failure.code == expected)
    }

    @Test(
        "-25293 after a prompt that passed is no absence: nothing is deleted, and the PIN opens",
        .holds("C16", "A25")
    )
    func authFailed() async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault()
        await vault.lock()
        app.phone.changeEnrolment {
            $0.revokedStatus = -25_293
            $0.revokedRowVanishes = false
        }
        let rows = app.phone.itemRows.count
        app.phone.forgetCalls()
        _ = await error { try await vault.unlockWithFinger() }
        #expect(app.phone.itemRows.count == rows && !app.phone.calls.contains(.itemDelete))
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
    }

    @Test("a device that is locked says so by its number")
    func locked() async throws {
        let app = try await App.installed()
        try await app.makeVault().close()
        app.phone.reboot()
        app.phone.prewarm()
        app.phone.quirks.classLockedStatus = -25_308
        let early = try await app.relaunched()
        let failure = try #require(await error { _ = try await early.openVault() })
        #expect(failure.code == .storageUnavailable)
        #expect(failure.underlying == UnderlyingCode(.osStatus, -25_308))
    }
}
