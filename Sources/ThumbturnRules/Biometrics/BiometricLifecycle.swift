/// The life cycle of biometrics, seed 002 §5.1: disabled, enabling, enabled, and for an instant revoked.
public struct BiometricLifecycle: Hashable, Sendable {
    /// Where biometrics stand.
    public enum State: Hashable, Sendable {
        /// There is no biometric slot.
        case disabled
        /// The key is being made and stored.
        case enabling
        /// A slot opens the vault.
        case enabled
        /// The slot's right was taken; its artefacts wait to be purged. Shown until the next strong unlock (C8).
        case revoked(RevocationReason)
    }

    /// A fact that happened.
    public enum Event: Hashable, Sendable {
        /// The owner wants it, consents, and gave the strong factor just now; the obstacle is what stands against it.
        case enableRequested(BiometricCapability.EnablingObstacle?)
        /// Key, slot and flag are stored and verified.
        case slotCommitted
        /// Some step of enabling failed.
        case enablingFailed
        /// The owner wants it off.
        case disableRequested
        /// Something outside took the right away.
        case revoked(RevocationReason)
        /// No artefact is left, or none that anything refers to.
        case purged
    }

    /// An order to the shell.
    public enum Effect: Hashable, Sendable {
        /// Make an intermediate secret, store it under biometrics, and read its attributes back.
        case storeIntermediateSecret
        /// Undo what enabling has left.
        case discardIntermediateSecret
        /// Write the restriction, so that the slot opens nothing from now on.
        case restrictSlot(RevocationReason)
        /// Take the slot out of the head, then delete its item.
        case purge
        /// Write an audit event.
        case record(AuditEventKind)
        /// Tell the caller why not.
        case refuse(ErrorCode)
    }

    /// Where biometrics stand.
    public private(set) var state: State

    /// Starts from what the vault's head and restrictions say.
    public init(state: State) {
        self.state = state
    }

    /// Takes one fact in and says what is to be done.
    public mutating func handle(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.disabled, .enableRequested(nil)):
            state = .enabling
            return [.storeIntermediateSecret]
        case (.revoked, .enableRequested(nil)):
            state = .enabling
            return [.purge, .storeIntermediateSecret]  // What was revoked goes first, even if enabling fails.
        case (.disabled, .enableRequested(.unavailable?)), (.revoked, .enableRequested(.unavailable?)):
            return [.refuse(.biometricsUnavailable)]
        case (.disabled, .enableRequested(.assuranceTooLow?)), (.revoked, .enableRequested(.assuranceTooLow?)):
            return [.refuse(.assuranceTooLow)]
        case (.enabled, .enableRequested):
            return [.refuse(.biometricsAlreadyEnabled)]

        case (.enabling, .slotCommitted):
            state = .enabled
            return [.record(.biometricEnabled)]
        case (.enabling, .enablingFailed):
            state = .disabled
            return [.discardIntermediateSecret, .refuse(.biometricsNotStored)]
        case (.disabled, .slotCommitted):
            // Enabling was overtaken by a disable or a revocation: what it committed all the same goes again.
            return [.purge, .refuse(.biometricsNotStored)]
        case (.disabled, .enablingFailed):
            return [.refuse(.biometricsNotStored)]

        case (.enabled, .disableRequested), (.revoked, .disableRequested):
            state = .disabled
            return [.purge, .record(.biometricDisabled)]
        case (.disabled, .disableRequested):
            return []  // Turning off what is off is what the user wanted (B-08).
        case (.enabling, .disableRequested):
            state = .disabled
            return [.discardIntermediateSecret]

        case (.enabled, .revoked(let reason)):
            state = .revoked(reason)
            return [.restrictSlot(reason)] + recording(reason)
        case (.enabling, .revoked):
            state = .disabled
            return [.discardIntermediateSecret, .refuse(.biometricsNotStored)]
        case (.revoked(let first), .revoked):
            return [.restrictSlot(first)]  // Writing it once more mends a restriction whose first write failed.
        case (.disabled, .revoked), (.disabled, .purged):
            return []

        case (.revoked, .purged):
            state = .disabled
            return [.purge]
        case (.enabling, .purged), (.enabled, .purged), (.enabled, .slotCommitted), (.revoked, .slotCommitted),
            (.enabled, .enablingFailed), (.revoked, .enablingFailed), (.enabling, .enableRequested):
            return [.refuse(.busy)]
        }
    }

    private func recording(_ reason: RevocationReason) -> [Effect] {
        switch reason {
        case .biometricsChanged: [.record(.biometricRevokedBySystemChange)]
        case .reinstalled, .passwordChanged, .serverWordMissing: [.record(.biometricDisabled)]
        }
    }
}
