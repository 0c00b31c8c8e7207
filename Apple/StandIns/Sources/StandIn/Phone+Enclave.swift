public import Foundation

/// A key that lies in the Secure Enclave, by the blob that the app keeps of it.
struct EnclaveKey: Sendable {
    var privateKey: Data
    var control: Control
    var binding: Binding
}

/// Why the Secure Enclave did nothing.
public enum EnclaveFailure: Error, Sendable {
    /// There is no enclave.
    case absent
    /// An `OSStatus`.
    case status(Int32)
    /// The owner was not recognised.
    case refused(code: Int)
    /// The blob is of another device, damaged, or its key is gone for good.
    case badKey
}

extension Phone {
    /// Whether there is an enclave.
    public var hasEnclave: Bool { withState { $0.setup.hasEnclave } }

    /// Keeps a key, and returns the blob that the app keeps of it.
    ///
    /// It never prompts.
    public func keepKey(_ privateKey: Data, control: Control) throws(EnclaveFailure) -> Data {
        try withEnclave(.makeKey) { state throws(EnclaveFailure) in
            if let status = state.refusal(toMake: control) { throw .status(status) }
            // Without a passcode there is nothing that a guarded key could be bound to; so on every simulator [field].
            if control.hasConstraint, !state.setup.passcodeSet || state.setup.kind == .simulator {
                throw .status(Status.authFailed)
            }
            let blob = Data("enclave key ".utf8) + Data((0..<16).map { _ in UInt8.random(in: 0...255) })
            state.enclaveKeys[blob] = EnclaveKey(
                privateKey: privateKey,
                control: control,
                binding: Binding(enrolment: state.enrolment, biometryResets: state.biometryResets)
            )
            return blob
        }
    }

    /// The public half's source: opening a blob needs no owner.
    public func openKey(_ blob: Data) throws(EnclaveFailure) -> Data {
        try withEnclave(.openKey) { state throws(EnclaveFailure) in
            guard let key = state.enclaveKeys[blob] else { throw .badKey }
            return key.privateKey
        }
    }

    /// Lends the private key for one use; this is where the prompt is.
    ///
    /// It blocks as long as the prompt is up.
    public func useKey(
        _ blob: Data,
        context: PhoneContext?,
        _ call: Call = .agreeKey
    ) throws(EnclaveFailure) -> Data {
        let (key, needs) = try withEnclave(call) { state throws(EnclaveFailure) -> (EnclaveKey, Means?) in
            guard let key = state.enclaveKeys[blob] else { throw .badKey }
            guard state.readable(key.control.protection) else { throw .status(state.quirks.classLockedStatus) }
            if let proof = context?.proof(in: state), key.control.isSatisfied(by: proof, bound: key.binding) {
                return (key, nil)
            }
            if state.isRevoked(key) { throw .badKey }
            return (key, key.control.means)
        }
        guard let needs else { return key.privateKey }
        do throws(Refusal) {
            let proof = try authenticate(needs, context: context ?? PhoneContext(), origin: .enclave)
            guard key.control.isSatisfied(by: proof, bound: key.binding) else { throw Refusal.authenticationFailed }
            return key.privateKey
        } catch {
            throw .refused(code: error.rawValue)
        }
    }

    /// Erases the enclave, as erasing the phone does; a backup brings back the rows, and no key [inf].
    public func forgetEnclaveKeys() { withState { $0.enclaveKeys = [:] } }

    /// How many keys the enclave still honours; a blob that the app lost can never be used again.
    public var enclaveKeyCount: Int { withState { $0.enclaveKeys.count } }

    private func withEnclave<Result>(
        _ call: Call,
        _ body: (inout PhoneState) throws(EnclaveFailure) -> Result
    ) throws(EnclaveFailure) -> Result {
        condition.lock()
        defer { condition.unlock() }
        let effect = heldState.enter(call)
        if case .refuses(let code) = effect { throw .status(Int32(code)) }
        guard heldState.setup.hasEnclave else { throw .absent }
        let result = try body(&heldState)
        if case .happensButReports(let code) = effect { throw .status(Int32(code)) }
        return result
    }
}

extension PhoneState {
    func isRevoked(_ key: EnclaveKey) -> Bool {
        key.control.has(Control.biometryCurrentSet) && key.binding.enrolment != enrolment
    }
}
