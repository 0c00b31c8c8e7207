import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnDevice

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// Moves data off a TPM that is gone. Only the owner can say that it is gone for good; what it wrapped is then worthless
// (A25).
extension Context {
    static let withoutOption = Words("leave out --device", "omettez --device")

    /// Whether `--device files` is given for data on a TPM.
    func isLeavingTPM(_ choice: DeviceChoice) -> Bool { choice == .tpm && options.device == .files }

    /// Refuses to give up a TPM that answers, or that exists but this user may not use.
    ///
    /// A TPM that does not answer may be the lost one; one whose owner hierarchy has a password or is off can't hold a
    /// vault.
    func refusePresentTPM() async throws(Failure) {
        #if canImport(ThumbturnLinux)
        switch await TPMPresence.look(tcti: environment.linux.tpm) {
        case .answering:
            throw Failure(
                .deviceMismatch,
                Words("a TPM can be used here", "un TPM est utilisable ici"),
                hint: Self.withoutOption
            )
        case .forbidden:
            throw Failure(
                .deviceMismatch,
                Words("there is a TPM that you have no access to", "il y a un TPM, mais vous n'y avez pas accès"),
                hint: TPMPresence.wayIn
            )
        case .speechless:
            throw Failure(
                .deviceMismatch,
                Words("there is a TPM, but no tpm2-tss", "il y a un TPM, mais pas de tpm2-tss"),
                hint: TPMPresence.software
            )
        case .missing, .silent, .owned, .ownerIsOff: return
        }
        #endif
    }

    /// Deletes the files with `items` wrapped by a lost TPM; unlike items inside a TPM, they can be deleted without it.
    ///
    /// Call it once no stored data needs them. A failure is only reported: the command has already done its work.
    func deleteWrapped(_ items: [ItemName]) {
        let names = items.filter { $0.purpose != nil }.map(\.text)
        do throws(Failure) {
            let folder = try environment.deviceFolder(of: .tpm) + "/items"
            do throws(Failure) {
                // An item's parts have its name as a prefix and go first, so a failure leaves the item findable.
                try Folders.delete(in: folder) { file in
                    names.contains { file == $0 || file.hasPrefix($0 + ".") || file == "anchor." + $0 }
                }
            } catch {
                output.note(
                    Words(
                        "the keys that the TPM wrapped could not be deleted: delete what is left in \(folder)/",
                        "les clés que ce TPM a chiffrées n'ont pas pu être supprimées : supprimez ce qui reste dans \(folder)/"
                    )
                )
            }
        } catch {
            output.note(error)
        }
    }
}

// Messages for the owner.
extension KeyOrigin {
    private var isCredential: Bool { items.first?.purpose == .credential }

    /// How to move it off a lost TPM, to follow another hint.
    var wayOut: Words {
        isCredential
            ? Words(
                "; if that TPM is gone permanently: `thumbturn credential remove NAME --device files`",
                " ; si ce TPM est définitivement perdu : `thumbturn credential remove NOM --device files`"
            )
            : Words(
                "; if that TPM is gone permanently and you have the recovery key: `thumbturn unlock --recovery --device files`",
                " ; si ce TPM est définitivement perdu et que vous avez la clé de secours : `thumbturn unlock --recovery --device"
                    + " files`"
            )
    }

    /// Returns a warning about what remains usable on a lost TPM.
    ///
    /// - Parameter isCertain: whether the data was on a TPM; otherwise it can't be told.
    func leftBehind(onTPM isCertain: Bool) -> Words {
        let condition = isCertain ? Words("") : Words("if it was on a TPM: ", "si cela était sur un TPM : ")
        return condition
            + (isCredential
                ? Words(
                    "anyone with that TPM and copies of its folder of keys and of the credential can still open that copy",
                    "qui a ce TPM et des copies de son dossier de clés et de l'identifiant peut encore ouvrir cette copie"
                )
                : Words(
                    "anyone with that TPM, the PIN, and copies of its folder of keys and of the vault can still open that copy",
                    "qui a ce TPM, le code et des copies de son dossier de clés et du coffre peut encore ouvrir cette copie"
                ))
    }
}
