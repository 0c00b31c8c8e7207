import Thumbturn
import ThumbturnConsole

// Chapters with a vault of their own: what they do to clock, prompt and strong factor is nothing to the others.
extension Demo {
    private static let other = "other"

    /// A clock that was set back makes no session younger.
    static func setClockBack(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "A second vault. Whoever holds the phone sets its clock back a day.",
                "Un second coffre. Qui tient le téléphone recule son horloge d'un jour."
            )
        )
        try stage.run(["init", "--device", "simulated"], secrets: [.pin], on: other)
        try stage.run(["biometrics", "enable"], secrets: [.pin], on: other)
        try stage.run(["simulate", "clock", "-1d"], on: other)
        try stage.run(["unlock"], refusedWith: .sessionExpired, on: other)
        try stage.check(
            try stage.status("reason", on: other) == "clockIncoherent",
            Words("a clock that can't be believed: the PIN is required", "une horloge incroyable : le code est exigé")
        )
        try stage.run(["unlock"], secrets: [.pin], on: other)
    }

    /// A prompt that says yes, and releases no secret, opens nothing.
    static func believeNoYes(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "A tool makes the prompt say yes, without the secret that a finger releases.",
                "Un outil fait dire oui à l'invite, sans le secret que libère une empreinte."
            )
        )
        try stage.run(["simulate", "fault", "empty-success"], on: other)
        try stage.run(["unlock"], refusedWith: .biometricsChanged, on: other)
        try stage.check(
            try stage.status("state", on: other) == "locked",
            Words("a yes opens nothing", "un oui n'ouvre rien")
        )
    }

    /// Seed 000: behind a feature flag the device's own authentication opens the vault, and no PIN does.
    static func trustTheSystem(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "System authentication: the device's passcode opens the vault, the PIN does not.",
                "Authentification du système : le code de l'appareil ouvre le coffre, l'autre non."
            )
        )
        let users = stage.folder + "/\(other)/.config/thumbturn/system-auth-users"
        try Folders.makeParents(of: users)
        try Folders.write(Array("*\n".utf8), to: users)
        try stage.show("$ echo '*' > ~/.config/thumbturn/system-auth-users")
        let made = try stage.run(["recovery", "create"], secrets: [.pin], on: other)
        let key = String(made.standardOutput.prefix { $0 != "\n" })
        try stage.run(["recovery", "check"], secrets: [.pin, .recoveryKey(key)], on: other)
        try stage.run(["system-auth", "enable"], secrets: [.pin], on: other)
        try stage.run(["simulate", "finger", "passcode"], on: other)
        try stage.run(["unlock"], on: other)
        try stage.check(
            try stage.status("mode", on: other) == "system",
            Words("the passcode opened it", "le code de l'appareil l'a ouvert")
        )
        try stage.run(["simulate", "finger", "cancel"], on: other)
        try stage.run(["unlock"], refusedWith: .systemPromptEnded, on: other)
    }

    /// Seed 004: credentials that are not behind the vault, plain or behind biometrics.
    static func keepCredentials(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "Credentials that can be fetched again: stored plain, then behind a finger.",
                "Des identifiants que l'on peut redemander : en clair, puis derrière un doigt."
            )
        )
        let place = ["--device", "simulated"]
        try stage.run(place + ["credential", "set", "mail", "--no-biometrics"], secrets: [.password], on: other)
        try stage.run(["credential", "get", "mail"], on: other)
        try stage.run(["simulate", "finger", "match"], on: other)
        try stage.run(["credential", "upgrade", "mail"], on: other)
        try stage.run(["simulate", "finger", "mismatch"], on: other)
        try stage.run(["credential", "get", "mail"], refusedWith: .biometricsNotRecognised, on: other)
        try stage.run(["simulate", "finger", "match"], on: other)
        let read = try stage.run(["credential", "get", "mail"], on: other)
        try stage.check(
            read.standardOutput == DemoStage.password + "\n",
            Words("only the right finger reads them", "seul le bon doigt les lit")
        )
        try stage.run(["credential", "remove", "mail"], on: other)
        let gone = try stage.run(["credential", "get", "mail"], refusedWith: .credentialsMissing, on: other)
        try stage.check(gone.standardOutput.isEmpty, Words("and they are gone", "et ils sont effacés"))
    }
}
