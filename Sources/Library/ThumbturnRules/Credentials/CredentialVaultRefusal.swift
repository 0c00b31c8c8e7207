/// Why a credential vault refuses a request: the twelve situations of seed 004, and one of our own.
package enum CredentialVaultRefusal: Hashable, Sendable, CaseIterable {
    /// Biometrics can't be used now.
    case notAvailable
    /// Nothing is stored.
    case notEnabled
    /// What is stored is not behind biometrics.
    case notSecuredWithBiometrics
    /// The stored credentials can be read already.
    case notLockedWithBiometrics
    /// The stored credentials are locked already.
    case alreadyLockedWithBiometrics
    /// The stored credentials are locked: they can be unlocked, or reset.
    case lockedWithBiometricsUseReset
    /// The stored credentials are locked, and are not overwritten.
    case lockedWithBiometricsCannotEnable
    /// Credentials are stored without biometrics, and are not overwritten.
    case alreadyUsesKeychain
    /// Credentials are stored without biometrics: they can be upgraded.
    case alreadySecuredByKeychainUseSecureFunction
    /// Credentials are stored behind biometrics, and are not overwritten.
    case alreadySecuredWithBiometrics
    /// The stored credentials can't be read, or are not what was stored.
    case retrievalFailure
    /// The credentials could not be stored; the existing ones are untouched.
    case storingFailure
    /// Another request is in progress.
    case busy

    /// The code for the caller.
    package var code: ErrorCode {
        switch self {
        case .notAvailable: .credentialsUnavailable
        case .notEnabled: .credentialsMissing
        case .notSecuredWithBiometrics: .credentialsPlain
        case .notLockedWithBiometrics: .credentialsNotLocked
        case .alreadyLockedWithBiometrics: .credentialsAlreadyLocked
        case .lockedWithBiometricsUseReset: .credentialsLocked
        case .lockedWithBiometricsCannotEnable: .credentialsLockedAlreadyStored
        case .alreadyUsesKeychain: .credentialsAlreadyPlain
        case .alreadySecuredByKeychainUseSecureFunction: .credentialsNeedUpgrade
        case .alreadySecuredWithBiometrics: .credentialsAlreadySecured
        case .retrievalFailure: .credentialsNotRead
        case .storingFailure: .credentialsNotStored
        case .busy: .busy
        }
    }
}
