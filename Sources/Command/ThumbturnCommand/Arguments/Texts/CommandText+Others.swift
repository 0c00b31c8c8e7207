import Thumbturn
import ThumbturnConsole
import ThumbturnSimulator

// Help texts of doctor, simulate, demo, playground, completion, man and help.
extension CommandText {
    static let doctor = CommandText(
        Words("show what this machine has to guard a vault", "montrer ce que cette machine a pour garder un coffre"),
        more: Words(
            "Nothing is made or changed. With --require hardware the exit code says whether hardware guards keys here.",
            "Rien n'est créé ni changé. Avec --require hardware le code de sortie dit si du matériel garde les clés."
        ),
        examples: ["thumbturn doctor", "thumbturn --require hardware doctor --json"]
    )
    static let demo = CommandText(
        Words(
            "tour a vault on a simulated device, each step checked",
            "visite guidée d'un coffre sur un appareil simulé, chaque étape vérifiée"
        ),
        examples: ["thumbturn demo"]
    )
    static let playground = CommandText(
        Words(
            "watch a vault on a simulated phone work, in a browser",
            "regarder fonctionner un coffre sur un téléphone simulé, dans un navigateur"
        ),
        more: Words(
            """
            It prints an address of this machine alone, at a free port unless --port names one, and serves one page there until \
            Control-C: a phone that runs the real library on the simulated device, and what happens inside. Whoever has the address \
            may use the page. For an account it runs a thumbturnd of its own, if that is installed. All its files are deleted at the \
            end. It is a program of its own, thumbturn-playground, beside this one, on Linux.
            """,
            """
            Elle affiche une adresse de cette seule machine, à un port libre sauf si --port en nomme un, et y sert une page jusqu'à \
            Ctrl-C : un téléphone qui exécute la vraie bibliothèque sur l'appareil simulé, et ce qui se passe à l'intérieur. \
            Quiconque a l'adresse peut utiliser la page. Pour un compte, elle lance un thumbturnd à elle, s'il est installé. Tous ses \
            fichiers sont supprimés à la fin. C'est un programme à part, thumbturn-playground, à côté de celui-ci, sous Linux.
            """
        ),
        examples: ["thumbturn playground", "thumbturn playground --port 18107 --json"]
    )
    static let simulate = CommandText(
        Words("make events happen on the simulated device", "provoquer des événements sur l'appareil simulé"),
        more: Words(eventWords)
            + Words(
                """
                . After `finger wait` the next prompt stays up: the next touch, from another terminal, answers it within \
                half a minute; `lock-device` and `background` take it away
                """,
                """
                . Après `finger wait` la prochaine demande reste affichée : le prochain doigt, depuis un autre terminal, y \
                répond dans la demi-minute ; `lock-device` et `background` la retirent
                """
            )
            + Words(
                ". legacy leaves another app's wallet there, behind a finger and under a PIN, for `migrate legacy` to import.",
                ". legacy y laisse le portefeuille d'une autre app, derrière un doigt et sous un code, que `migrate legacy` importe."
            ),
        examples: [
            "thumbturn simulate finger match",
            "thumbturn simulate legacy wallet",
            "thumbturn simulate advance 31m clock -1y enroll",
        ]
    )
    static let completion = CommandText(
        Words(
            "print a shell's completions for these commands",
            "afficher la complétion de ces commandes pour un shell"
        ),
        more: Words(
            "Wallet names are not completed: they are sealed while the vault is locked.",
            "Les noms des portefeuilles ne sont pas complétés : ils sont scellés tant que le coffre est verrouillé."
        ),
        examples: [
            "thumbturn completion bash > ~/.local/share/bash-completion/completions/thumbturn",
            "thumbturn completion zsh > ~/.zfunc/_thumbturn",
            "thumbturn completion fish > ~/.config/fish/completions/thumbturn.fish",
        ]
    )
    static let man = CommandText(
        Words("print the manual page", "afficher la page de manuel"),
        examples: ["thumbturn man > ~/.local/share/man/man1/thumbturn.1"]
    )
    static let help = CommandText(
        Words("explain a command", "expliquer une commande"),
        examples: ["thumbturn help", "thumbturn help wallet", "thumbturn help wallet export"]
    )

    private static let eventWords = """
        finger match|mismatch|cancel|mismatch-cancel|fallback|passcode|wait, enroll, unenroll, \
        passcode-off, passcode-on, passcode, lockout, reboot, advance 31m, sleep 1h, clock -1y, \
        reinstall, restore-elsewhere, lock-device, unlock-device, background, foreground, \
        permission-denied, permission-granted, sensor none|touch|face, fault
        """
        + " " + SimulatedFault.allCases.map(\.rawValue).joined(separator: " | ")
}
