import Testing
import ThumbturnRules
import UnlockModel

@Suite struct BiometricLifecycleTests {
    typealias State = BiometricLifecycle.State
    typealias Event = BiometricLifecycle.Event
    typealias Effect = BiometricLifecycle.Effect

    static let states: [State] = [.disabled, .enabling, .enabled] + RevocationReason.allCases.map(State.revoked)

    private func orders(_ state: State, _ event: Event) -> [Effect] { BiometricLifecycle(state: state).handle(event) }

    /// Where biometrics stand after all that an event orders.
    private func after(_ state: State, _ event: Event) -> State { orders(state, event).reduce(state) { $0.after($1) } }

    @Test(.holds("F-107-02", "B-07"))
    func `enabling makes a slot and records it, in the place of one that was revoked`() {
        for state in [State.disabled] + RevocationReason.allCases.map(State.revoked) {
            #expect(orders(state, .enableRequested(nil)) == [.makeSlot, .record(.biometricEnabled)])
            #expect(after(state, .enableRequested(nil)) == .enabled)
        }
    }

    @Test(.holds("C9", "C14")) func `an obstacle refuses and changes nothing`() {
        for state in [State.disabled, .revoked(.biometricsChanged)] {
            let unavailable = orders(state, .enableRequested(.unavailable(.notEnrolled)))
            #expect(unavailable == [.refuse(.biometricsUnavailable)])
            #expect(orders(state, .enableRequested(.assuranceTooLow)) == [.refuse(.assuranceTooLow)])
        }
        #expect(orders(.enabled, .enableRequested(nil)) == [.refuse(.biometricsAlreadyEnabled)])
    }

    @Test("disable works in every stored state", .holds("B-08", "F-107-03"), arguments: states)
    func disable(state: State) {
        let expected: [Effect] =
            switch state {
            case .disabled: []
            case .enabling: [.refuse(.busy)]
            case .enabled, .revoked: [.removeSlot, .record(.biometricDisabled)]
            }
        #expect(orders(state, .disableRequested) == expected)
        if state != .enabling { #expect(after(state, .disableRequested) == .disabled) }
    }

    @Test(
        "revoked, removed at the next strong unlock, and each cause has its record",
        .holds("INV-107-07", "F-107-09"),
        arguments: RevocationReason.allCases
    )
    func revocation(reason: RevocationReason) {
        let kind: AuditEventKind =
            reason == .biometricsChanged ? .biometricRevokedBySystemChange : .biometricDisabled
        #expect(orders(.enabled, .revoked(reason)) == [.restrictSlot(reason), .record(kind)])
        #expect(after(.enabled, .revoked(reason)) == .revoked(reason))
        #expect(orders(.revoked(reason), .strongFactorGiven) == [.removeSlot])
        #expect(after(.revoked(reason), .strongFactorGiven) == .disabled)
        #expect(orders(.disabled, .revoked(reason)).isEmpty)
        #expect(orders(.enabled, .strongFactorGiven).isEmpty && orders(.disabled, .strongFactorGiven).isEmpty)
    }

    @Test(.holds("C8")) func `the first cause of a revocation stays, and its restriction can be written again`() {
        let again = orders(.revoked(.passwordChanged), .revoked(.biometricsChanged))
        #expect(again == [.restrictSlot(.passwordChanged)])
    }

    @Test func `while a slot is being made every event has to wait`() {
        for event in [Event.enableRequested(nil), .disableRequested, .revoked(.reinstalled), .strongFactorGiven] {
            #expect(orders(.enabling, event) == [.refuse(.busy)])
        }
    }
}
