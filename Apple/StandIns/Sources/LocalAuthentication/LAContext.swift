public import Foundation
public import Security
public import StandIn

/// Which proof is asked for.
public struct LAPolicy: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init?(rawValue: Int) { self.rawValue = rawValue }
    init(_ rawValue: Int) { self.rawValue = rawValue }

    public static let deviceOwnerAuthenticationWithBiometrics = Self(1)
    public static let deviceOwnerAuthentication = Self(2)
}

/// Which sensor the device has.
public struct LABiometryType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init?(rawValue: Int) { self.rawValue = rawValue }
    init(_ rawValue: Int) { self.rawValue = rawValue }

    public static let none = Self(0)
    public static let touchID = Self(1)
    public static let faceID = Self(2)
    public static let opticID = Self(4)
}

/// What an access control is evaluated for.
public struct LAAccessControlOperation: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init?(rawValue: Int) { self.rawValue = rawValue }
    init(_ rawValue: Int) { self.rawValue = rawValue }

    public static let createItem = Self(0)
    public static let useItem = Self(1)
    public static let createKey = Self(2)
    public static let useKeySign = Self(3)
    public static let useKeyDecrypt = Self(4)
    public static let useKeyKeyExchange = Self(5)
}

public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// Stand-in for `LAContext`.
///
/// Not Sendable: that is the strict side of what Apple's may become.
open class LAContext: NSObject, ContextCarrier {
    /// For the stand-ins and their tests alone.
    public let phoneContext = PhoneContext()

    open var localizedReason: String {
        get { phoneContext.reason }
        set { phoneContext.reason = newValue }
    }
    open var localizedFallbackTitle: String? {
        get { phoneContext.fallbackTitle }
        set { phoneContext.fallbackTitle = newValue }
    }
    open var localizedCancelTitle: String? {
        get { phoneContext.cancelTitle }
        set { phoneContext.cancelTitle = newValue }
    }
    open var interactionNotAllowed: Bool {
        get { phoneContext.interactionNotAllowed }
        set { phoneContext.interactionNotAllowed = newValue }
    }
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { phoneContext.reuseDuration }
        set { phoneContext.reuseDuration = newValue }
    }
    open var biometryType: LABiometryType { LABiometryType(phoneContext.sensor) }
    open var evaluatedPolicyDomainState: Data? { phoneContext.domainState }

    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool {
        let biometry = policy == .deviceOwnerAuthenticationWithBiometrics
        guard let code = phoneContext.canEvaluate(biometry: biometry) else { return true }
        if let error = unsafe error { unsafe error.pointee = NSError(domain: LAErrorDomain, code: code) }
        return false
    }

    open func evaluatePolicy(
        _ policy: LAPolicy,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!localizedReason.isEmpty, "an empty reason raises an exception")
        let biometry = policy == .deviceOwnerAuthenticationWithBiometrics
        onOwnThread(reply) { $0.evaluate(biometry: biometry, reason: localizedReason) }
    }

    open func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!localizedReason.isEmpty, "an empty reason raises an exception")
        onOwnThread(reply) { $0.evaluate(accessControl.control, reason: localizedReason) }
    }

    open nonisolated(nonsending) func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: success) }
            }
        }
    }

    open nonisolated(nonsending) func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String
    ) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluateAccessControl(accessControl, operation: operation, localizedReason: localizedReason) {
                success,
                error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: success) }
            }
        }
    }

    open func invalidate() { phoneContext.invalidate() }

    /// Replies come on a thread of the system's, never on the caller's.
    private func onOwnThread(
        _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void,
        _ evaluation: @escaping @Sendable (PhoneContext) -> Int?
    ) {
        let context = phoneContext
        Thread.detachNewThread {
            if let code = evaluation(context) {
                reply(false, LAError(LAError.Code(code)))
            } else {
                reply(true, nil)
            }
        }
    }
}
