// What a person is told of each kind of event and of each reason: here and nowhere else.
extension AuditEventKind {
    /// What happened, in a few words.
    package var text: Words {
        switch self {
        case .biometricEnabled: Words("biometrics enabled", "biométrie activée")
        case .biometricDisabled: Words("biometrics disabled", "biométrie désactivée")
        case .biometricSuccess: Words("opened by biometrics", "ouvert par biométrie")
        case .biometricFailure: Words("biometrics not recognised", "biométrie non reconnue")
        case .biometricRevokedBySystemChange: Words("biometrics revoked", "biométrie révoquée")
        case .passwordFallback: Words("opened by PIN or password", "ouvert par code ou mot de passe")
        case .passwordFailure: Words("wrong PIN or password", "code ou mot de passe faux")
        case .vaultCreated: Words("vault made", "coffre créé")
        case .localSecretChanged: Words("PIN or password changed", "code ou mot de passe changé")
        case .recoveryChanged: Words("recovery key changed", "clé de secours changée")
        case .walletExported: Words("secret exported", "secret exporté")
        case .walletDeleted: Words("wallet deleted", "portefeuille supprimé")
        case .ledgerUnreliable:
            Words("the count of tries was changed or put back", "compte des essais modifié, ou remis à un état ancien")
        case .vaultTampered: Words("the vault was changed from outside", "coffre modifié de l'extérieur")
        case .vaultReset: Words("everything erased", "tout effacé")
        case .systemEnabled: Words("system authentication enabled", "authentification du système activée")
        case .systemDisabled: Words("system authentication disabled", "authentification du système désactivée")
        case .systemSuccess: Words("opened by the device's own prompt", "ouvert par l'authentification de l'appareil")
        case .systemFailure:
            Words("the device's own prompt failed", "l'authentification de l'appareil a échoué")
        case .migrationBegan:
            Words("a former app's wallet half moved in", "portefeuille d'une ancienne app à moitié transféré")
        case .migrationCompleted:
            Words("a former app's wallet moved in", "portefeuille d'une ancienne app transféré")
        case .legacyErased: Words("a former app's data erased", "données d'une ancienne app effacées")
        case .olderCopyFound: Words("opened as an older copy", "ouvert en tant que copie plus ancienne")
        case .olderCopyAccepted:
            Words("an older copy became the vault", "une copie plus ancienne est devenue le coffre")
        case .vaultRekeyed: Words("new master key", "nouvelle clé maîtresse")
        case .policyChanged: Words("rules changed", "règles changées")
        case .trailBegun: Words("trail begun", "journal commencé")
        }
    }

    /// What happened with a secret that is not the PIN; `nil` for other kinds of event.
    private var textOfRecoveryKey: Words? {
        switch self {
        case .passwordFallback: Words("opened by the recovery key", "ouvert par la clé de secours")
        case .passwordFailure: Words("wrong recovery key", "clé de secours fausse")
        default: nil
        }
    }

    /// Returns what happened, and why if that takes words of its own.
    ///
    /// - Parameter factor: what the vault's owner proves; an account's vault has no PIN.
    package func texts(
        reason: String?,
        asking factor: VaultPolicy.StrongFactor = .localSecret
    ) -> (what: Words, why: Words?) {
        let what = text.naming(factor)
        guard let reason else { return (what, nil) }
        if reason == "recoveryKey", let text = textOfRecoveryKey { return (text, nil) }
        return (what, known(reason)?.naming(factor) ?? Words(reason))
    }

    /// Returns a record's reason in words; `nil` for one that an app gave, of letters and digits.
    private func known(_ reason: String) -> Words? {
        switch self {
        case .trailBegun:
            TrailReason.allCases.first { $0.name == reason }?.text
        case .biometricRevokedBySystemChange, .biometricDisabled:
            RevocationReason.allCases.first { $0.name == reason }?.trailText ?? Self.reasons[reason]
        default:
            Self.reasons[reason]
        }
    }

    private static let reasons = [
        "interrupted": Words("interrupted", "interrompu"),
        "offline": Words("without the service", "sans le service"),
        "owner": Words("by the owner", "par le propriétaire"),
        "policy": Words("by a rule", "par une règle"),
        "other": Words("for another reason", "pour une autre raison"),
        "created": Words("made, not confirmed yet", "créée, pas encore confirmée"),
        "confirmed": Words("confirmed", "confirmée"),
        "removed": Words("removed", "retirée"),
        "restored": Words("from a backup", "d'après une sauvegarde"),
        "stricter": Words("stricter", "plus strictes"),
        "laxer": Words("laxer", "moins strictes"),
        "laxerLater": Words("laxer from the next PIN on", "moins strictes dès le prochain code"),
        "withdrawn": Words("a laxer one withdrawn", "assouplissement retiré"),
    ]
}

extension TrailReason {
    /// Why a chain of records began.
    package var text: Words {
        switch self {
        case .created: Words("with the vault", "avec le coffre")
        case .restored: Words("restored from a backup", "restauré d'une sauvegarde")
        case .reinstalled: Words("after a new installation", "après une nouvelle installation")
        case .deviceChanged: Words("on another device", "sur un autre appareil")
        case .full: Words("the former one was full", "l'ancien était plein")
        case .lost: Words("the former one is gone", "l'ancien a disparu")
        case .damaged: Words("the former one is damaged", "l'ancien est abîmé")
        case .cut: Words("the end of the former one was cut off", "la fin de l'ancien a été coupée")
        case .reset: Words("everything was erased", "tout a été effacé")
        case .putBack: Words("an older copy was put back", "une copie ancienne a été remise")
        }
    }
}

extension RevocationReason {
    fileprivate var trailText: Words {
        switch self {
        case .biometricsChanged: Words("a finger or face was added or removed", "empreinte ou visage ajouté ou retiré")
        case .reinstalled: Words("new installation or other device", "nouvelle installation ou autre appareil")
        case .passwordChanged: Words("the account's password changed", "mot de passe du compte changé")
        case .serverWordMissing: Words("no word from the service", "pas de nouvelles du service")
        case .disabledByOwner: Words("by the owner", "par le propriétaire")
        }
    }
}

extension AuditEventKind {
    /// Every text that an event of any kind or reason shows on a screen, for both strong factors.
    package static var words: [Words] {
        let reasons =
            TrailReason.allCases.map { $0.text } + RevocationReason.allCases.map { $0.trailText }
            + Array(reasons.values)
        let kinds = allCases.flatMap { kind in [kind.text] + (kind.textOfRecoveryKey.map { [$0] } ?? []) }
        return [VaultPolicy.StrongFactor.localSecret, .accountPassword].flatMap { factor in
            kinds.map { $0.naming(factor).headed } + reasons.map { $0.naming(factor) }
        }
    }
}
