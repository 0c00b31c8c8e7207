public import Foundation
public import StandIn

/// What an item may be used with.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: CFOptionFlags
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    public static let userPresence = Self(rawValue: Control.userPresence)
    public static let biometryAny = Self(rawValue: Control.biometryAny)
    public static let biometryCurrentSet = Self(rawValue: Control.biometryCurrentSet)
    public static let devicePasscode = Self(rawValue: Control.devicePasscode)
    public static let or = Self(rawValue: Control.or)
    public static let and = Self(rawValue: Control.and)
    public static let privateKeyUsage = Self(rawValue: Control.privateKeyUsage)
    public static let applicationPassword = Self(rawValue: Control.applicationPassword)
}

/// An access control, opaque to apps.
public final class SecAccessControl: Sendable {
    /// For the stand-ins and their tests alone: Apple's type tells nothing.
    public let control: Control

    /// For the stand-ins and their tests alone.
    public init(_ control: Control) { self.control = control }
}

/// Makes an access control; nil, and -50 in `error`, for a combination of flags that cannot be [apple-src].
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    let name = (protection as? NSString).map { $0 as String } ?? ""
    if let protection = Protection(rawValue: name) {
        let control = Control(flags: flags.rawValue, protection: protection)
        if control.isValid { return SecAccessControl(control) }
    }
    let failure = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
    if let error = unsafe error { unsafe error.pointee = Unmanaged.passRetained(failure) }
    return nil
}
