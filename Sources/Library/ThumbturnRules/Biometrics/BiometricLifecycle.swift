/// The life cycle of biometrics, seed 002 §5.1: disabled, enabling, enabled, and temporarily revoked.
///
/// It keeps no memory: the state is what the vault has stored, and every order is one transaction. The only
/// intermediate state is a slot being created, and a call that creates one excludes any other.
public struct BiometricLifecycle: Hashable, Sendable {
    /// The state of biometrics.
    public enum State: Hashable, Sendable {
        /// There is no biometric slot.
        case disabled
        /// The key is being created and stored.
        case enabling
        /// A slot opens the vault.
        case enabled
        /// The slot was revoked; its artefacts wait to be deleted. Shown until the next strong unlock (C8).
        case revoked(RevocationReason)
    }

    /// A fact that happened.
    package enum Event: Hashable, Sendable {
        /// The owner wants it, consents, and entered the strong factor just now; the obstacle is what prevents it, if
        /// anything.
        case enableRequested(BiometricCapability.EnablingObstacle?)
        /// The owner wants biometrics off.
        case disableRequested
        /// An outside cause revokes biometrics.
        case revoked(RevocationReason)
        /// The strong factor opened the vault in full.
        case strongFactorGiven
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Store an intermediate secret under biometrics, read its attributes back, and commit a slot that it opens,
        /// replacing a revoked one.
        ///
        /// If a step fails, nothing of it is left.
        case makeSlot
        /// Remove the slot from the head, then delete its item.
        case removeSlot
        /// Write the restriction, so that the slot opens nothing from now on.
        case restrictSlot(RevocationReason)
        /// Write an audit event, once the preceding order was carried out.
        case record(AuditEventKind)
        /// Refuse the call with this code.
        case refuse(ErrorCode)
    }

    /// The state of biometrics.
    package let state: State

    /// Starts from the vault's head and restrictions.
    package init(state: State) { self.state = state }

    /// Handles one event, and returns what to do.
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
            []  // It is already off, as the user wanted (B-08).

        case (.enabled, .revoked(let reason)):
            [.restrictSlot(reason)] + recording(reason)
        case (.revoked(let first), .revoked):
            [.restrictSlot(first)]  // Writing it again repairs a restriction whose first write failed.
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
