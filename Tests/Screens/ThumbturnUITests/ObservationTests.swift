import Observation
import Synchronization
import Testing
import Thumbturn
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnUI

@MainActor @Suite("The models that are observed", .waitsEnd)
struct ObservationTests {
    @Test(.holds("P-107-03")) func `a change of the state is told to who read it`() async throws {
        let made = try await TestVault.make()
        let model = AppUnlockModel(made.vault, secret: .pin(length: 6))
        await until { model.screen == .content }
        let changes = Counter()
        withObservationTracking {
            _ = model.state
        } onChange: {
            _ = changes.next()
        }
        #expect(changes.count == 0)
        await model.lock()
        await until { model.state == .locked }
        #expect(changes.count == 1)
    }

    @Test(.holds("P-107-03")) func `a change of the settings is told to who read them`() async throws {
        let made = try await TestVault.make()
        let model = BiometricSettingsModel(made.vault)
        await until { !model.loading }
        let changes = Counter()
        withObservationTracking {
            _ = model.enabled
        } onChange: {
            _ = changes.next()
        }
        try await made.enableBiometrics()
        await until { model.enabled }
        #expect(changes.count == 1)
    }

    @Test func `a change of system authentication is told to who read it`() async throws {
        let made = try await TestVault.make()
        let model = SystemSettingsModel(made.vault, offer: SystemModeFlag.open.offer(to: "anybody"))
        await until { !model.loading }
        let changes = Counter()
        withObservationTracking {
            _ = model.step
        } onChange: {
            _ = changes.next()
        }
        await model.agree()
        #expect(changes.count == 1 && model.step == .secret)
    }

    @Test func `what did not change is not told`() async throws {
        let made = try await TestVault.make()
        let model = AppUnlockModel(made.vault)
        model.appBecame(.active)
        await until { !model.isCovered && model.screen == .content }
        let changes = Counter()
        withObservationTracking {
            _ = model.fields
        } onChange: {
            _ = changes.next()
        }
        _ = try await made.look()
        model.resetError()
        model.language = .english
        #expect(changes.count == 0)
    }
}
