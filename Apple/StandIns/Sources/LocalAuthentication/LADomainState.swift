public import Foundation
import StandIn

/// What changes with the enrolled set, since iOS 18.
public final class LADomainState: NSObject {
    /// Of fingers and faces.
    public let biometry: LADomainStateBiometry
    /// Of all means together.
    public var stateHash: Data? { biometry.stateHash }

    init(_ biometry: LADomainStateBiometry) { self.biometry = biometry }
}

/// What changes with the enrolled fingers or faces.
public final class LADomainStateBiometry: NSObject {
    /// The sensor.
    public let biometryType: LABiometryType
    /// Nil when nobody is enrolled, and seen nil during a lockout [field].
    public let stateHash: Data?

    init(type: LABiometryType, hash: Data?) {
        biometryType = type
        stateHash = hash
    }
}

extension LAContext {
    /// What changes with the enrolled set; `evaluatedPolicyDomainState` before iOS 18.
    public var domainState: LADomainState {
        LADomainState(LADomainStateBiometry(type: biometryType, hash: phoneContext.domainState))
    }
}
