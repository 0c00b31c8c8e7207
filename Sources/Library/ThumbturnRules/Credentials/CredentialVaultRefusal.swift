/// Why a credential vault does not do what was asked: the twelve situations of seed 004, and one that is ours.
package enum CredentialVaultRefusal: Hashable, Sendable, CaseIterable {
    /// Biometrics can't be used now.
    case notAvailable
    /// Nothing is stored.
    case notEnabled
    /// What is stored is not behind biometrics.
    case notSecuredWithBiometrics
    /// What is stored can be read already.
    case notLockedWithBiometrics
    /// What is stored is locked already.
    case alreadyLockedWithBiometrics
    /// What is stored is locked: it can be unlocked, or reset.
    case lockedWithBiometricsUseReset
    /// What is stored is locked, and is not overwritten.
    case lockedWithBiometricsCannotEnable
    /// Something is stored without biometrics, and is not overwritten.
    case alreadyUsesKeychain
    /// Something is stored without biometrics: it can be upgraded.
    case alreadySecuredByKeychainUseSecureFunction
    /// Something is stored behind biometrics, and is not overwritten.
    case alreadySecuredWithBiometrics
    /// What is stored can't be read, or is not what was put in.
    case retrievalFailure
    /// What was to be stored was not; what was there is untouched.
    case storingFailure
    /// Another request is under way.
    case busy

    /// What the caller is told.
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
