import ThumbturnConsole

extension StatusWarning {
    /// The warning's text; a report may know more about the device.
    var text: Words {
        switch self {
        case .tpmLockedOut:
            Words(
                "the TPM is locked out: even a right try has to wait",
                "le TPM est bloqué : même un bon essai doit attendre"
            )
        case .tpmExchanged:
            Words(
                "the TPM was cleared or replaced: its part of the key is gone",
                "le TPM a été effacé ou remplacé : sa part de la clé est perdue"
            )
        case .tpmOwnerOff:
            Words(
                "the TPM's owner hierarchy is off: reboot, or look in the firmware",
                "hiérarchie propriétaire du TPM désactivée : redémarrez, ou micrologiciel"
            )
        case .tpmOwned:
            Words(
                "the TPM's owner hierarchy has a password: it accepts no new keys",
                "hiérarchie propriétaire du TPM sous mot de passe : aucune nouvelle clé"
            )
        case .tpmSilent: Words("the TPM does not answer", "le TPM ne répond pas")
        case .keyMissing:
            Words(
                "the device key is missing: only the recovery key opens",
                "clé de l'appareil absente : seule la clé de secours ouvre"
            )
        case .ledgerDamaged:
            Words(
                "the count of tries is damaged: only the recovery key exports",
                "compte des essais endommagé : seule la clé de secours exporte"
            )
        case .diskFull:
            Words(
                "the disk is full: until there is room, only a recovery key opens",
                "disque plein : en attendant, seule une clé de secours ouvre"
            )
        case .resetPending:
            Words(
                "a reset was not completed: run `thumbturn reset`",
                "réinitialisation inachevée : lancez `thumbturn reset`"
            )
        case .headUnreadable:
            Words(
                "the vault's head is damaged: export the wallets, then make a new vault",
                "en-tête du coffre endommagé : exportez, puis créez un nouveau coffre"
            )
        case .slotDamaged:
            Words(
                "one row of a way in is damaged, but its copy opens: the PIN repairs it",
                "une ligne d'un accès est abîmée, mais sa copie ouvre : le code la répare"
            )
        case .ledgerUnreliable:
            Words("the record of failures can't be trusted: longest wait", "registre d'échecs douteux : délai maximal")
        case .olderCopy:
            Words(
                "an older copy, or its head or ledger was changed: only export is possible",
                "copie plus ancienne, en-tête ou registre changé : exportation seule"
            )
        case .logContradicted:
            Words(
                "the service's log contradicts what it signed: nothing more is sent to it",
                "le registre du service contredit ce qu'il a signé : plus rien n'y est envoyé"
            )
        case .formerSecretRemains:
            Words(
                "a former PIN may still open an old copy: run `thumbturn status` again",
                "un ancien code peut encore ouvrir une ancienne copie : relancez `thumbturn status`"
            )
        case .recoveryKeyMissing:
            Words(
                "no confirmed recovery key: `thumbturn recovery create`",
                "pas de clé de secours confirmée : `thumbturn recovery create`"
            )
        case .recoveryKeyUnconfirmed:
            Words(
                "the recovery key is not confirmed yet: `thumbturn recovery check`",
                "clé de secours pas encore confirmée : `thumbturn recovery check`"
            )
        case .backupMissing:
            Words(
                "no backup since the wallets changed: `thumbturn backup FILE`",
                "pas de sauvegarde depuis que les portefeuilles ont changé : `thumbturn backup FICHIER`"
            )
        case .backupUnverified:
            Words(
                "the backup was never verified: `thumbturn backup verify FILE`",
                "la sauvegarde n'a jamais été vérifiée : `thumbturn backup verify FICHIER`"
            )
        case .halfMigrated:
            Words(
                "only biometrics open it: `thumbturn unlock` with the PIN finishes the move",
                "seule la biométrie l'ouvre : `thumbturn unlock` avec le code achève le transfert"
            )
        case .biometricsRevoked:
            Words(
                "biometrics were revoked: unlock, then enable them again",
                "biométrie révoquée : déverrouillez, puis réactivez-la"
            )
        case .passcodeOpens:
            Words("anyone who knows this device's passcode opens the vault", "le code de cet appareil ouvre le coffre")
        case .assuranceBelowHardware:
            Words("no hardware guards the device key", "aucun matériel ne garde la clé de l'appareil")
        case .secretMayBeTooShort:
            Words(
                "a PIN under 12 digits is too short here now: `thumbturn pin change`",
                "un code de moins de 12 chiffres est trop court : `thumbturn pin change`"
            )
        case .folderExposed:
            Words(
                "others can write to a folder above the vault, and could replace it: `thumbturn doctor`",
                "d'autres peuvent écrire dans un dossier au-dessus du coffre, et le remplacer : `thumbturn doctor`"
            )
        case .memoryNotLocked:
            Words("secrets in memory may be swapped to disk", "la mémoire peut être écrite sur le disque")
        case .processNotHardened:
            Words("core files or debuggers are not blocked", "fichiers core ou débogueurs non bloqués")
        }
    }
}
