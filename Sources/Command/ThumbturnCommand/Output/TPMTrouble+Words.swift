import Thumbturn
import ThumbturnConsole
import ThumbturnDevice
import ThumbturnRules

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

extension TPMTrouble {
    /// Returns the trouble with a device's TPM; `nil` if it has no TPM or no trouble.
    ///
    /// - Parameter items: the items needed from it.
    static func of(_ device: Device, with items: [ItemName]) async -> TPMTrouble? {
        #if canImport(ThumbturnLinux)
        if let store = device.store as? TPMStore { return await store.trouble(with: items) }
        #endif
        return nil
    }

    /// What is wrong.
    var statement: Words {
        switch self {
        case .lockedOut:
            Words(
                "The TPM is locked out: it counted too many wrong tries, from any program.",
                "Le TPM est bloqué : il a compté trop d'essais erronés, tous programmes confondus."
            )
        case .another:
            Words(
                "The TPM was cleared or replaced: its part of the key is gone.",
                "Le TPM a été effacé ou remplacé : sa part de la clé est perdue."
            )
        case .ownerIsOff:
            Words("The TPM's owner hierarchy is off.", "La hiérarchie propriétaire du TPM est désactivée.")
        case .ownerHasPassword:
            Words("The TPM's owner hierarchy has a password.", "La hiérarchie propriétaire du TPM a un mot de passe.")
        case .full: Words("The TPM's memory is full.", "La mémoire du TPM est pleine.")
        case .silent: Words("The TPM does not answer.", "Le TPM ne répond pas.")
        }
    }

    /// How to fix it; `nil` if nothing helps.
    var remedy: Words? {
        switch self {
        case .lockedOut(let span?):
            Words("even a right one has to wait: at most ", "même un bon essai doit attendre : au plus ") + .span(span)
        case .lockedOut(nil):
            Words(
                "its administrator can end that: `sudo tpm2_dictionarylockout -c -p file:FILE`",
                "son administrateur y met fin : `sudo tpm2_dictionarylockout -c -p file:FICHIER`"
            )
        case .another, .silent: nil
        case .full:
            Words(
                "free some: `tpm2_getcap handles-nv-index`, `tpm2_nvundefine INDEX`",
                "libérez-en : `tpm2_getcap handles-nv-index`, `tpm2_nvundefine INDEX`"
            )
        case .ownerIsOff:
            Words(
                "reboot; if it stays off, turn it on in the firmware (TPM, storage hierarchy)",
                "redémarrez ; si elle reste désactivée, activez-la dans le micrologiciel (TPM, stockage)"
            )
        case .ownerHasPassword:
            Words(
                "remove it, as its administrator: `tpm2_changeauth -c owner -p file:FILE`",
                "retirez-le, en administrateur : `tpm2_changeauth -c owner -p file:FICHIER`"
            )
        }
    }

    /// The trouble as a line of a vault's status.
    var remark: Words {
        let text = warning?.text ?? statement
        guard let span = longestWait else { return text }
        return text + Words(", at most ", ", au plus ") + .span(span)
    }

    /// The longest time the right PIN may have to wait.
    var longestWait: Milliseconds? { if case .lockedOut(let span) = self { span } else { nil } }
}

extension Failure {
    /// Returns the failure with the TPM's trouble, if that explains it.
    fileprivate func naming(_ trouble: TPMTrouble) -> Failure {
        var failure = self
        switch (code, trouble) {
        case (.attemptDelayed, .lockedOut(let span)): failure.retryAfter = span
        case (.keyMissing, .another), (.storageUnavailable, .ownerIsOff), (.storageUnavailable, .ownerHasPassword),
            (.storageUnavailable, .full), (.storageUnavailable, .silent):
            break
        default: return self
        }
        failure.statement = trouble.statement
        failure.detail = nil
        guard let remedy = trouble.remedy else { return failure }
        // Keep the hint about the recovery key beside the remedy.
        failure.hint = code == .storageUnavailable ? remedy : hint.map { remedy + Words("; ", " ; ") + $0 } ?? remedy
        return failure
    }
}

extension Context {
    /// Returns a failure with the TPM's trouble, if that explains it.
    ///
    /// - Parameters:
    ///   - error: the error that the failure was made from; a storage fault is already explained.
    ///   - items: the items needed from the TPM.
    func naming(_ failure: Failure, of error: any Error, on device: Device, items: [ItemName]) async -> Failure {
        let mayBeDevice = [.attemptDelayed, .keyMissing, .storageUnavailable].contains(failure.code)
        // A storage fault or the command's own detail is more precise.
        let isOfDevice = if let error = error as? VaultError { error.fault == nil } else { failure.detail == nil }
        guard mayBeDevice, isOfDevice, failure.retryAfter == nil, failure.statement == nil,
            let trouble = await TPMTrouble.of(device, with: items)
        else { return failure }
        return failure.naming(trouble)
    }
}
