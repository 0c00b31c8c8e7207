import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The words of a status.
extension StatusReport {
    /// What opens the vault now, in a few words.
    var way: Text {
        let secret =
            snapshot.policy.strongFactor == .localSecret ? Text("the PIN", "le code") : SlotKind.localSecret.text
        switch (snapshot.condition, snapshot.nextAttempt, snapshot.decision) {
        case (.keyMissing, _, _): return wayOfRecoveryKey(Self.opens)
        case (.ledgerDamaged, _, _): return wayOfRecoveryKey(Text(" exports", " exporte"))
        case (_, .suspended, _): return wayOfRecoveryKey(Self.opens)
        case (.resetPending, _, _), (_, _, .resetPending):
            return Text("a reset waits to be completed", "réinitialisation à terminer")
        case (_, _, .promptSystem):
            return Text("what this device asks for opens", "ce que demande cet appareil ouvre")
        case (_, _, .promptBiometrics):
            return snapshot.capability.biometryType.text + Text(" or ", " ou ") + secret + Text(" opens", " ouvre")
        case (_, .wait(let span), _):
            return secret + Text(" opens in ", " ouvre dans ") + .span(span) + purpose
        case (_, _, .requireStrongFactor) where onlyExports: return secret + Text(" opens", " ouvre") + purpose
        case (_, _, .requireStrongFactor(let reason)): return secret + Text(" opens", " ouvre") + reason.clause
        case (_, _, .storageUnavailable): return Text("storage is not available", "stockage indisponible")
        }
    }

    private static let opens = Text(" opens", " ouvre")

    private func wayOfRecoveryKey(_ does: Text) -> Text {
        switch snapshot.recoveryKey {
        case .there: Text("the recovery key", "la clé de secours") + does
        case .missing: Text("nothing opens it here", "rien ne l'ouvre ici")
        case .unknown:
            Text("a recovery key", "une clé de secours") + does + Text(", if there is one", ", s'il y en a une")
        }
    }

    /// What it opens for, where that is not everything.
    private var purpose: Text { onlyExports ? Text(", to export only", ", pour exporter seulement") : Text("") }

    /// What `biometrics status` prints.
    var biometricsText: Text {
        guard snapshot.capability.supported || snapshot.biometrics != .disabled else {
            return Text("This device has no biometric sensor.", "Cet appareil n'a pas de capteur biométrique.")
        }
        return biometricsLine + Text("\n") + way
    }

    /// Sensor, state and failures on one line.
    var biometricsLine: Text {
        let dot = Text(" · ")
        return snapshot.capability.biometryType.text + dot + snapshot.biometrics.text + dot
            + (snapshot.capability.reasonIfUnavailable?.text ?? Text("available", "disponible")) + dot
            + Text(
                "\(snapshot.failedBiometricAttempts) of \(snapshot.policy.biometricFailureLimit) failures",
                "échecs : \(snapshot.failedBiometricAttempts) sur \(snapshot.policy.biometricFailureLimit)"
            )
    }

    /// The rules, a line each.
    var policyLines: [Text] {
        let policy = snapshot.policy
        var demands: [Text] = []
        if let idle = policy.strongFactorAfterIdle { demands.append(.span(idle) + Text(" idle", " d'inactivité")) }
        if let age = policy.strongFactorMaxAge { demands.append(Text("every ", "chaque ") + .span(age)) }
        if policy.strongFactorAfterReboot { demands.append(Text("reboot", "redémarrage")) }
        demands.append(Text("\(policy.biometricFailureLimit) failures", "\(policy.biometricFailureLimit) échecs"))
        let list = demands.dropFirst().reduce(demands[0]) { $0 + Text(" · ") + $1 }
        return [
            Text("locks after ", "verrouille après ") + .span(policy.locksAfterIdle)
                + (policy.locksInBackground
                    ? Text(" and in background", " et en arrière-plan") : Text(" idle", " sans usage")),
            snapshot.mode == .system
                ? Text("asks for no PIN: this device decides", "n'exige aucun code : cet appareil décide")
                : Text("asks for the PIN: ", "exige le code : ") + list,
            Text("least assurance for biometrics: ", "assurance minimale pour la biométrie : ")
                + policy.minimumAssurance.text,
        ]
            + (policy.minimumSecretAssurance.map {
                [Text("least assurance for the PIN: ", "assurance minimale pour le code : ") + $0.text]
            } ?? [])
    }

    /// What stands in the place of a count that can't be believed; of a record that could not be read nothing is said.
    var attemptsWithoutCount: Text {
        guard snapshot.condition == .ready else { return nextAttempt }
        return Text("the record was changed or put back · ", "registre modifié ou ancien · ") + nextAttempt
    }

    var nextAttempt: Text {
        if snapshot.condition == .keyMissing || snapshot.condition == .ledgerDamaged {
            return snapshot.recoveryKey == .there
                ? Text("no PIN opens: use the recovery key", "clé de secours seule")
                : Text("no PIN opens", "aucun code n'ouvre")
        }
        return switch snapshot.nextAttempt {
        case .allowed: Text("next try at once", "prochain essai tout de suite")
        case .wait(let span): Text("next try in ", "prochain essai dans ") + .span(span)
        case .suspended: Text("suspended: use the recovery key", "suspendu : clé de secours")
        }
    }
}

extension StrongFactorReason {
    /// Why a finger is not enough, to follow "the PIN opens".
    var clause: Text {
        switch self {
        case .biometricsDisabled: Text("")
        case .ledgerUnreliable: Text(": failures can't be counted", " : échecs non comptables")
        case .policyEpochOld: Text(": the password changed", " : mot de passe changé")
        case .serverUnheard: Text(": the server is unheard", " : serveur muet")
        case .rebooted: Text(": the device was rebooted", " : appareil redémarré")
        case .clockIncoherent: Text(": a clock was set", " : horloge modifiée")
        case .idle: Text(": idle for too long", " : trop longtemps inactif")
        case .strongFactorAged: Text(": not asked for too long", " : pas demandé depuis longtemps")
        case .lockedOut: Text(": the sensor is locked out", " : capteur bloqué")
        case .tooManyMismatches: Text(": too many failures", " : trop d'échecs")
        case .biometricsChanged: Text(": the enrolled set changed", " : empreintes ou visages changés")
        case .reinstalled: Text(": installed anew", " : réinstallation")
        case .biometricsUnavailable: Text(": the sensor is not available", " : capteur indisponible")
        case .cancelled, .fallbackChosen, .unclassified, .unexpectedEvent: Text("")
        }
    }
}

extension BiometricLifecycle.State {
    var text: Text {
        switch self {
        case .disabled: Text("off", "désactivée")
        case .enabling: Text("being enabled", "en activation")
        case .enabled: Text("enabled", "activée")
        case .revoked: Text("revoked", "révoquée")
        }
    }
}

extension BiometricCapability.Reason {
    var text: Text {
        switch self {
        case .noHardware: Text("no sensor", "pas de capteur")
        case .notEnrolled: Text("nobody is enrolled", "personne n'est enrôlé")
        case .lockedOut: Text("locked out", "bloqué")
        case .permissionDenied: Text("permission denied", "permission refusée")
        case .noPasscode: Text("no device passcode", "pas de code d'appareil")
        case .temporarilyUnavailable: Text("not available now", "indisponible")
        }
    }
}

extension Milliseconds {
    /// The date of milliseconds since 1970, in UTC as ISO 8601 writes it.
    var date: String {
        var seconds = time_t(count / 1_000)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "?" }
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        let day = unsafe "\(1_900 + parts.tm_year)-" + two(1 + parts.tm_mon) + "-" + two(parts.tm_mday)
        return unsafe day + "T" + two(parts.tm_hour) + ":" + two(parts.tm_min) + ":" + two(parts.tm_sec) + "Z"
    }
}
