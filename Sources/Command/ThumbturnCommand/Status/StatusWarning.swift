import Thumbturn
import ThumbturnRules

/// An unusual condition; the names are stable.
enum StatusWarning: String, Hashable, Sendable, CaseIterable {
    case tpmLockedOut
    case tpmExchanged
    case tpmOwnerOff
    case tpmOwned
    case tpmSilent
    case keyMissing
    case ledgerDamaged
    case diskFull
    case resetPending
    case headUnreadable
    case slotDamaged
    case ledgerUnreliable
    case olderCopy
    case logContradicted
    case formerSecretRemains
    case recoveryKeyMissing
    case recoveryKeyUnconfirmed
    case backupMissing
    case backupUnverified
    case halfMigrated
    case biometricsRevoked
    case passcodeOpens
    case assuranceBelowHardware
    case secretMayBeTooShort
    case folderExposed
    case memoryNotLocked
    case processNotHardened

    static func all(
        of snapshot: VaultSnapshot,
        backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?) = (nil, nil),
        assurance: Assurance,
        folderIsExposed: Bool = false,
        memoryIsLocked: Bool,
        isHardened: Bool
    ) -> [StatusWarning] {
        var warnings: [StatusWarning] = []
        switch snapshot.condition {
        case .ready: break
        case .keyMissing: warnings.append(.keyMissing)
        case .ledgerDamaged: warnings.append(.ledgerDamaged)
        case .diskFull: warnings.append(.diskFull)
        case .resetPending: warnings.append(.resetPending)
        }
        // A started reset has removed the head.
        if snapshot.condition != .resetPending, !snapshot.headIsReadable { warnings.append(.headUnreadable) }
        if !snapshot.slotsAreWhole { warnings.append(.slotDamaged) }
        // Without its key the ledger can't be read at all, which `keyMissing` says better.
        if snapshot.condition == .ready, !snapshot.ledgerIsReliable { warnings.append(.ledgerUnreliable) }
        // Damaged data can't be dated, and has its own warning.
        if snapshot.isOlderCopy, snapshot.headIsReadable, snapshot.condition != .ledgerDamaged {
            warnings.append(.olderCopy)
        }
        if snapshot.formerSecretRemains { warnings.append(.formerSecretRemains) }
        warnings += ofCopies(of: snapshot, backup)
        if snapshot.migration == .half { warnings.append(.halfMigrated) }
        if case .revoked = snapshot.biometrics { warnings.append(.biometricsRevoked) }
        if snapshot.mode == .system { warnings.append(.passcodeOpens) }
        if assurance < .hardwareBound { warnings.append(.assuranceBelowHardware) }
        if snapshot.asksForLongerSecret { warnings.append(.secretMayBeTooShort) }
        if folderIsExposed { warnings.append(.folderExposed) }
        if !memoryIsLocked { warnings.append(.memoryNotLocked) }
        if !isHardened { warnings.append(.processNotHardened) }
        return warnings
    }

    /// Returns what is missing for surviving a lost PIN, device or folder; nothing for a vault that other warnings
    /// cover.
    private static func ofCopies(
        of snapshot: VaultSnapshot,
        _ backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?)
    ) -> [StatusWarning] {
        guard snapshot.condition == .ready, snapshot.headIsReadable, !snapshot.isOlderCopy else { return [] }
        var warnings: [StatusWarning] = []
        if snapshot.recoveryKey == .missing {
            // Creating another key would invalidate the one that the owner has written down.
            warnings.append(snapshot.recoveryKeyAwaitsCheck ? .recoveryKeyUnconfirmed : .recoveryKeyMissing)
        }
        guard snapshot.walletCount > 0 else { return warnings }
        if backup.madeAt == nil {
            warnings.append(.backupMissing)
        } else if backup.verifiedAt == nil {
            warnings.append(.backupUnverified)
        }
        return warnings
    }
}

extension TPMTrouble {
    /// The status warning about it; `nil` if the TPM still works.
    var warning: StatusWarning? {
        switch self {
        case .lockedOut: .tpmLockedOut
        case .another: .tpmExchanged
        case .ownerIsOff: .tpmOwnerOff
        case .ownerHasPassword: .tpmOwned
        case .full: nil
        case .silent: .tpmSilent
        }
    }
}
