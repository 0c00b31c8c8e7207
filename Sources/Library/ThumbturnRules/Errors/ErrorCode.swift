/// A stable code for everything that can go wrong, with a message for the user and what the user can do.
///
/// Codes are added, never renumbered or reused. `ERR-107-…` are seed 002's; `ERR-TT-…` are ours.
@nonexhaustive
public enum ErrorCode: Hashable, Sendable, CaseIterable {
    // Seed 002, section 6: twelve codes with its French text, word for word.
    /// Biometrics can't be used on this device, or not now.
    case biometricsUnavailable
    /// The PIN or password entered to enable biometrics is wrong.
    case wrongSecretForEnabling
    /// The intermediate secret could not be stored as asked.
    case biometricsNotStored
    /// Not every artefact could be deleted; biometrics are off in any case.
    case biometricsNotPurged
    /// The finger or face was not recognised.
    case biometricsNotRecognised
    /// The prompt was dismissed.
    case promptCancelled
    /// The PIN, password or recovery key is wrong.
    ///
    /// A tampered slot deliberately gives the same error.
    case strongFactorRefused
    /// The ledger of failures is missing, forged, unreadable or rolled back.
    case ledgerUnreliable
    /// The enrolled set changed.
    case biometricsChanged
    /// Boot, idle time, age or clocks require the strong factor.
    case sessionExpired
    /// An expected answer of the server is missing.
    case securityEventMissing
    /// The audit service can't be reached; events wait on the device.
    case auditUnavailable

    // Ours: unlocking.
    /// The strong factor is needed for a reason that has no code of its own.
    case strongFactorRequired
    /// A delay of the attempt schedule is running.
    case attemptDelayed
    /// Ten wrong secrets, and another slot opens the vault.
    case localSecretSuspended
    /// The vault is locked and this needs a session.
    case locked
    /// This needs the strong factor, entered within the last minute.
    case authorizationExpired
    /// The session may only read and export.
    case exportOnly
    /// Another operation on the vault is in progress.
    case busy
    /// The device's assurance is below what the policy requires.
    case assuranceTooLow
    /// Biometrics are already on.
    case biometricsAlreadyEnabled
    /// The owner's explicit consent is missing.
    case consentMissing
    /// The vault's strong factor is an account's password, which only the account's client can prove.
    case accountRequired
    /// Only the system's authentication opens the vault: it has no PIN and no biometric slot (S-06).
    case systemModeOnly
    /// The system's authentication does not open this vault.
    case systemModeOff
    /// The feature flag does not offer system authentication to this user (S-01).
    case systemModeNotOffered
    /// A confirmed recovery key must exist first, since afterwards the system controls every other way in.
    case recoveryKeyRequired
    /// The system's prompt was dismissed or failed too often (S-06).
    case systemPromptEnded
    /// The device has no passcode, so nothing can be kept behind it.
    case passcodeMissing
    /// The wallet was migrated by biometrics, and the PIN must complete that first (K-08).
    case migrationIncomplete
    /// The PIN was right, but the vault's key is behind biometrics: they are needed too, unless the owner gives them
    /// up.
    case migrationNeedsBiometrics
    /// The system's prompt took a proof that the vault does not, such as an Apple Watch.
    case proofNotAccepted

    // Ours: storage and device.
    /// There is no vault here.
    case vaultMissing
    /// There is a vault here already.
    case vaultExists
    /// The vault was written by a newer version.
    case vaultNewer
    /// The vault's file is damaged, or not a vault.
    case vaultDamaged
    /// The vault's file or folder can be read or written by others, or is not a plain file.
    case vaultUnsafe
    /// The vault or the device's store can't be read or written now.
    case storageUnavailable
    /// The disk is full.
    case diskFull
    /// The vault was made on another kind of device.
    case deviceMismatch
    /// The device secret that the PIN needs, or the key of system mode, is not on this device.
    case keyMissing
    /// The vault opened, but what it authenticates was changed.
    case vaultTampered
    /// A reset was started and must be completed.
    case resetPending
    /// The store protects an item less than requested.
    case protectionDropped
    /// There is no former app's wallet to migrate.
    case legacyMissing
    /// This wallet was already migrated.
    case legacyAlreadyMigrated
    /// The former app's copies of one wallet differ: both are kept (K-09).
    case migrationConflict
    /// The wallet is in the vault, but some of the former app's data could not be erased yet.
    case legacyNotErased
    /// The caller requires hardware-guarded keys, and this device has no such hardware (C14).
    case hardwareRequired
    /// Another copy of the vault was used since this one, or its ledger was changed, so that this can't be ruled out:
    /// only export, until the owner accepts it.
    case olderCopy
    /// The new PIN or password is in force, but the device did not confirm yet that the former one's secret is gone.
    case formerSecretRemains
    /// The PIN's slot requires more memory or time than any vault may: an attacker may have changed it (A5).
    case costTooHigh
    /// The log beside a vault's file can't be used: the latest changes may be missing.
    case logUnusable
    /// The device's trail, or an export of one, was changed, or part of it is missing.
    case trailBroken
    /// The PIN's slot requires more memory than the app allows this part of itself, such as an extension.
    case memoryNotAllowed

    // Ours: the user's input.
    /// Unknown command, option or value.
    case usage
    /// Standard input, or the descriptor for secrets, ended before the input was complete.
    case inputClosed
    /// The PIN or password is too short.
    case secretTooShort
    /// The PIN or password is one of the first that an attacker would try.
    case secretTooCommon
    /// The PIN or password is too short for a device secret in a file: it must withstand offline guessing.
    case secretTooWeakForDevice
    /// The repeated input differs.
    case confirmationDiffers
    /// The PIN or password is longer than 1,024 bytes, contains a control character, or is not UTF-8.
    case secretMalformed
    /// The recovery key has a typing mistake.
    case recoveryKeyMalformed
    /// There is no recovery slot.
    case recoveryMissing
    /// The name is empty, too long, or contains a character that can't be shown.
    case nameInvalid
    /// Another wallet has this name.
    case nameTaken
    /// No wallet has this name.
    case walletMissing
    /// A word is not in the English list of BIP-39.
    case mnemonicWordUnknown
    /// The checksum of the mnemonic is wrong.
    case mnemonicChecksumWrong
    /// A mnemonic has 12, 15, 18, 21 or 24 words.
    case mnemonicLengthWrong
    /// A private key is 32 bytes in hexadecimal.
    case privateKeyMalformed
    /// The secret is empty or longer than 1 MiB.
    case secretSizeWrong
    /// The confirmation was not typed.
    case confirmationMissing
    /// The file already exists, or can't be written.
    case fileExists
    /// A backup in the vault's folder could be mistaken for one of its own files.
    case backupInsideVault
    /// Not a former app's wallet, or cut short.
    case legacyMalformed
    /// A former app's format, in an unknown version.
    case legacyVersionUnknown
    /// The PIN or password does not open the former wallet.
    case legacySecretRefused
    /// The former wallet opens, but does not contain a valid mnemonic.
    case legacyChecksumWrong
    /// A backup is larger than the limit.
    case backupTooLarge
    /// The former wallet opens, but contains something other than a mnemonic.
    case legacyHoldsOther
    /// Not an export of a trail, or one of another version.
    case trailMalformed

    // Ours: the credential vault; the twelve errors of seed 004, with their names in brackets.
    /// Biometrics can't be used (`notAvailable`).
    case credentialsUnavailable
    /// Nothing is stored (`notEnabled`).
    case credentialsMissing
    /// The credentials are stored without biometrics (`notSecuredWithBiometrics`).
    case credentialsPlain
    /// The credentials are not locked (`notLockedWithBiometrics`).
    case credentialsNotLocked
    /// The credentials are already locked (`alreadyLockedWithBiometrics`).
    case credentialsAlreadyLocked
    /// The credentials are locked: unlock them, or reset (`lockedWithBiometricsUseReset`).
    case credentialsLocked
    /// Locked credentials would be overwritten (`lockedWithBiometricsCannotEnable`).
    case credentialsLockedAlreadyStored
    /// Credentials are already stored without biometrics (`alreadyUsesKeychain`).
    case credentialsAlreadyPlain
    /// Credentials are stored without biometrics: upgrade them (`alreadySecuredByKeychainUseSecureFunction`).
    case credentialsNeedUpgrade
    /// Credentials are already stored behind biometrics (`alreadySecuredWithBiometrics`).
    case credentialsAlreadySecured
    /// The credentials could not be read (`retrievalFailure`).
    case credentialsNotRead
    /// The credentials could not be stored (`storingFailure`); the existing ones stay.
    case credentialsNotStored

    // Ours: the account and its service.
    /// The account's service can't be reached, or did not answer.
    case serviceUnreachable
    /// The service did not prove that it knows the account, or sent an invalid answer.
    case serviceNotProved
    /// The service requires a smaller group or a cheaper derivation than this device has used before.
    case serviceWeakened
    /// An account has this name, and the password entered to register it is not its password.
    case accountNameTaken
    /// The name is not valid for an account.
    case accountNameInvalid
    /// The envelope of the account's keys is missing, unreadable, or has no key for this device; nothing was
    /// overwritten.
    case accountKeyMissing
    /// The vault on this device belongs to another account, or has no account.
    case accountMismatch
    /// The account was changed in the meantime; nothing of this change was stored.
    case accountChanged
    /// Too many devices have not logged in since the last changes, so that their keys fill the envelope.
    case accountDevicesLag
    /// The answer is from another service than the account's, or an older state of it; nothing was changed.
    case serviceDiffers
    /// The vault knows its account's service at another address.
    case serviceElsewhere
    /// The answer to this device's request is not proved by its last login: it counts as silence, and a login repairs
    /// that.
    case contactNotProved
    /// The service's certificate has expired, by this machine's clock.
    case certificateExpired
    /// The service's certificate is not valid yet, or everything that vouches for it has expired: this machine's clock
    /// is wrong.
    case certificateClock
    /// No authority that this machine trusts vouches for the service.
    case certificateUnknown
    /// The service does not register new accounts, or has reached its limit.
    case registrationClosed
    /// No account has this name; only the service's operator sees this.
    case accountUnknown
    /// What the account's service signed for its log contradicts itself, or the log lost what the service acknowledged.
    case logContradicted

    /// What the user can do.
    @nonexhaustive
    public enum Recovery: Hashable, Sendable {
        /// Try the same again.
        case retry
        /// Ask for the PIN or password.
        case offerStrongFactor
        /// Ask for the PIN or password, then offer to turn biometrics on again.
        case strongFactorThenReenable
        /// Wait, then try again.
        case wait
        /// Enter the recovery key.
        case useRecoveryKey
        /// Correct the input.
        case correctInput
        /// Fix what is outside the vault: disk, permissions, version.
        case mendEnvironment
        /// Export what opens, then create a new vault.
        case exportAndRenew
        /// Authenticate with the device's own prompt.
        case offerSystem
        /// Close the app and open it again, or reset the wallet (S-06).
        case reopen
    }

    /// The exit status of a command that ends with this code (design section 8).
    package enum Category: UInt8, Hashable, Sendable {
        /// Wrong secret, locked out, cancelled, not allowed.
        case refused = 1
        /// Wrong usage or input.
        case usage = 2
        /// Storage or device unavailable.
        case unavailable = 3
        /// Something failed to verify.
        case verificationFailed = 4
    }
}

extension ErrorCode {
    /// The code, for example `ERR-107-031`.
    public var text: String { entry.text }
    /// What the user can do.
    public var recovery: Recovery { entry.recovery }
    /// The exit status of a command.
    package var category: Category { entry.category }
}

extension ErrorCode {
    /// Returns the message for the user.
    ///
    /// - Parameters:
    ///   - language: the user's language.
    ///   - biometry: the device's sensor; when seed 002's text names Apple's two sensors and the device has neither,
    ///     the message names the device's own.
    ///   - factor: the vault's strong factor; the message for an account's vault names no PIN.
    public func message(
        in language: Language,
        naming biometry: BiometricCapability.BiometryType? = nil,
        asking factor: VaultPolicy.StrongFactor = .localSecret
    ) -> String {
        message(naming: biometry, asking: factor).in(language)
    }

    /// Returns the message in both languages.
    package func message(
        naming biometry: BiometricCapability.BiometryType? = nil,
        asking factor: VaultPolicy.StrongFactor = .localSecret
    ) -> Words {
        if factor == .accountPassword, let words = messageOfAccount { return words }
        return message(naming: biometry).naming(factor)
    }

    /// The messages for an account's vault when replacing the word PIN is not enough.
    private var messageOfAccount: Words? {
        switch self {
        case .secretTooShort, .secretTooWeakForDevice:
            Words(
                "A password needs 8 characters or more, or 12 if all are digits.",
                "Un mot de passe demande au moins 8 caractères, ou 12 si tous sont des chiffres."
            )
        case .accountRequired:
            Words(
                "An account's password opens this vault, and is changed with the account.",
                "Le mot de passe d'un compte ouvre ce coffre, et se change avec le compte."
            )
        default: nil
        }
    }

    private func message(naming biometry: BiometricCapability.BiometryType?) -> Words {
        switch (self, biometry) {
        case (.biometricsUnavailable, .touchID?):
            Words(
                "Fingerprint recognition is not available on this device.",
                "Reconnaissance d'empreinte digitale non disponible sur cet appareil."
            )
        case (.biometricsUnavailable, .faceID?):
            Words(
                "Face recognition is not available on this device.",
                "Reconnaissance faciale non disponible sur cet appareil."
            )
        case (_, _): entry.message
        }
    }

    /// Returns one line that tells what to do.
    ///
    /// - Parameters:
    ///   - language: the user's language.
    ///   - recoveryKeyOpens: whether there is a recovery key, which has no delay; otherwise the hint does not mention
    ///     one.
    ///   - factor: the vault's strong factor.
    public func hint(
        in language: Language,
        recoveryKeyOpens: Bool = false,
        asking factor: VaultPolicy.StrongFactor = .localSecret
    ) -> String {
        hint(recoveryKeyOpens: recoveryKeyOpens, asking: factor).in(language)
    }

    /// Returns the hint in both languages.
    package func hint(recoveryKeyOpens: Bool = false, asking factor: VaultPolicy.StrongFactor = .localSecret) -> Words {
        // Seed 002, section 6: contact support if it persists.
        if self == .biometricsNotStored {
            return recovery.words
                + Words(
                    "; if it keeps happening, ask the app's support",
                    " ; si cela persiste, contactez le support de l'app"
                )
        }
        guard recoveryKeyOpens, recovery == .wait else { return recovery.words.naming(factor) }
        return recovery.words + Words("; the recovery key opens at once", " ; la clé de secours ouvre tout de suite")
    }
}

extension ErrorCode.Recovery {
    var words: Words {
        switch self {
        case .retry: Words("try again", "réessayez")
        case .offerStrongFactor:
            Words("unlock with your PIN or password", "déverrouillez avec votre code ou mot de passe")
        case .strongFactorThenReenable:
            Words(
                "unlock with your PIN or password, then enable biometrics again",
                "déverrouillez avec votre code ou mot de passe, puis réactivez la biométrie"
            )
        case .wait:
            Words(
                "leave the device on, or check again before you switch it off; then try again",
                "laissez l'appareil allumé, ou revenez voir avant de l'éteindre ; puis réessayez"
            )
        case .useRecoveryKey:
            Words("open the vault with its recovery key", "ouvrez le coffre avec sa clé de secours")
        case .correctInput:
            Words(
                "correct the input and try again; nothing was changed",
                "corrigez la saisie et réessayez ; rien n'a été modifié"
            )
        case .mendEnvironment:
            Words(
                "fix the cause and try again; nothing was changed",
                "corrigez la cause et réessayez ; rien n'a été modifié"
            )
        case .exportAndRenew:
            Words("export what opens, then make a new vault", "exportez ce qui s'ouvre, puis créez un nouveau coffre")
        case .offerSystem:
            Words(
                "unlock with your device's own authentication",
                "déverrouillez avec l'authentification de votre appareil"
            )
        case .reopen:
            Words(
                "close the app and open it again; a reset erases the wallet",
                "fermez l'application et rouvrez-la ; une réinitialisation efface le portefeuille"
            )
        }
    }
}
