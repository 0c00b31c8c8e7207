package import Thumbturn
package import ThumbturnContracts
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
package import ThumbturnSimulator

/// The requirements of seed 002 §4.1 for an `UnlockOrchestrator`, as checks for every kind of vault.
///
/// A check throws a breach, so it needs no test library.
package struct OrchestratorContract: Sendable {
    /// A broken promise.
    package struct Breach: Error, CustomStringConvertible {
        package let description: String
    }

    private let orchestrator: any UnlockOrchestrator
    private let vault: Vault
    private let simulated: SimulatedDevice
    private let log: EventLog
    private let secret: String
    private let userID: String?

    /// - Parameters:
    ///   - orchestrator: unlocked, without biometrics; its policy tolerates two failed prompts.
    ///   - vault: the vault beneath it.
    ///   - simulated: the device of both.
    ///   - log: receives the vault's events.
    ///   - secret: the PIN or password.
    ///   - userID: the account's user id; `nil` for a vault without one.
    package init(
        _ orchestrator: any UnlockOrchestrator,
        over vault: Vault,
        on simulated: SimulatedDevice,
        log: EventLog,
        secret: String,
        userID: String?
    ) {
        (self.orchestrator, self.vault, self.simulated, self.log) = (orchestrator, vault, simulated, log)
        (self.secret, self.userID) = (secret, userID)
    }

    /// Runs every check, in the order of a vault's life.
    package func check() async throws {
        try await checkEnabling()
        try await checkRecord()
        try await checkPolicy()
        try await checkDisabling()
    }

    private func require(_ isKept: Bool, _ promise: String) throws {
        guard isKept else { throw Breach(description: promise) }
    }

    private func checkEnabling() async throws {
        let consent = BiometricConsent(ownerAgreedAt: simulated.device.clock())
        do {
            try await orchestrator.enableBiometrics(consent, with: SecretBytes(text: secret + "0"))
            throw Breach(description: "a wrong secret enables")
        } catch let error as VaultError {
            try require(error.code == .wrongSecretForEnabling, "a wrong secret says that it was for enabling")
        }
        try await orchestrator.enableBiometrics(consent, with: SecretBytes(text: secret))
        await vault.lock()
        try simulated.simulate(.finger(.match))
        try await orchestrator.unlockWithBiometrics(TestVault.words)
        try require(await vault.snapshot.state == .unlocked(.full), "a finger opens what was enabled")
    }

    private func checkRecord() async throws {
        let record = try await vault.biometricRecord()
        try require(record?.userId == userID, "the record names the account, and none where there is none")
        try require(record?.wrappedUnlockBlob.count == 60, "the record holds the envelope")
    }

    private func checkPolicy() async throws {
        let now = simulated.device.clock()
        var context = UnlockPolicyContext(now: now, capability: await simulated.capability())
        func decides(_ decision: UnlockDecision) async throws {
            let answer = await orchestrator.evaluateUnlockPolicy(context)
            try require(answer == decision, "the policy answers \(decision), and not \(answer)")
        }
        try await decides(.requireStrongFactor(.biometricsDisabled))
        context.biometricSlot = .ready
        (context.lastStrongAuthentication, context.lastUse, context.lastServerContact) = (now, now, now)
        try await decides(.promptBiometrics)
        // The answer must follow this vault's policy: the presets would tolerate a second failure.
        context.failedBiometricAttempts = 2
        try await decides(.requireStrongFactor(.tooManyMismatches))
    }

    private func checkDisabling() async throws {
        let authorization = try await orchestrator.unlock(with: SecretBytes(text: secret))
        let reason = "lent.the-phone_" + String(repeating: "x", count: 49)
        try await orchestrator.disableBiometrics(authorization, reason: reason)
        try require(try await vault.refresh().biometrics == .disabled, "what was disabled is off")
        let event = log.events.last { $0.kind == .biometricDisabled }
        try require(event?.reason == reason, "the event says why, in 64 characters")
    }
}
