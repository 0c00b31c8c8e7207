import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs `thumbturn demo`, which tells the story of one vault with the real commands and checks each step.
enum Demo {
    /// - Returns: 0; a failed check throws.
    static func run(output: Output) async throws -> Int32 {
        var stage = try DemoStage(output: output)
        for chapter in chapters {
            try stage.open(chapter.tour)
            try chapter.tell(&stage)
        }
        try scan(&stage)
        try stage.tell(
            Words("All \(stage.steps.count) steps passed.", "Les \(stage.steps.count) étapes sont réussies.")
        )
        if output.isJSON {
            try output.printLine(
                JSON.object([("steps", .array(stage.steps.map { .string($0) })), ("holds", .bool(true))]).text
            )
        }
        return 0
    }

    /// A part of the story.
    struct Chapter: Sendable {
        /// The name of the playground's tour that shows the same on a screen.
        let tour: String
        let tell: @Sendable (inout DemoStage) throws(Failure) -> Void
    }

    /// The chapters of the story: the playground has a tour for each, and none besides (docs/decisions/0030).
    static let chapters = [
        Chapter(tour: "003-biometric-unlock") { stage throws(Failure) in try begin(&stage) },
        Chapter(tour: "002-unlock") { stage throws(Failure) in
            try openWithFinger(&stage)
            try fail(&stage)
            try waitAndReboot(&stage)
        },
        Chapter(tour: "attack-stranger") { stage throws(Failure) in try changeFingers(&stage) },
        Chapter(tour: "attack-guess") { stage throws(Failure) in try guess(&stage) },
        Chapter(tour: "attack-copy") { stage throws(Failure) in try copyElsewhere(&stage) },
        Chapter(tour: "attack-trail") { stage throws(Failure) in try audit(&stage) },
        Chapter(tour: "attack-clock") { stage throws(Failure) in try setClockBack(&stage) },
        Chapter(tour: "attack-yes") { stage throws(Failure) in try believeNoYes(&stage) },
        Chapter(tour: "001-moving-in") { stage throws(Failure) in try moveIn(&stage) },
        Chapter(tour: "000-system-authentication") { stage throws(Failure) in try trustTheSystem(&stage) },
        Chapter(tour: "004-credentials") { stage throws(Failure) in try keepCredentials(&stage) },
        Chapter(tour: "002-account") { stage throws(Failure) in try shareAccount(&stage) },
    ]

    private static let pin = DemoStage.pin

    private static func begin(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "A vault on a simulated device. The PIN is \(pin); scripts give it on --secret-fd.",
                "Un coffre sur un appareil simulé. Le code est \(pin), donné par --secret-fd."
            )
        )
        try stage.run(["init", "--device", "simulated", "--no-biometrics"], secrets: [.pin])
        try stage.run(["wallet", "import", "Savings"], secrets: [.pin, .mnemonic])
        try stage.run(["biometrics", "enable"], secrets: [.pin])
        try stage.run(["status"])
        try stage.check(
            try stage.status("state") + stage.status("walletCount") == "locked1",
            Words("each command locks the vault again", "chaque commande reverrouille le coffre")
        )
    }

    private static func openWithFinger(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(Words("A finger opens it.", "Une empreinte l'ouvre."))
        try stage.run(["simulate", "finger", "match"])
        let opened = try stage.run(["unlock", "--json"])
        try stage.check(
            SecretScan.firstIndex(of: Array("biometric\"".utf8), in: Array(opened.standardOutput.utf8)) != nil,
            Words("the finger opened it, without a PIN", "l'empreinte l'a ouvert, sans code")
        )
    }

    private static func fail(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words("Three wrong fingers: the PIN is required.", "Trois mauvaises empreintes : le code est exigé.")
        )
        for _ in 0..<3 {
            try stage.run(["simulate", "finger", "mismatch"])
            try stage.run(["unlock"], refusedWith: .biometricsNotRecognised)
        }
        try stage.run(["simulate", "finger", "match"])
        try stage.run(["unlock"], refusedWith: .inputClosed)
        try stage.check(
            try stage.status("reason") == "tooManyMismatches",
            Words("the right finger no longer opens it", "la bonne empreinte n'ouvre plus")
        )
        try stage.run(["unlock"], secrets: [.pin])
        try stage.check(
            try stage.status("action") == "promptBiometrics",
            Words("the PIN opens it, and clears the failures", "le code ouvre, et efface les échecs")
        )
    }

    private static func changeFingers(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(Words("A stranger enrols a finger.", "Un inconnu enregistre une empreinte."))
        try stage.run(["simulate", "enroll", "finger", "match"])
        try stage.run(["unlock"], refusedWith: .biometricsChanged)
        try stage.check(
            try stage.status("revocation") == "biometricsChanged",
            Words("biometrics are revoked", "la biométrie est révoquée")
        )
        try stage.run(["unlock"], secrets: [.pin])
        try stage.run(["biometrics", "enable"], secrets: [.pin])
        try stage.run(["unlock"])
        try stage.check(
            try stage.status("isEnabled") == "true",
            Words("only the PIN brought them back", "seul le code les a rétablies")
        )
    }

    private static func waitAndReboot(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(Words("31 minutes idle, then a reboot.", "31 minutes d'inactivité, puis un redémarrage."))
        try stage.run(["simulate", "advance", "31m", "finger", "match"])
        try stage.run(["unlock"], refusedWith: .sessionExpired)
        try stage.check(
            try stage.status("reason") == "idle",
            Words("idle for too long: the PIN is required", "trop longtemps inactif : le code est exigé")
        )
        try stage.run(["unlock"], secrets: [.pin])
        try stage.run(["simulate", "reboot"])
        try stage.run(["unlock"], refusedWith: .sessionExpired)
        try stage.check(
            try stage.status("reason") == "rebooted",
            Words("after a reboot too", "après un redémarrage aussi")
        )
        try stage.run(["unlock"], secrets: [.pin])
    }

    /// Seed 001: a finger migrates a former app's wallet, and the PIN completes it.
    private static func moveIn(_ stage: inout DemoStage) throws(Failure) {
        let place = "former"
        try stage.tell(
            Words(
                "Another phone: a former app's wallet is there, behind a finger and under a PIN.",
                "Un autre téléphone : le portefeuille d'une ancienne app, derrière un doigt et sous un code."
            )
        )
        try stage.run(["simulate", "legacy", "wallet"], on: place)
        try stage.run(["simulate", "finger", "match"], on: place)
        try stage.run(["--device", "simulated", "migrate", "legacy"], on: place)
        try stage.check(
            try stage.status("kind", on: place) == "biometric",
            Words(
                "only biometrics open it: it is half moved",
                "seule la biométrie l'ouvre : le transfert est à moitié fait"
            )
        )
        try stage.run(["simulate", "finger", "match"], on: place)
        try stage.run(["wallet", "create", "Second"], refusedWith: .migrationIncomplete, on: place)
        try stage.run(["unlock"], secrets: [.formerPIN], refusedWith: .migrationNeedsBiometrics, on: place)
        try stage.run(["simulate", "finger", "match"], on: place)
        try stage.run(["unlock"], secrets: [.formerPIN], on: place)
        try stage.check(
            try stage.status("isEnabled", on: place) == "true",
            Words(
                "the PIN opens the same vault, and biometrics stay",
                "le code ouvre le même coffre, et la biométrie reste"
            )
        )
        try stage.run(["wallet", "create", "Second"], secrets: [.formerPIN], on: place)
    }

    private static func guess(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(Words("A thief guesses PINs without a finger.", "Un voleur essaie des codes, sans empreinte."))
        try stage.run(["biometrics", "disable"], secrets: [.pin])
        for number in 1...3 {
            try stage.run(["unlock"], secrets: [.wrongPIN], refusedWith: .strongFactorRefused, isShown: number == 1)
        }
        try stage.check(
            try stage.status("retryAfterSeconds") == "0",
            Words("three mistakes are free", "trois erreurs sont permises")
        )
        for number: UInt32 in 4...8 {
            let seconds = AttemptSchedule.delay(after: number).count / 1_000
            try stage.run(["unlock"], secrets: [.wrongPIN], refusedWith: .strongFactorRefused, isShown: false)
            let wait = Int64(try stage.status("retryAfterSeconds")) ?? 0
            let failures = try stage.status("attempts\":{\"failures")
            try stage.check(
                // The simulated device's clock keeps running meanwhile.
                seconds / 2 < wait && wait <= seconds,
                Words("wrong PIN no. \(failures): wait \(wait) s", "code erroné n° \(failures) : attendre \(wait) s")
            )
            if number == 4 { try stage.run(["unlock"], secrets: [.pin], refusedWith: .attemptDelayed) }
            try stage.run(["simulate", "advance", "\(seconds)s"], isShown: false)
        }
        try stage.run(["unlock"], secrets: [.pin])
        try stage.check(
            try stage.status("attempts\":{\"failures") == "0",
            Words(
                "the owner waits, then opens it: nothing was wiped",
                "le propriétaire attend, puis ouvre : rien n'est effacé"
            )
        )
    }

    private static func copyElsewhere(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words("The thief copies the vault to another machine.", "Le voleur copie le coffre sur une autre machine.")
        )
        let (home, thief) = (stage.folder + "/home/data/thumbturn/vault", stage.folder + "/thief/data/thumbturn/vault")
        try Folders.makeParents(of: thief + "/")
        for path in Folders.files(below: home) {
            let name = path.dropFirst(home.count)
            try Folders.write(Folders.contents(of: path), to: thief + name)
        }
        try stage.show("$ cp -a ~/.local/share/thumbturn/vault thief:")
        try stage.run(["unlock"], secrets: [.pin], refusedWith: .keyMissing, on: "thief")
        try stage.check(true, Words("the right PIN opens nothing there", "le bon code n'y ouvre rien"))
        let exported = try stage.run(["wallet", "export", "Savings"], secrets: [.pin])
        try stage.check(
            exported.standardOutput == DemoStage.mnemonic + "\n",
            Words("at home the wallet is intact", "à la maison, le portefeuille est intact")
        )
    }

    /// What happened is told in words, and its export shows whether it was changed.
    private static func audit(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "Who opened it, and who tried? The device signs the trail; one changed word shows.",
                "Qui l'a ouvert, qui a essayé ? L'appareil signe le journal ; un mot changé se voit."
            )
        )
        let trail = stage.folder + "/trail.jsonl"
        try stage.run(["audit", "log"])
        try stage.run(["audit", "export", trail], secrets: [.pin])
        let verified = try stage.run(["audit", "verify", trail, "--json"], isShown: false).standardOutput
        try stage.run(["audit", "verify", trail])
        try stage.check(
            DemoStage.member("fingerprint", of: verified) == (try stage.status("fingerprint")),
            Words("the export has the fingerprint that status shows", "l'export a l'empreinte que montre status")
        )
        // Before it: the header's line, the device's, and one for each event.
        try changeEvent(of: "trail.jsonl", &stage, named: "seq") { _, line in String(line - 2) }
    }

    /// Changes a word of an export, and checks that the event is named.
    ///
    /// - Parameters:
    ///   - member: what `audit verify --json` calls its place.
    ///   - place: returns its place, of its line and the number of lines before it.
    static func changeEvent(
        of name: String,
        _ stage: inout DemoStage,
        named member: String,
        _ place: (_ line: String, _ number: Int) -> String
    ) throws(Failure) {
        let newline = UInt8(ascii: "\n")
        let changed = stage.folder + "/changed-" + name
        let (success, failure) = (Array("AUTH_SUCCESS".utf8), Array("AUTH_FAILURE".utf8))
        var bytes = Folders.contents(of: stage.folder + "/" + name)
        var expected: String?
        if let found = SecretScan.firstIndex(of: success, in: bytes) {
            let lines = bytes[..<found].split(separator: newline, omittingEmptySubsequences: false)
            expected = place(String(decoding: lines.last ?? [], as: UTF8.self), lines.count - 1)
            bytes.replaceSubrange(found..<(found + success.count), with: failure)
        }
        try Folders.write(bytes, to: changed)
        try stage.show("$ sed '0,/AUTH_SUCCESS/s//AUTH_FAILURE/' \(name) > changed-\(name)")
        try stage.run(["audit", "verify", changed], refusedWith: .trailBroken)
        let refused = try stage.run(["audit", "verify", changed, "--json"], refusedWith: .trailBroken, isShown: false)
        let number = DemoStage.member(member, of: refused.standardOutput)
        try stage.check(
            number == expected,
            Words("event \(number) is named", "l'événement \(number) est nommé")
        )
    }

    private static func scan(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "Every byte on every disk, searched for PIN, mnemonic and passwords in many forms.",
                "Chaque octet de chaque disque, fouillé pour le code, la phrase et les mots de passe."
            )
        )
        let forms =
            SecretScan.forms(of: Array(pin.utf8), named: "PIN")
            + SecretScan.forms(of: Array(DemoStage.mnemonic.utf8), named: "mnemonic")
            + SecretScan.forms(of: DemoStage.entropy, named: "entropy")
            + SecretScan.forms(of: Array(DemoStage.password.utf8), named: "password")
            + SecretScan.forms(of: Array(DemoStage.newPassword.utf8), named: "new password")
        var scan = SecretScan(forms: forms)
        let found = scan.findings(below: stage.folder)
        try stage.check(
            found.isEmpty && scan.byteCount > 50_000,
            Words(
                "\(scan.fileCount) files, \(scan.byteCount) bytes, \(forms.count) forms: no secret",
                "\(scan.fileCount) fichiers, \(scan.byteCount) octets, \(forms.count) formes : aucun secret"
            )
        )
        var missed: [String] = []
        for form in forms {
            let planted = stage.folder + "/planted"
            try Folders.write(Array("…".utf8) + form.bytes + [0], to: planted)
            var control = SecretScan(forms: [form])
            if control.findings(below: stage.folder).map(\.path) != [planted] { missed.append(form.name) }
            _ = unsafe unlink(planted)
        }
        try stage.check(
            missed.isEmpty,
            Words("every form that is planted is found", "chaque forme déposée exprès est trouvée")
        )
    }
}
