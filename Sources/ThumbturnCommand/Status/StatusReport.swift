import Thumbturn

/// What `status` tells of a locked vault, with nothing that needs a key.
struct StatusReport: Sendable {
    let snapshot: VaultSnapshot
    let folder: String
    /// The wall clock of the device, so that ages are told in its time.
    let now: Milliseconds
    /// What guards the device secret.
    let assurance: Assurance
    let warnings: [StatusWarning]

    init(_ snapshot: VaultSnapshot, folder: String, device: Device) {
        self.snapshot = snapshot
        self.folder = folder
        now = device.clock().wall
        assurance = device.store.assurance(of: .deviceOnly)
        let probe = unsafe SecretBytes(byteCount: 32) { _ in }
        warnings = StatusWarning.all(
            of: snapshot,
            assurance: assurance,
            memoryIsLocked: probe.isLocked,
            isHardened: Hardening.isInForce
        )
    }

    init(_ snapshot: VaultSnapshot, folder: String, now: Milliseconds, assurance: Assurance, warnings: [StatusWarning])
    {
        self.snapshot = snapshot
        self.folder = folder
        self.now = now
        self.assurance = assurance
        self.warnings = warnings
    }
}

/// Anything unusual; the names are stable.
enum StatusWarning: String, Hashable, Sendable, CaseIterable {
    case keyMissing
    case resetPending
    case ledgerUnreliable
    case biometricsRevoked
    case passcodeOpens
    case assuranceBelowHardware
    case memoryNotLocked
    case processNotHardened

    static func all(
        of snapshot: VaultSnapshot,
        assurance: Assurance,
        memoryIsLocked: Bool,
        isHardened: Bool
    ) -> [StatusWarning] {
        var warnings: [StatusWarning] = []
        switch snapshot.condition {
        case .ready: break
        case .keyMissing: warnings.append(.keyMissing)
        case .resetPending: warnings.append(.resetPending)
        }
        // Without its key the ledger can't be read at all, which the first warning says better.
        if snapshot.condition == .ready, !snapshot.ledgerIsReliable { warnings.append(.ledgerUnreliable) }
        if case .revoked = snapshot.biometrics { warnings.append(.biometricsRevoked) }
        if snapshot.mode == .system { warnings.append(.passcodeOpens) }
        if assurance < .hardwareBound { warnings.append(.assuranceBelowHardware) }
        if !memoryIsLocked { warnings.append(.memoryNotLocked) }
        if !isHardened { warnings.append(.processNotHardened) }
        return warnings
    }

    func text(_ assurance: Assurance) -> Text {
        switch self {
        case .keyMissing:
            Text("the device key is missing: only the recovery key opens", "clé de l'appareil absente : clé de secours")
        case .resetPending:
            Text("a reset was begun: run `thumbturn reset`", "réinitialisation commencée : `thumbturn reset`")
        case .ledgerUnreliable:
            Text("the record of failures can't be believed: longest wait", "registre d'échecs douteux : délai maximal")
        case .biometricsRevoked:
            Text("biometrics were revoked: unlock, then enable again", "biométrie révoquée : déverrouillez, réactivez")
        case .passcodeOpens:
            Text("whoever knows this device's passcode opens the vault", "le code de cet appareil ouvre le coffre")
        case .assuranceBelowHardware where assurance == .simulated:
            Text("simulated: nothing here protects a real secret", "simulated : rien ici ne protège un vrai secret")
        case .assuranceBelowHardware:
            Text("no hardware guards the device key", "aucun matériel ne garde la clé de l'appareil")
        case .memoryNotLocked:
            Text("secrets in memory may be swapped to disk", "la mémoire peut être écrite sur le disque")
        case .processNotHardened:
            Text("core files or debuggers are not shut out", "fichiers core ou débogueurs non exclus")
        }
    }
}
