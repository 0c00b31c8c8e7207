public import Foundation

/// Apple's error of LocalAuthentication.
public struct LAError: Error, CustomNSError, Hashable, Sendable {
    /// An open enumeration, as Apple's are: switch over it with a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int
        public init?(rawValue: Int) { self.rawValue = rawValue }
        init(_ rawValue: Int) { self.rawValue = rawValue }

        public static let authenticationFailed = Self(-1)
        public static let userCancel = Self(-2)
        public static let userFallback = Self(-3)
        public static let systemCancel = Self(-4)
        public static let passcodeNotSet = Self(-5)
        public static let biometryNotAvailable = Self(-6)
        public static let biometryNotEnrolled = Self(-7)
        public static let biometryLockout = Self(-8)
        public static let appCancel = Self(-9)
        public static let invalidContext = Self(-10)
        public static let companionNotAvailable = Self(-11)
        public static let biometryNotPaired = Self(-12)
        public static let biometryDisconnected = Self(-13)
        public static let invalidDimensions = Self(-14)
        public static let notInteractive = Self(-1004)

        public static func ~= (code: Self, error: any Error) -> Bool { (error as? LAError)?.code == code }
    }

    public let code: Code
    public init(_ code: Code) { self.code = code }
    public init(_ code: Code, userInfo: [String: Any]) { self.code = code }

    public static var errorDomain: String { LAErrorDomain }
    public var errorCode: Int { code.rawValue }

    public static var authenticationFailed: Code { .authenticationFailed }
    public static var userCancel: Code { .userCancel }
    public static var userFallback: Code { .userFallback }
    public static var systemCancel: Code { .systemCancel }
    public static var passcodeNotSet: Code { .passcodeNotSet }
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    public static var biometryLockout: Code { .biometryLockout }
    public static var appCancel: Code { .appCancel }
    public static var invalidContext: Code { .invalidContext }
    public static var notInteractive: Code { .notInteractive }
}

public let LAErrorDomain = "com.apple.LocalAuthentication"
