import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

// Help texts of doctor, simulate, demo, completion, man and help.
extension CommandText {
    static let doctor = CommandText(
        Words(
            "tell what this machine has to guard a vault",
            "dire ce que cette machine offre à un coffre"
        ),
        more: Words(
            "Nothing is made or changed. With --require hardware the exit code says whether hardware guards keys here.",
            "Rien n'est créé ni changé. Avec --require hardware le code de sortie dit si du matériel garde les clés."
        ),
        examples: [
            "thumbturn doctor",
            "thumbturn --require hardware doctor --json",
        ]
    )
    static let demo = CommandText(
        Words(
            "tour a vault on a simulated device, each step checked",
            "visite guidée, chaque étape vérifiée"
        ),
        examples: [
            "thumbturn demo"
        ]
    )
    static let simulate = CommandText(
        Words("let something happen to the simulated device", "simuler un événement de l'appareil"),
        more: Words(eventWords)
            + Words(
                ". legacy leaves another app's wallet there, behind a finger and under a PIN, which `migrate legacy` takes over.",
                ". legacy y laisse le portefeuille d'une autre app, derrière un doigt et sous un code, que reprend `migrate legacy`."
            ),
        examples: [
            "thumbturn simulate finger match",
            "thumbturn simulate legacy wallet",
            "thumbturn simulate advance 31m clock -1y enroll",
        ]
    )
    static let completion = CommandText(
        Words(
            "print what makes a shell complete these commands",
            "afficher ce qui fait compléter ces commandes au shell"
        ),
        more: Words(
            "Names of wallets are not completed: nobody knows them while the vault is locked.",
            "Les noms des portefeuilles ne sont pas complétés : nul ne les connaît tant que le coffre est verrouillé."
        ),
        examples: [
            "thumbturn completion bash > ~/.local/share/bash-completion/completions/thumbturn",
            "thumbturn completion zsh > ~/.zfunc/_thumbturn",
            "thumbturn completion fish > ~/.config/fish/completions/thumbturn.fish",
        ]
    )
    static let man = CommandText(
        Words("print the manual, as man reads it", "afficher le manuel, tel que man le lit"),
        examples: ["thumbturn man > ~/.local/share/man/man1/thumbturn.1"]
    )
    static let help = CommandText(
        Words("explain a command", "expliquer une commande"),
        examples: [
            "thumbturn help",
            "thumbturn help wallet",
            "thumbturn help wallet export",
        ]
    )

    private static let eventWords = """
        finger match|mismatch|cancel|mismatch-cancel|fallback|passcode|wait, enroll, unenroll, \
        passcode-off, passcode-on, passcode, lockout, reboot, advance 31m, sleep 1h, clock -1y, \
        reinstall, restore-elsewhere, lock-device, unlock-device, permission-denied, \
        permission-granted, sensor none|touch|face, fault
        """
        + " " + SimulatedFault.allCases.map(\.rawValue).joined(separator: " | ")
}
