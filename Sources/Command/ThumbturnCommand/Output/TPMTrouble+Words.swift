import Thumbturn
import ThumbturnConsole
import ThumbturnDevice
import ThumbturnRules

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

extension TPMTrouble {
    /// What stands against the TPM that a device is on; nil where there is none, or nothing does.
    ///
    /// - Parameter items: what is wanted of it.
    static func of(_ device: Device, with items: [ItemName]) async -> TPMTrouble? {
        #if canImport(ThumbturnLinux)
        if let store = device.store as? TPMStore { return await store.trouble(with: items) }
        #endif
        return nil
    }

    /// What is the matter.
    var statement: Words {
        switch self {
        case .lockedOut:
            Words(
                "The TPM is locked out: it counted too many wrong tries, of any program.",
                "Le TPM est bloqué : il a compté trop d'essais erronés, tous programmes."
            )
        case .another:
            Words(
                "The TPM was cleared, or it is another one: its part of the key is gone.",
                "Le TPM a été effacé, ou c'est un autre : sa part de la clé n'y est plus."
            )
        case .ownerIsOff:
            Words("The TPM's owner hierarchy is off.", "La hiérarchie propriétaire du TPM est désactivée.")
        case .ownerHasPassword:
            Words(
                "The TPM's owner hierarchy has a password.",
                "La hiérarchie propriétaire du TPM a un mot de passe."
            )
        case .full: Words("The TPM's memory is full.", "La mémoire du TPM est pleine.")
        case .silent: Words("The TPM does not answer.", "Le TPM ne répond pas.")
        }
    }

    /// What mends it; nil where nothing does.
    var remedy: Words? {
        switch self {
        case .lockedOut(let span?):
            Words("the right one has to wait too: at most ", "le bon aussi doit attendre : au plus ") + .span(span)
        case .lockedOut(nil):
            Words(
                "its administrator ends it: `sudo tpm2_dictionarylockout -c -p file:FILE`",
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
                "boot anew; if it stays off, turn it on in the firmware (TPM, storage hierarchy)",
                "redémarrez ; si cela reste, activez-la dans le micrologiciel (TPM, stockage)"
            )
        case .ownerHasPassword:
            Words(
                "remove it, as its administrator: `tpm2_changeauth -c owner -p file:FILE`",
                "retirez-le, en administrateur : `tpm2_changeauth -c owner -p file:FICHIER`"
            )
        }
    }

    /// The same as a remark on a vault's status.
    var remark: Words {
        let text = warning?.text ?? statement
        guard let span = longestWait else { return text }
        return text + Words(", at most ", ", au plus ") + .span(span)
    }

    /// How long the right PIN has to wait at most.
    var longestWait: Milliseconds? { if case .lockedOut(let span) = self { span } else { nil } }
}

extension Failure {
    /// The same with what stands against the TPM, where that is why.
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
        // What a recovery key does is told beside it.
        failure.hint = code == .storageUnavailable ? remedy : hint.map { remedy + Words("; ", " ; ") + $0 } ?? remedy
        return failure
    }
}

extension Context {
    /// A failure with what stands against the TPM, where that is why.
    ///
    /// - Parameters:
    ///   - error: what it was made of; storage's own faults are known already.
    ///   - items: what is wanted of the TPM.
    func naming(_ failure: Failure, of error: any Error, on device: Device, items: [ItemName]) async -> Failure {
        let mayBeDevice = [.attemptDelayed, .keyMissing, .storageUnavailable].contains(failure.code)
        // What storage or the command knows better has words of its own.
        let isOfDevice = if let error = error as? VaultError { error.fault == nil } else { failure.detail == nil }
        guard mayBeDevice, isOfDevice, failure.retryAfter == nil, failure.statement == nil,
            let trouble = await TPMTrouble.of(device, with: items)
        else { return failure }
        return failure.naming(trouble)
    }
}
