/// The life cycle of biometrics, seed 002 §5.1: disabled, enabling, enabled, and for a while revoked.
///
/// It remembers nothing: where biometrics stand is what the vault has stored, and every order is one transaction, so nothing
/// lies between two states but a slot that is being made, and a call that makes one lets no other in.
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
    package enum Event: Hashable, Sendable {
        /// The owner wants it, consents, and gave the strong factor just now; the obstacle is what stands against it.
        case enableRequested(BiometricCapability.EnablingObstacle?)
        /// The owner wants it off.
        case disableRequested
        /// Something outside took the right away.
        case revoked(RevocationReason)
        /// The strong factor opened the vault in full.
        case strongFactorGiven
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Store an intermediate secret under biometrics, read its attributes back, and commit a slot that it opens, in the
        /// place of one that was revoked.
        ///
        /// Where a step of that fails, nothing of it is left.
        case makeSlot
        /// Take the slot out of the head, then delete its item.
        case removeSlot
        /// Write the restriction, so that the slot opens nothing from now on.
        case restrictSlot(RevocationReason)
        /// Write an audit event, once the order before it was carried out.
        case record(AuditEventKind)
        /// Tell the caller why not.
        case refuse(ErrorCode)
    }

    /// Where biometrics stand.
    package let state: State

    /// Starts from what the vault's head and restrictions say.
    package init(state: State) {
        self.state = state
    }

    /// Takes one fact in and says what is to be done.
    package func handle(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.disabled, .enableRequested(nil)), (.revoked, .enableRequested(nil)):
            [.makeSlot, .record(.biometricEnabled)]
        case (.disabled, .enableRequested(.unavailable?)), (.revoked, .enableRequested(.unavailable?)):
            [.refuse(.biometricsUnavailable)]
        case (.disabled, .enableRequested(.assuranceTooLow?)), (.revoked, .enableRequested(.assuranceTooLow?)):
            [.refuse(.assuranceTooLow)]
        case (.enabled, .enableRequested):
            [.refuse(.biometricsAlreadyEnabled)]

        case (.enabled, .disableRequested), (.revoked, .disableRequested):
            [.removeSlot, .record(.biometricDisabled)]
        case (.disabled, .disableRequested):
            []  // Turning off what is off is what the user wanted (B-08).

        case (.enabled, .revoked(let reason)):
            [.restrictSlot(reason)] + recording(reason)
        case (.revoked(let first), .revoked):
            [.restrictSlot(first)]  // Writing it once more mends a restriction whose first write failed.
        case (.disabled, .revoked):
            []

        case (.revoked, .strongFactorGiven):
            [.removeSlot]
        case (.disabled, .strongFactorGiven), (.enabled, .strongFactorGiven):
            []

        case (.enabling, _):
            [.refuse(.busy)]
        }
    }

    private func recording(_ reason: RevocationReason) -> [Effect] {
        switch reason {
        case .biometricsChanged: [.record(.biometricRevokedBySystemChange)]
        case .reinstalled, .passwordChanged, .serverWordMissing, .disabledByOwner:
            [.record(.biometricDisabled)]
        }
    }
}

extension BiometricLifecycle.State {
    /// Where biometrics stand once an order was carried out.
    package func after(_ effect: BiometricLifecycle.Effect) -> Self {
        switch effect {
        case .makeSlot: .enabled
        case .removeSlot: .disabled
        case .restrictSlot(let reason): .revoked(reason)
        case .record, .refuse: self
        }
    }
}
