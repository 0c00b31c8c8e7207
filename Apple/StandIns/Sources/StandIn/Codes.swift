/// The `OSStatus` codes that the keychain answers with.
public enum Status {
    public static let success: Int32 = 0
    public static let unimplemented: Int32 = -4
    public static let param: Int32 = -50
    public static let userCanceled: Int32 = -128
    public static let notAvailable: Int32 = -25291
    public static let authFailed: Int32 = -25293
    public static let duplicateItem: Int32 = -25299
    public static let itemNotFound: Int32 = -25300
    public static let interactionNotAllowed: Int32 = -25308
    public static let interactionRequired: Int32 = -25315
    public static let inDarkWake: Int32 = -25320
    public static let decode: Int32 = -26275
    public static let internalError: Int32 = -26276
    public static let missingEntitlement: Int32 = -34018
}

/// The `LAError` codes.
public enum Refusal: Int, Sendable, Error {
    case authenticationFailed = -1
    case userCancel = -2
    case userFallback = -3
    case systemCancel = -4
    case passcodeNotSet = -5
    case biometryNotAvailable = -6
    case biometryNotEnrolled = -7
    case biometryLockout = -8
    case appCancel = -9
    case invalidContext = -10
    case companionNotAvailable = -11
    case biometryNotPaired = -12
    case biometryDisconnected = -13
    case invalidDimensions = -14
    case notInteractive = -1004

    /// What the keychain makes of it: one function in Apple's source, and it keeps almost nothing apart [apple-src].
    public var status: Int32 {
        switch self {
        case .userCancel: Status.userCanceled
        case .notInteractive: Status.interactionNotAllowed
        default: Status.authFailed
        }
    }
}
