import Thumbturn
import ThumbturnConsole
import ThumbturnRules

/// What `status` tells of a locked vault, with nothing that needs a key.
struct StatusReport: Sendable {
    let snapshot: VaultSnapshot
    let folder: String
    /// What holds the keys; nil for a device that is not in this build.
    let keys: DeviceChoice?
    /// The wall clock of the device, so that ages are told in its time.
    let now: Milliseconds
    /// What guards the device secret.
    let assurance: Assurance
    /// What stands against the TPM that it is on.
    let doubts: [TPMProperties.Doubt]
    let warnings: [StatusWarning]
    /// The account whose password opens the vault.
    var account: VaultAccount?

    /// What is remembered of backups of the wallets as they are.
    let backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?)

    init(
        _ snapshot: VaultSnapshot,
        backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?) = (nil, nil),
        folder: String,
        device: Device
    ) {
        self.backup = backup
        self.snapshot = snapshot
        self.folder = folder
        keys = DeviceChoice(of: device)
        now = device.clock().wall
        assurance = snapshot.assurance
        doubts = device.doubts
        warnings = StatusWarning.all(
            of: snapshot,
            backup: backup,
            assurance: assurance,
            memoryIsLocked: Self.memoryIsLocked,
            isHardened: Hardening.isInForce
        )
    }

    /// Whether memory for secrets stays out of swap.
    static var memoryIsLocked: Bool {
        let probe = unsafe SecretBytes(byteCount: 32) { _ in }
        return probe.isLocked
    }

    /// Whether what only the head tells is known: the ways in, and how many wallets there are.
    var knowsHead: Bool { snapshot.condition == .resetPending || snapshot.headIsReadable }

    /// Whether what opens the vault would only export: head and ledger do not fit each other, or the device.
    var onlyExports: Bool { snapshot.condition == .ready && snapshot.isOlderCopy }

    /// What is said of a warning, a line each.
    func lines(of warning: StatusWarning) -> [Words] {
        switch warning {
        case .assuranceBelowHardware: [keys?.text(withWorth: doubts)].compactMap(\.self) + doubts.remedies
        case .keyMissing: [keyMissing]
        case .ledgerDamaged: [ledgerDamaged]
        default: [warning.text]
        }
    }

    /// The same where nothing can count.
    private var ledgerDamaged: Words {
        switch snapshot.recoveryKey {
        case .there: StatusWarning.ledgerDamaged.text
        case .missing:
            Words(
                "the count of tries is damaged, and there is no recovery key: nothing opens",
                "compte des essais endommagé, et pas de clé de secours : rien n'ouvre"
            )
        case .unknown:
            Words(
                "the count of tries is damaged: only a recovery key, if any, exports",
                "compte des essais endommagé : seule une clé de secours exporterait"
            )
        }
    }

    /// What is left without the device's part: a recovery key is named only where there is one.
    private var keyMissing: Words {
        switch snapshot.recoveryKey {
        case .there: StatusWarning.keyMissing.text
        case .missing:
            Words(
                "the device key is missing, and there is no recovery key: nothing opens",
                "clé de l'appareil absente, et pas de clé de secours : rien n'ouvre"
            )
        case .unknown:
            Words(
                "the device key is missing: only a recovery key, if any, opens",
                "clé de l'appareil absente : seule une clé de secours ouvrirait"
            )
        }
    }
}

/// Anything unusual; the names are stable.
enum StatusWarning: String, Hashable, Sendable, CaseIterable {
    case keyMissing
    case ledgerDamaged
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
    case memoryNotLocked
    case processNotHardened

    static func all(
        of snapshot: VaultSnapshot,
        backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?) = (nil, nil),
        assurance: Assurance,
        memoryIsLocked: Bool,
        isHardened: Bool
    ) -> [StatusWarning] {
        var warnings: [StatusWarning] = []
        switch snapshot.condition {
        case .ready: break
        case .keyMissing: warnings.append(.keyMissing)
        case .ledgerDamaged: warnings.append(.ledgerDamaged)
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
            let waits = snapshot.slots.contains { $0.kind == .recovery }
            warnings.append(waits ? .recoveryKeyUnconfirmed : .recoveryKeyMissing)
        }
        guard snapshot.walletCount > 0 else { return warnings }
        if backup.madeAt == nil {
            warnings.append(.backupMissing)
        } else if backup.verifiedAt == nil {
            warnings.append(.backupUnverified)
        }
        return warnings
    }

    /// In words; of the device a report can say more.
    var text: Words {
        switch self {
        case .keyMissing:
            Words(
                "the device key is missing: only the recovery key opens",
                "clé de l'appareil absente : clé de secours"
            )
        case .ledgerDamaged:
            Words(
                "the count of tries is damaged: only the recovery key exports",
                "compte des essais endommagé : seule la clé de secours exporte"
            )
        case .resetPending:
            Words("a reset was begun: run `thumbturn reset`", "réinitialisation commencée : `thumbturn reset`")
        case .headUnreadable:
            Words(
                "the vault's head is damaged: export the wallets, then make a new vault",
                "en-tête du coffre endommagé : exportez, puis créez un nouveau coffre"
            )
        case .slotDamaged:
            Words(
                "one row of a way in is damaged, its copy opens: the PIN mends it",
                "une ligne d'un accès est abîmée, sa copie ouvre : le code la répare"
            )
        case .ledgerUnreliable:
            Words("the record of failures can't be believed: longest wait", "registre d'échecs douteux : délai maximal")
        case .olderCopy:
            Words(
                "an older copy, or a head or ledger that was changed: it only exports",
                "copie plus ancienne, en-tête ou registre changé : exportation seule"
            )
        case .formerSecretRemains:
            Words(
                "a former PIN may still open an old copy: `thumbturn status` again",
                "un ancien code peut ouvrir une ancienne copie : `thumbturn status`"
            )
        case .recoveryKeyMissing:
            Words(
                "no recovery key that was typed back: `thumbturn recovery create`",
                "pas de clé de secours retapée : `thumbturn recovery create`"
            )
        case .recoveryKeyUnconfirmed:
            Words(
                "the recovery key was not typed back: `thumbturn recovery check`",
                "clé de secours non retapée : `thumbturn recovery check`"
            )
        case .backupMissing:
            Words(
                "no backup since the wallets changed: `thumbturn backup FILE`",
                "pas de sauvegarde depuis que les portefeuilles ont changé : `thumbturn backup FICHIER`"
            )
        case .backupUnverified:
            Words(
                "the backup was never tried: `thumbturn backup verify FILE`",
                "la sauvegarde n'a jamais été essayée : `thumbturn backup verify FICHIER`"
            )
        case .halfMigrated:
            Words(
                "biometrics alone open it: `thumbturn unlock` with the PIN finishes the move",
                "seule la biométrie l'ouvre : `thumbturn unlock` avec le code achève le transfert"
            )
        case .biometricsRevoked:
            Words("biometrics were revoked: unlock, then enable again", "biométrie révoquée : déverrouillez, réactivez")
        case .passcodeOpens:
            Words("whoever knows this device's passcode opens the vault", "le code de cet appareil ouvre le coffre")
        case .assuranceBelowHardware:
            Words("no hardware guards the device key", "aucun matériel ne garde la clé de l'appareil")
        case .secretMayBeTooShort:
            Words(
                "a PIN under 12 digits is too short here now: `thumbturn pin change`",
                "un code de moins de 12 chiffres est trop court : `thumbturn pin change`"
            )
        case .memoryNotLocked:
            Words("secrets in memory may be swapped to disk", "la mémoire peut être écrite sur le disque")
        case .processNotHardened:
            Words("core files or debuggers are not shut out", "fichiers core ou débogueurs non exclus")
        }
    }
}
