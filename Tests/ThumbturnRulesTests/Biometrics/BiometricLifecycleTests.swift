import Testing
import ThumbturnRules

@Suite struct BiometricLifecycleTests {
    typealias State = BiometricLifecycle.State
    typealias Event = BiometricLifecycle.Event
    typealias Effect = BiometricLifecycle.Effect

    static let states: [State] = [.disabled, .enabling, .enabled] + RevocationReason.allCases.map(State.revoked)

    private func result(_ state: State, _ event: Event) -> (State, [Effect]) {
        var lifecycle = BiometricLifecycle(state: state)
        let effects = lifecycle.handle(event)
        return (lifecycle.state, effects)
    }

    @Test func `F-107-02, B-07: enabling stores, commits and records, or leaves disabled`() {
        #expect(result(.disabled, .enableRequested(nil)) == (.enabling, [.storeIntermediateSecret]))
        #expect(result(.enabling, .slotCommitted) == (.enabled, [.record(.biometricEnabled)]))
        #expect(
            result(.enabling, .enablingFailed)
                == (.disabled, [.discardIntermediateSecret, .refuse(.biometricsNotStored)])
        )
    }

    @Test func `C9, C14: an obstacle refuses and changes nothing`() {
        for state in [State.disabled, .revoked(.biometricsChanged)] {
            let unavailable = result(state, .enableRequested(.unavailable(.notEnrolled)))
            #expect(unavailable == (state, [.refuse(.biometricsUnavailable)]))
            #expect(result(state, .enableRequested(.assuranceTooLow)) == (state, [.refuse(.assuranceTooLow)]))
        }
        #expect(result(.enabled, .enableRequested(nil)) == (.enabled, [.refuse(.biometricsAlreadyEnabled)]))
        #expect(result(.enabling, .enableRequested(nil)) == (.enabling, [.refuse(.busy)]))
    }

    @Test("B-08, F-107-03: disable works in every state", arguments: states)
    func disable(state: State) {
        let expected: [Effect] =
            switch state {
            case .disabled: []
            case .enabling: [.discardIntermediateSecret]
            case .enabled, .revoked: [.purge, .record(.biometricDisabled)]
            }
        #expect(result(state, .disableRequested) == (.disabled, expected))
    }

    @Test func `B-08: a slot that commits after a disable goes again`() {
        var lifecycle = BiometricLifecycle(state: .enabling)
        _ = lifecycle.handle(.disableRequested)
        #expect(lifecycle.handle(.slotCommitted) == [.purge, .refuse(.biometricsNotStored)])
        #expect(lifecycle.state == .disabled)
        #expect(result(.disabled, .enablingFailed) == (.disabled, [.refuse(.biometricsNotStored)]))
    }

    @Test(
        "INV-107-07, F-107-09: revoked, purged, disabled, and each cause has its record",
        arguments: RevocationReason.allCases
    )
    func revocation(reason: RevocationReason) {
        let kind: AuditEventKind =
            reason == .biometricsChanged ? .biometricRevokedBySystemChange : .biometricDisabled
        #expect(result(.enabled, .revoked(reason)) == (.revoked(reason), [.restrictSlot(reason), .record(kind)]))
        #expect(result(.revoked(reason), .purged) == (.disabled, [.purge]))
        #expect(
            result(.enabling, .revoked(reason))
                == (.disabled, [.discardIntermediateSecret, .refuse(.biometricsNotStored)])
        )
        #expect(result(.disabled, .revoked(reason)) == (.disabled, []))
        #expect(
            result(.revoked(reason), .enableRequested(nil)) == (.enabling, [.purge, .storeIntermediateSecret]),
            "what was revoked goes, even if enabling fails"
        )
    }

    @Test func `C8: the first cause of a revocation stays, and its restriction can be written again`() {
        #expect(
            result(.revoked(.passwordChanged), .revoked(.biometricsChanged))
                == (.revoked(.passwordChanged), [.restrictSlot(.passwordChanged)])
        )
    }

    @Test("what makes no sense changes nothing", arguments: states)
    func nonsense(state: State) {
        if state != .enabling, state != .disabled {
            #expect(result(state, .slotCommitted) == (state, [.refuse(.busy)]))
            #expect(result(state, .enablingFailed) == (state, [.refuse(.busy)]))
        }
        switch state {
        case .disabled: #expect(result(state, .purged) == (state, []))
        case .enabling, .enabled: #expect(result(state, .purged) == (state, [.refuse(.busy)]))
        case .revoked: break
        }
    }
}
