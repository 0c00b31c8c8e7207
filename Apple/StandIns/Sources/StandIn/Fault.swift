/// A call into a framework that can be made to fail.
public enum Call: String, Hashable, Sendable, CaseIterable {
    case itemAdd
    case itemCopy
    case itemUpdate
    case itemDelete
    case canEvaluate
    case evaluate
    case makeKey
    case openKey
    case agreeKey
    case signKey
}

/// What goes wrong.
public enum Effect: Sendable {
    /// Nothing happens, and the call returns this code: an `OSStatus` or an `LAError` code.
    case refuses(Int)
    /// It happens, and the call returns this code nevertheless.
    case happensButReports(Int)
    /// Somebody between the system and the app says that the owner was recognised, and nobody was asked.
    case claimsSuccess
    /// The call succeeds, but these attributes are lost, by Apple's short names: `accc`, `pdmn`, `sync` … [field].
    case drops(Set<String>)
}

/// A planned failure.
struct Fault {
    var call: Call?
    var skipping: Int
    var times: Int
    var effect: Effect
}

extension Phone {
    /// Every call since the start or the last `forgetCalls`, in order.
    public var calls: [Call] { withState { $0.calls } }

    /// Forgets which calls were made.
    public func forgetCalls() { withState { $0.calls = [] } }

    /// Lets calls fail: those of one kind, or of any when `call` is nil, after `skipping` of them, `times` times.
    public func fail(_ call: Call?, _ effect: Effect, skipping: Int = 0, times: Int = 1) {
        withState { $0.faults.append(Fault(call: call, skipping: skipping, times: times, effect: effect)) }
    }

    /// Lets something happen right before the next call of a kind: another process was faster.
    public func before(_ call: Call, _ body: @escaping @Sendable () -> Void) {
        withState { $0.interludes[call] = body }
    }

    func interlude(_ call: Call) {
        withState { $0.interludes.removeValue(forKey: call) }?()
    }

    /// Lets everything work again.
    public func repair() { withState { $0.faults = [] } }
}

extension PhoneState {
    /// Notes a call, and says what goes wrong with it.
    mutating func enter(_ call: Call) -> Effect? {
        calls.append(call)
        for index in faults.indices where faults[index].call == nil || faults[index].call == call {
            if faults[index].skipping > 0 {
                faults[index].skipping -= 1
                continue
            }
            guard faults[index].times > 0 else { continue }
            faults[index].times -= 1
            return faults[index].effect
        }
        return nil
    }
}
