import Thumbturn
import ThumbturnRules

/// Anything unusual; the names are stable.
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
        // Where a reset was begun there is none to read.
        if snapshot.condition != .resetPending, !snapshot.headIsReadable { warnings.append(.headUnreadable) }
        if !snapshot.slotsAreWhole { warnings.append(.slotDamaged) }
        // Without its key the ledger can't be read at all, which the first warning says better.
        if snapshot.condition == .ready, !snapshot.ledgerIsReliable { warnings.append(.ledgerUnreliable) }
        // Of what is damaged nobody can say whether it is the newest, and that has a warning of its own.
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

    /// What is missing to come back from a lost PIN, device or folder; of a vault that can't be believed other warnings say more.
    private static func ofCopies(
        of snapshot: VaultSnapshot,
        _ backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?)
    ) -> [StatusWarning] {
        guard snapshot.condition == .ready, snapshot.headIsReadable, !snapshot.isOlderCopy else { return [] }
        var warnings: [StatusWarning] = []
        if snapshot.recoveryKey == .missing {
            // To make another one would take from its owner what is written down already.
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
    /// The warning of a status; nil where what is there works.
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
