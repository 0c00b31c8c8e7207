import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The texts of a status.
extension StatusReport {
    /// The device and what holds its keys.
    var device: Words {
        guard let keys else { return Words(snapshot.device.name) }
        return keys == .simulated ? keys.text : Words(snapshot.device.name) + Words(", ") + keys.text
    }

    /// Whether the vault is locked, and how good that is.
    var stateWord: (Words, Tone) {
        switch snapshot.state {
        case .unlocked: (Words("UNLOCKED", "DÉVERROUILLÉ"), .good)
        case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor,
            .promptingSystem, .closedUntilReopened:
            (Words("LOCKED", "VERROUILLÉ"), snapshot.condition == .ready && !onlyExports ? .good : .bad)
        }
    }

    /// The text for what only a readable head would tell.
    static let unknown = Words("unknown", "inconnu")

    /// The text for a recovery key's location.
    static let kept = Words("you keep it", "à vous")

    /// The wording of seed 003.
    static let biometricsTitle = Words("Biometric Unlock", "Déverrouillage biométrique")

    /// What happened to the vault.
    static let trailTitle = Words("trail", "journal")

    /// Whether to mention biometrics: not on a device without a sensor (C9).
    var showsBiometrics: Bool { snapshot.capability.supported || snapshot.biometrics != .disabled }

    /// Returns the name of a slot.
    func name(of slot: VaultSnapshot.Slot) -> Words {
        slot.kind == .biometric ? snapshot.capability.biometryType.text : slot.kind.text
    }

    /// The number of wallets.
    var walletsLine: Words {
        guard knowsHead else { return Self.unknown }
        guard snapshot.walletCount > 0 else { return Words("none yet", "aucun") }
        return .wallets(snapshot.walletCount) + Words(" · unlock to see names", " · déverrouillez pour voir les noms")
    }

    /// The number of wrong PINs, up to the suspension limit.
    var failures: Int { Int(min(snapshot.failedAttempts, AttemptSchedule.suspensionLimit)) }

    /// The number of wrong PINs, and when the next attempt is allowed.
    var attemptsLine: Words {
        guard snapshot.ledgerIsReliable else { return attemptsWithoutCount }
        let limit = AttemptSchedule.suspensionLimit
        return Words("\(failures) of \(limit) wrong · ", "\(failures) sur \(limit) erronés · ") + nextAttempt
    }

    /// What opens the vault now, in a few words.
    var way: Words {
        let secret =
            factor == .localSecret
            ? Words("the PIN", "le code") : Words("the account's password", "le mot de passe du compte")
        switch (snapshot.condition, snapshot.nextAttempt, snapshot.decision) {
        case (.keyMissing, _, _) where snapshot.migration == .half: return secret + Self.opens
        case (.keyMissing, _, _), (.diskFull, _, _): return wayOfRecoveryKey(Self.opens)
        case (.ledgerDamaged, _, _): return wayOfRecoveryKey(Words(" exports", " exporte"))
        case (_, .suspended, _): return wayOfRecoveryKey(Self.opens)
        case (.resetPending, _, _), (_, _, .resetPending):
            return Words("a reset has to be completed", "réinitialisation à terminer")
        case (_, _, .promptSystem):
            return Words("this device's own authentication opens it", "l'authentification de cet appareil ouvre")
        case (_, _, .promptBiometrics):
            return snapshot.capability.biometryType.subject + Words(" or ", " ou ") + secret + Self.opens
        case (_, .wait(let span), _):
            return secret + Words(" opens it in ", " ouvre dans ") + .span(span) + purpose
        case (_, _, .requireStrongFactor) where onlyExports: return secret + Self.opens + purpose
        case (_, _, .requireStrongFactor(let reason)): return secret + Self.opens + reason.clause
        case (_, _, .storageUnavailable): return Words("storage is not available", "stockage indisponible")
        }
    }

    private static let opens = Words(" opens it", " ouvre")

    private func wayOfRecoveryKey(_ does: Words) -> Words {
        switch snapshot.recoveryKey {
        case .there: Words("the recovery key", "la clé de secours") + does
        case .missing: Words("nothing opens it here", "rien ne l'ouvre ici")
        case .unknown:
            Words("a recovery key", "une clé de secours") + does + Words(", if there is one", ", s'il y en a une")
        }
    }

    /// What it opens for, if not for everything.
    private var purpose: Words { onlyExports ? Words(", for export only", ", pour exporter seulement") : Words("") }

    /// The output of `biometrics status`.
    var biometricsText: Words {
        guard showsBiometrics else {
            return Words("This device has no biometric sensor.", "Cet appareil n'a pas de capteur biométrique.")
        }
        return Self.biometricsTitle + Words(": ", " : ") + biometricsLine + Words("\n") + way
    }

    /// Sensor, state and failures on one line.
    var biometricsLine: Words {
        let dot = Words(" · ")
        return snapshot.capability.biometryType.text + dot + snapshot.biometrics.text + dot
            + (snapshot.capability.reasonIfUnavailable?.text ?? Words("available", "disponible")) + dot
            + Words(
                "\(snapshot.failedBiometricAttempts) of \(snapshot.policy.biometricFailureLimit) failures",
                "échecs : \(snapshot.failedBiometricAttempts) sur \(snapshot.policy.biometricFailureLimit)"
            )
    }

    /// The trail's length and health.
    var trailLine: Words {
        guard let trail else { return Words("can't be read now", "illisible pour l'instant") }
        return .events(trail.count) + Words(" · ") + trail.health.text
    }

    /// What of it the account's log has.
    static let deliveryTitle = Words("log", "registre")

    /// How far it was delivered; `nil` for a vault without an account.
    var deliveryLine: Words? { trail?.delivery?.line }

    /// What stands before the fingerprint of the key that signs the trail.
    static let fingerprintTitle = Words("its key's fingerprint", "empreinte de sa clé")

    /// The policy's rules, one per line.
    var policyLines: [Words] {
        let policy = snapshot.policy
        var demands: [Words] = []
        if let idle = policy.strongFactorAfterIdle { demands.append(.span(idle) + Words(" idle", " d'inactivité")) }
        if let age = policy.strongFactorMaxAge { demands.append(.every(age)) }
        if policy.strongFactorAfterReboot { demands.append(Words("reboot", "redémarrage")) }
        demands.append(Words("\(policy.biometricFailureLimit) failures", "\(policy.biometricFailureLimit) échecs"))
        let list = demands.joined(separator: " · ")
        return [
            Words("locks after ", "verrouille après ") + .span(policy.locksAfterIdle)
                + (policy.locksInBackground
                    ? Words(" and in the background", " et en arrière-plan") : Words(" idle", " d'inactivité")),
            snapshot.mode == .system
                ? Words("asks for no PIN: this device decides", "n'exige aucun code : cet appareil décide")
                : Words("asks for the PIN: ", "exige le code : ").naming(factor) + list,
            Words("least assurance for biometrics: ", "assurance minimale pour la biométrie : ")
                + policy.minimumAssurance.text,
        ]
            + (policy.minimumSecretAssurance.map {
                [Words("least assurance for the PIN: ", "assurance minimale pour le code : ").naming(factor) + $0.text]
            } ?? []) + snapshot.waitingLines
    }

    /// The text for a count that can't be trusted; says nothing of a record that could not be read.
    var attemptsWithoutCount: Words {
        guard snapshot.condition == .ready else { return nextAttempt }
        return Words("the record was changed or put back · ", "registre modifié ou ancien · ") + nextAttempt
    }

    var nextAttempt: Words {
        if snapshot.condition == .keyMissing, snapshot.migration == .half {
            return Words("the former PIN opens it", "l'ancien code ouvre")
        }
        if snapshot.isShut {
            let words =
                snapshot.recoveryKey == .there
                ? Words("no PIN opens it: use the recovery key", "aucun code n'ouvre : utilisez la clé de secours")
                : Words("no PIN opens it", "aucun code n'ouvre")
            return words.naming(factor)
        }
        return switch snapshot.nextAttempt {
        case .allowed: Words("next try at once", "prochain essai tout de suite")
        case .wait(let span): Words("next try in ", "prochain essai dans ") + .span(span)
        case .suspended: Words("suspended: use the recovery key", "suspendu : utilisez la clé de secours")
        }
    }
}

extension VaultSnapshot {
    /// Whether no PIN is tried at all, so that waiting does not help.
    var isShut: Bool {
        switch condition {
        case .keyMissing, .ledgerDamaged, .diskFull: true
        case .ready, .resetPending: false
        }
    }
}

extension VaultSnapshot.Slot {
    /// Whether the slot is valid, as a word and a colour.
    var standing: (words: Words, tone: Tone) {
        isRevoked ? (Words("revoked", "révoqué"), .bad) : (Words("confirmed", "confirmé"), .good)
    }
}

extension BiometricLifecycle.State {
    var text: Words {
        switch self {
        case .disabled: Words("off", "désactivée")
        case .enabling: Words("being enabled", "en activation")
        case .enabled: Words("enabled", "activée")
        case .revoked: Words("revoked", "révoquée")
        }
    }
}

extension BiometricCapability.Reason {
    var text: Words {
        switch self {
        case .noHardware: Words("no sensor", "pas de capteur")
        case .notEnrolled: Words("no finger or face is enrolled", "ni empreinte ni visage enregistré")
        case .lockedOut: Words("locked out", "bloqué")
        case .permissionDenied: Words("permission denied", "permission refusée")
        case .noPasscode: Words("no device passcode", "pas de code d'appareil")
        case .temporarilyUnavailable: Words("not available now", "indisponible pour l'instant")
        }
    }
}

extension Milliseconds {
    /// The time for milliseconds since 1970, by this machine's time zone and with its distance to UTC, in ISO 8601
    /// format: `Z` in UTC itself.
    var localDate: String {
        var seconds = time_t(count / 1_000)
        var parts = unsafe tm()
        guard unsafe localtime_r(&seconds, &parts) != nil else { return date }
        let minutes = unsafe parts.tm_gmtoff / 60
        let shift = abs(minutes)
        let zone = minutes == 0 ? "Z" : (minutes < 0 ? "-" : "+") + Self.two(shift / 60) + ":" + Self.two(shift % 60)
        return unsafe Self.text(parts) + zone
    }

    /// The date for milliseconds since 1970, in UTC and ISO 8601 format.
    var date: String {
        var seconds = time_t(count / 1_000)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "?" }
        return unsafe Self.text(parts) + "Z"
    }

    private static func text(_ parts: tm) -> String {
        let day = unsafe "\(1_900 + parts.tm_year)-" + two(1 + parts.tm_mon) + "-" + two(parts.tm_mday)
        return unsafe day + "T" + two(parts.tm_hour) + ":" + two(parts.tm_min) + ":" + two(parts.tm_sec)
    }

    private static func two(_ number: some BinaryInteger) -> String { (number < 10 ? "0" : "") + String(number) }
}
