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
    private(set) var warnings: [StatusWarning]
    /// What else stands against that TPM now.
    private(set) var trouble: TPMTrouble?
    /// The account whose password opens the vault.
    var account: VaultAccount?

    /// What is remembered of backups of the wallets as they are.
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

    /// The same where something stands against the TPM.
    func beside(_ trouble: TPMTrouble?) -> StatusReport {
        guard let warning = trouble?.warning else { return self }
        var report = self
        report.trouble = trouble
        report.warnings.insert(warning, at: 0)
        return report
    }

    /// What the owner proves: on an account's vault no text says "PIN".
    var factor: VaultPolicy.StrongFactor { account == nil ? snapshot.policy.strongFactor : .accountPassword }

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
        case .tpmLockedOut, .tpmExchanged, .tpmOwnerOff, .tpmOwned, .tpmSilent:
            [trouble?.remark ?? warning.text]
        case .ledgerDamaged: [ledgerDamaged]
        default: [warning.text.naming(factor)]
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
