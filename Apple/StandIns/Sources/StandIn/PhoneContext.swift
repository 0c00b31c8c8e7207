public import Foundation

/// What an `LAContext` is to the phone.
public final class PhoneContext: @unchecked Sendable {
    // Safe to share: every property is only touched while the phone's lock is held.

    /// The phone that it was made on.
    let phone: Phone
    private var facts = Facts()

    struct Facts {
        var reason = ""
        var cancelTitle: String?
        var fallbackTitle: String?
        var interactionNotAllowed = false
        var reuseDuration = 0.0
        var invalidated = false
        var knowsSensor = false
        var domainState: Data?
        var proof: Proof?
        var provedAt: Int64 = 0
        var provedIn = 0
    }

    /// Makes a context on the current phone.
    public init() { phone = Phone.current }

    /// The facts, while the phone's lock is held.
    var heldFacts: Facts {
        get { facts }
        set { facts = newValue }
    }

    private func locked<Value>(_ path: WritableKeyPath<Facts, Value>) -> Value {
        phone.withState { _ in facts[keyPath: path] }
    }

    private func set<Value>(_ path: WritableKeyPath<Facts, Value>, _ value: Value) {
        phone.withState { _ in facts[keyPath: path] = value }
    }

    public var reason: String {
        get { locked(\.reason) }
        set { set(\.reason, newValue) }
    }
    public var cancelTitle: String? {
        get { locked(\.cancelTitle) }
        set { set(\.cancelTitle, newValue) }
    }
    public var fallbackTitle: String? {
        get { locked(\.fallbackTitle) }
        set { set(\.fallbackTitle, newValue) }
    }
    public var interactionNotAllowed: Bool {
        get { locked(\.interactionNotAllowed) }
        set { set(\.interactionNotAllowed, newValue) }
    }
    public var reuseDuration: Double {
        get { locked(\.reuseDuration) }
        set { set(\.reuseDuration, newValue) }
    }

    /// The sensor, by its raw value; 0 before the phone was asked [doc].
    public var sensor: Int {
        phone.withState { facts.knowsSensor ? $0.setup.sensor.rawValue : 0 }
    }

    /// A value that changes with the enrolled set; nil until biometrics could be evaluated [doc].
    public var domainState: Data? { locked(\.domainState) }

    /// Ends the context, and the prompt that it shows.
    public func invalidate() {
        phone.withState { state in
            facts.invalidated = true
            facts.proof = nil
            if state.showing?.context == ObjectIdentifier(self) { state.endPrompt(.appCancel) }
        }
        phone.condition.broadcast()
    }

    /// What is proved and still counts.
    ///
    /// It outlives a change of the enrolled set, but not a few minutes, nor a suspended app [field].
    func proof(in state: PhoneState) -> Proof? {
        guard !facts.invalidated, facts.provedIn == state.appLife else { return nil }
        guard state.clock.continuous - facts.provedAt < state.quirks.contextLifetime * 1_000_000 else { return nil }
        return facts.proof
    }

    /// Adds to what is proved already; the later proof renews the earlier one.
    func keep(_ new: Proof, in state: PhoneState) -> Proof {
        var sum = proof(in: state) ?? Proof()
        sum.enrolment = new.enrolment ?? sum.enrolment
        sum.passcode = new.passcode || sum.passcode
        facts.proof = sum
        facts.provedAt = state.clock.continuous
        facts.provedIn = state.appLife
        return sum
    }
}

/// What carries a context through the keychain's dictionary: `LAContext`.
public protocol ContextCarrier: AnyObject {
    var phoneContext: PhoneContext { get }
}

extension PhoneContext {
    /// Tells on its phone whether a policy could be evaluated; nil when it could, or the `LAError` code.
    public func canEvaluate(biometry: Bool) -> Int? { phone.canEvaluate(biometry: biometry, context: self) }

    /// Evaluates a policy on its phone; nil on success, or the `LAError` code.
    public func evaluate(biometry: Bool, reason: String) -> Int? {
        phone.evaluate(biometry: biometry, reason: reason, context: self)
    }

    /// Evaluates an access control on its phone; nil on success, or the `LAError` code.
    public func evaluate(_ control: Control, reason: String) -> Int? {
        phone.evaluate(control, reason: reason, context: self)
    }
}
