import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// system-auth enable, disable.
extension Context {
    func enableSystemAuthentication() async throws {
        let list = try environment.systemModeList()
        let offer = SystemModeFlag(list: list.text).offer(to: Environment.userName)
        try await withVault { vault, device in
            _ = try await ready(vault)
            if let obstacle = await vault.obstacleToSystemAuthentication(offer) {
                throw Failure(obstacle, hint: hint(for: obstacle, device, list.path)?.naming(await vault.factor))
            }
            guard let offer else { throw Failure(.systemModeNotOffered) }
            let consent = try consent(to: await vault.snapshot.systemModeWarning, device)
            let authorization = try await authorize(vault)
            if consent.warning == .enablingWithoutRecovery {
                try await vault.enableSystemAuthentication(offer, consent, authorization, provedBy: systemPrompt)
            } else {
                try await vault.enableSystemAuthentication(offer, consent, authorization)
            }
            try output.print(
                Words(
                    "System authentication is enabled; the PIN no longer opens the vault.",
                    "L'authentification du système est activée ; le code n'ouvre plus le coffre."
                ),
                json: ["mode": .string(UnlockMode.system.name)]
            )
        }
    }

    func disableSystemAuthentication() async throws {
        try await withVault { vault, device in
            guard try await ready(vault).mode == .system else { throw Failure(.systemModeOff) }
            let consent = try consent(to: .disabling, device)
            let confirmed = try await vault.confirmSystemExit(consent, systemPrompt)
            let secret = try secrets.readNewPIN(under: device.store.assurance(of: .deviceOnly))
            try await vault.disableSystemAuthentication(confirmed, newSecret: secret)
            try output.print(
                Words(
                    "System authentication is off; the new PIN opens the vault.",
                    "L'authentification du système est désactivée ; le nouveau code ouvre le coffre."
                ),
                json: ["mode": .string(UnlockMode.local.name)]
            )
        }
    }

    /// Shows the warning and asks the owner on a terminal; elsewhere the command itself is the consent.
    private func consent(to warning: SystemModeWarning, _ device: Device) throws -> SystemModeConsent {
        for words in warning.words { output.note(words) }
        if secrets.isTerminal, try !agrees(to: warning.question) {
            throw Failure(.consentMissing)
        }
        return SystemModeConsent(to: warning, ownerAgreedAt: device.clock())
    }

    private func hint(for obstacle: ErrorCode, _ device: Device, _ list: String) -> Words? {
        switch obstacle {
        case .systemModeNotOffered where !device.kind.takesPasscode:
            Words(
                "no device here accepts a passcode in place of a finger: this vault keeps its PIN or password",
                "aucun appareil ici n'accepte un code d'appareil à la place d'un doigt : ce coffre garde son code ou mot de passe"
            )
        case .systemModeNotOffered:
            Words("add your user name, or `*`, to \(list)", "ajoutez votre nom d'utilisateur, ou `*`, à \(list)")
        case .passcodeMissing:
            Words("set a passcode on the device", "définissez un code sur l'appareil")
        default: nil
        }
    }
}

extension SystemModeWarning {
    /// The question that the owner answers; the first is worded as in seed 000.
    fileprivate var question: Words {
        switch self {
        case .enabling, .enablingWithoutRecovery:
            Words("Enable system authentication? [y/N]", "Activer l'authentification du système ? [o/N]")
        case .disabling:
            Words("Disable system authentication? [y/N]", "Désactiver l'authentification du système ? [o/N]")
        }
    }
}

// The feature flag: a file that lists trusted users (S-01).
extension Environment {
    /// Reads the list and returns it with its path; on most machines it is missing, which leaves the flag off.
    func systemModeList() throws(Failure) -> (path: String, text: String) {
        let path = try configurationFolder() + "/thumbturn/system-auth-users"
        return (path, String(decoding: Folders.contents(of: path), as: UTF8.self))
    }

    /// The effective user id of this process.
    static var userNumber: UInt32 { geteuid() }

    /// The name of the user that runs this process; the user id if the system has no name for it.
    static var userName: String {
        guard let entry = unsafe getpwuid(geteuid()) else { return String(geteuid()) }
        return unsafe String(cString: entry.pointee.pw_name)
    }
}
