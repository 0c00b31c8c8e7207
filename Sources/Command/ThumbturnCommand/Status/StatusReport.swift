import Thumbturn
import ThumbturnConsole
import ThumbturnRules

/// What `status` shows of a locked vault, without any key.
struct StatusReport: Sendable {
    let snapshot: VaultSnapshot
    let folder: String
    /// What holds the keys; `nil` for a device that this build does not have.
    let keys: DeviceChoice?
    /// The device's wall clock, for computing ages.
    let now: Milliseconds
    /// The assurance of the device secret.
    let assurance: Assurance
    /// The doubts about its TPM.
    let doubts: [TPMProperties.Doubt]
    private(set) var warnings: [StatusWarning]
    /// The current trouble with that TPM.
    private(set) var trouble: TPMTrouble?
    /// The account whose password opens the vault.
    var account: VaultAccount?
    /// The device's trail; `nil` if it can't be read.
    private(set) var trail: TrailSummary?

    /// When the wallets in their present state were last backed up and verified.
    let backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?)

    init(
        _ snapshot: VaultSnapshot,
        backup: (madeAt: Milliseconds?, verifiedAt: Milliseconds?) = (nil, nil),
        folder: String,
        device: Device,
        exposed: [String] = []
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
            folderIsExposed: !exposed.isEmpty,
            memoryIsLocked: Self.memoryIsLocked,
            isHardened: Hardening.isInForce
        )
    }

    /// Returns the report with what the trail says.
    func telling(_ trail: TrailSummary?) -> StatusReport {
        var report = self
        report.trail = trail
        if trail?.delivery?.halt?.isEvidence == true { report.warnings.insert(.logContradicted, at: 0) }
        return report
    }

    /// Returns the report with the TPM's trouble, if any.
    func beside(_ trouble: TPMTrouble?) -> StatusReport {
        guard let warning = trouble?.warning else { return self }
        var report = self
        report.trouble = trouble
        report.warnings.insert(warning, at: 0)
        return report
    }

    /// The secret that the owner proves: for an account's vault no text says "PIN".
    var factor: VaultPolicy.StrongFactor { account == nil ? snapshot.policy.strongFactor : .accountPassword }

    /// Whether memory for secrets is kept out of swap.
    static var memoryIsLocked: Bool {
        let probe = unsafe SecretBytes(byteCount: 32) { _ in }
        return probe.isLocked
    }

    /// Whether the head's contents are known: the slots and the number of wallets.
    var knowsHead: Bool { snapshot.condition == .resetPending || snapshot.headIsReadable }

    /// Whether opening the vault only exports, because head and ledger do not match each other or the device.
    var onlyExports: Bool { snapshot.condition == .ready && snapshot.isOlderCopy }

    /// Returns the text of a warning, one item per line.
    func lines(of warning: StatusWarning) -> [Words] {
        switch warning {
        case .assuranceBelowHardware: [keys?.text(withWorth: doubts)].compactMap(\.self) + doubts.remedies
        case .keyMissing: [keyMissing]
        case .tpmLockedOut, .tpmExchanged, .tpmOwnerOff, .tpmOwned, .tpmSilent:
            [trouble?.remark ?? warning.text]
        case .ledgerDamaged: [ledgerDamaged]
        default: [warning.text.naming(factor)]
        }
    }

    /// The text for a damaged ledger.
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

    /// The text for a missing device key; names a recovery key only if there is one.
    private var keyMissing: Words {
        guard snapshot.migration != .half else {
            return Words(
                "the device key is missing: only the former PIN opens",
                "clé de l'appareil absente : seul l'ancien code ouvre"
            )
        }
        return switch snapshot.recoveryKey {
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
