import ThumbturnConsole

extension StatusWarning {
    /// The warning's text; a report may know more about the device.
    var text: Words {
        switch self {
        case .tpmLockedOut:
            Words(
                "the TPM is locked out: the right try has to wait too",
                "le TPM est bloqué : le bon essai aussi doit attendre"
            )
        case .tpmExchanged:
            Words(
                "the TPM was cleared, or it is another one: its part is gone",
                "le TPM a été effacé, ou c'est un autre : sa part n'y est plus"
            )
        case .tpmOwnerOff:
            Words(
                "the TPM's owner hierarchy is off: boot anew, or look in the firmware",
                "hiérarchie propriétaire du TPM désactivée : redémarrez, ou micrologiciel"
            )
        case .tpmOwned:
            Words(
                "the TPM's owner hierarchy has a password: it takes nothing new",
                "hiérarchie propriétaire du TPM sous mot de passe : rien de neuf"
            )
        case .tpmSilent: Words("the TPM does not answer", "le TPM ne répond pas")
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
        case .diskFull:
            Words(
                "the disk is full: until there is room, only a recovery key opens",
                "disque plein : en attendant, seule une clé de secours ouvre"
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
        case .folderExposed:
            Words(
                "others may write a folder above the vault, and could exchange it: `thumbturn doctor`",
                "d'autres peuvent écrire un dossier au-dessus du coffre, et l'échanger : `thumbturn doctor`"
            )
        case .memoryNotLocked:
            Words("secrets in memory may be swapped to disk", "la mémoire peut être écrite sur le disque")
        case .processNotHardened:
            Words("core files or debuggers are not shut out", "fichiers core ou débogueurs non exclus")
        }
    }
}
