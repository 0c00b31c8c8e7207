extension ErrorCode {
    /// Every code, in order: for documentation, translation and tests.
    public static let catalogue: [ErrorCode] = [
        .biometricsUnavailable, .wrongSecretForEnabling, .biometricsNotStored, .biometricsNotPurged,
        .biometricsNotRecognised, .promptCancelled, .strongFactorRefused, .ledgerUnreliable, .biometricsChanged,
        .sessionExpired, .securityEventMissing, .auditUnavailable,
        .strongFactorRequired, .attemptDelayed, .localSecretSuspended, .locked, .authorizationExpired, .exportOnly,
        .busy, .assuranceTooLow, .biometricsAlreadyEnabled, .consentMissing, .accountRequired, .systemModeOnly,
        .systemModeOff, .systemModeNotOffered, .recoveryKeyRequired, .systemPromptEnded, .passcodeMissing,
        .migrationIncomplete,
        .vaultMissing, .vaultExists, .vaultNewer, .vaultDamaged, .vaultUnsafe, .storageUnavailable, .diskFull,
        .deviceMismatch, .keyMissing, .vaultTampered, .resetPending, .protectionDropped, .legacyMissing,
        .legacyAlreadyMigrated, .migrationConflict, .legacyNotErased, .hardwareRequired, .olderCopy,
        .formerSecretRemains, .costTooHigh,
        .usage, .inputClosed, .secretTooShort, .secretTooCommon, .secretTooWeakForDevice, .confirmationDiffers,
        .secretMalformed, .recoveryKeyMalformed, .recoveryMissing, .nameInvalid, .nameTaken, .walletMissing,
        .mnemonicWordUnknown, .mnemonicChecksumWrong, .mnemonicLengthWrong, .privateKeyMalformed, .secretSizeWrong,
        .confirmationMissing, .fileExists, .backupInsideVault, .legacyMalformed, .legacyVersionUnknown,
        .legacySecretRefused, .legacyChecksumWrong, .backupTooLarge,
        .credentialsUnavailable, .credentialsMissing, .credentialsPlain, .credentialsNotLocked,
        .credentialsAlreadyLocked, .credentialsLocked, .credentialsLockedAlreadyStored,
        .credentialsAlreadyPlain, .credentialsNeedUpgrade, .credentialsAlreadySecured,
        .credentialsNotRead, .credentialsNotStored,
    ]
}

extension StrongFactorReason {
    /// What the caller is told; whatever nobody classified ends in the strong factor (seed 002).
    public var errorCode: ErrorCode {
        switch self {
        case .ledgerUnreliable: .ledgerUnreliable
        case .policyEpochOld, .serverUnheard: .securityEventMissing
        case .rebooted, .clockIncoherent, .idle, .strongFactorAged: .sessionExpired
        case .biometricsChanged: .biometricsChanged
        case .biometricsUnavailable: .biometricsUnavailable
        case .cancelled: .promptCancelled
        case .biometricsDisabled, .lockedOut, .tooManyMismatches, .reinstalled, .fallbackChosen, .unclassified,
            .unexpectedEvent:
            .strongFactorRequired
        }
    }
}
