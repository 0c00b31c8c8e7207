import Thumbturn
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSimulator

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

/// A device for vaults, by what holds its keys.
enum DeviceChoice: String, Hashable, Sendable, CaseIterable {
    case simulated
    case tpm
    case files

    /// Returns the choice for a device; `nil` for one that this build does not have.
    init?(of device: Device) {
        switch device.kind {
        case .simulated: self = .simulated
        case .linux:
            #if canImport(ThumbturnLinux)
            self = device.store is FileStore ? .files : .tpm
            #else
            return nil
            #endif
        case .apple, .android: return nil
        }
    }

    /// The name of its folder; the simulated device's folder is never inside the vault's.
    var folderName: String { self == .simulated ? "simulated-device" : rawValue }

    var text: Words {
        switch self {
        case .simulated: Words("simulated", "simulé")
        case .tpm: Words("TPM 2.0")
        case .files: Words("files", "fichiers")
        }
    }

    /// Returns its name and how well it protects keys.
    func text(withWorth doubts: [TPMProperties.Doubt]) -> Words { text + Words(": ", " : ") + worth(doubts) }

    /// Returns how well it protects keys.
    ///
    /// - Parameter doubts: the weaknesses of a TPM.
    func worth(_ doubts: [TPMProperties.Doubt]) -> Words {
        switch self {
        case .simulated: Words("it protects nothing", "il ne protège rien")
        case .tpm:
            doubts.first?.text
                ?? Words(
                    "its keys never leave it, and it counts wrong tries",
                    "ses clés n'en sortent pas, il compte les essais"
                )
        case .files:
            Words(
                "software keeps the keys: a copied disk allows unlimited guesses",
                "clés logicielles : essais illimités sur une copie du disque"
            )
        }
    }
}

extension TPMProperties.Doubt {
    /// Why a PIN on this TPM has to withstand guessing.
    var text: Words {
        switch self {
        case .mayBeProgram:
            Words(
                "it may be a program: a copied state allows unlimited guesses",
                "peut-être un programme : essais illimités sur une copie"
            )
        case .noLockoutPassword:
            Words(
                "no lockout password: anyone can reset its count of wrong tries",
                "sans mot de passe lockout, chacun remet ses échecs à zéro"
            )
        case .failureLimit:
            Words("it allows no try, or more than 64 wrong ones", "il n'accepte aucun essai, ou plus de 64 erronés")
        case .recoveryTime:
            Words(
                "it counts no wrong tries, or forgets one within 10 minutes",
                "il ne compte aucun essai erroné, ou l'oublie en 10 minutes"
            )
        case .lockoutRecovery:
            Words(
                "its lockout password can be tried more than once an hour",
                "son mot de passe lockout s'essaie plus d'une fois par heure"
            )
        }
    }

    /// The command for the administrator; `nil` if none helps.
    ///
    /// No password is passed as an argument, because the list of processes shows arguments.
    var remedy: Words? {
        switch self {
        case .mayBeProgram: nil
        case .noLockoutPassword:
            Words(
                "set one: `sudo tpm2_changeauth -c lockout file:FILE`",
                "donnez-en un : `sudo tpm2_changeauth -c lockout file:FICHIER`"
            )
        case .failureLimit, .recoveryTime, .lockoutRecovery:
            Words(
                "`sudo tpm2_dictionarylockout -s -n 32 -t 7200 -l 86400 -p file:FILE`",
                "`sudo tpm2_dictionarylockout -s -n 32 -t 7200 -l 86400 -p file:FICHIER`"
            )
        }
    }
}

extension [TPMProperties.Doubt] {
    /// The administrator's commands in order, with a note on the password first; empty if they would not suffice.
    var remedies: [Words] {
        guard !isEmpty, !contains(.mayBeProgram) else { return [] }
        var commands: [Words] = []
        for remedy in compactMap(\.remedy) where !commands.contains(remedy) { commands.append(remedy) }
        return commands + [
            Words(
                "FILE has the lockout password: keep a copy elsewhere, then delete it",
                "FICHIER contient ce mot de passe : gardez-en copie ailleurs, effacez-le"
            ),
            Words(
                "if you lose it: clear the TPM in the firmware; that destroys all its keys",
                "si vous le perdez : effacez le TPM (micrologiciel), avec toutes ses clés"
            ),
        ]
    }
}

extension Device {
    var doubts: [TPMProperties.Doubt] {
        #if canImport(ThumbturnLinux)
        if let store = store as? TPMStore { return store.properties?.doubts ?? [.mayBeProgram] }
        #endif
        return []
    }
}
