import Thumbturn
import ThumbturnConsole

// The chapter about an account: two devices with the real service between them.
extension Demo {
    /// Shares an account between two devices, and changes its password on one.
    ///
    /// Without `thumbturnd`, as on a Mac, it says so and skips the chapter.
    static func shareAccount(_ stage: inout DemoStage) throws(Failure) {
        guard let program = ServiceProcess.program(beside: stage.executable) else {
            return try stage.tell(
                Words(
                    "There is no thumbturnd here: the part about an account on two devices is left out.",
                    "Il n'y a pas de thumbturnd ici : la partie sur un compte et deux appareils est omise."
                )
            )
        }
        let service = try ServiceProcess(program, environment: stage.environment("service"))
        let origin = service.origin
        try enrol(&stage, origin)
        try openElsewhere(&stage)
        try changePassword(&stage)
        service.end()
        try goOnAlone(&stage)
        let later = try ServiceProcess(program, environment: stage.environment("service"), at: origin)
        try deliver(&stage, program)
        later.end()
    }

    private static func enrol(_ stage: inout DemoStage, _ origin: String) throws(Failure) {
        try stage.tell(
            Words(
                "An account on a phone and a tablet: its password is \"\(DemoStage.password)\".",
                "Un compte sur un téléphone et une tablette : son mot de passe est « \(DemoStage.password) »."
            )
        )
        let place = ["ada", "--service", origin, "--device", "simulated"]
        try stage.run(["account", "register"] + place, secrets: [.password], on: "phone")
        try stage.run(["account", "login"] + place, secrets: [.password], on: "tablet")
        let listed = try stage.run(["account", "devices"], secrets: [.password], on: "tablet")
        try stage.check(
            listed.standardOutput.split(separator: "\n").count == 2,
            Words("one account, two devices, a vault on each", "un compte, deux appareils, un coffre sur chacun")
        )
    }

    private static func openElsewhere(_ stage: inout DemoStage) throws(Failure) {
        try stage.run(["biometrics", "enable"], secrets: [.password], on: "tablet")
        try stage.run(["simulate", "finger", "match"], on: "tablet", isShown: false)
        let opened = try stage.run(["unlock", "--json"], on: "tablet")
        try stage.check(
            SecretScan.firstIndex(of: Array("biometric\"".utf8), in: Array(opened.standardOutput.utf8)) != nil,
            Words("a finger opens the tablet's vault", "une empreinte ouvre le coffre de la tablette")
        )
    }

    private static func changePassword(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(
            Words(
                "The password changes on the phone, to \"\(DemoStage.newPassword)\".",
                "Le mot de passe change sur le téléphone : « \(DemoStage.newPassword) »."
            )
        )
        try stage.run(["account", "password"], secrets: [.password, .newPassword], on: "phone")
        try stage.run(["account", "contact"], on: "tablet")
        try stage.run(["simulate", "finger", "match"], on: "tablet", isShown: false)
        try stage.run(["unlock"], refusedWith: .securityEventMissing, on: "tablet")
        try stage.check(
            try stage.status("revocation", on: "tablet") == "passwordChanged",
            Words(
                "the tablet learned of it, and no finger opens it now",
                "la tablette l'a appris, l'empreinte n'ouvre plus"
            )
        )
        try stage.run(["account", "login"], secrets: [.password], refusedWith: .strongFactorRefused, on: "tablet")
        try stage.check(
            try stage.status("revocation", on: "tablet") == "passwordChanged",
            Words("the old password opens nothing", "l'ancien mot de passe n'ouvre rien")
        )
        try stage.run(["account", "login"], secrets: [.newPassword], on: "tablet")
        try stage.run(["biometrics", "enable"], secrets: [.newPassword], on: "tablet")
        try stage.check(
            try stage.status("isEnabled", on: "tablet") == "true",
            Words("the new one opens, and biometrics are back", "le nouveau ouvre, et la biométrie est rétablie")
        )
    }

    private static func goOnAlone(_ stage: inout DemoStage) throws(Failure) {
        try stage.tell(Words("The service can't be reached.", "Le service est injoignable."))
        try stage.run(["account", "login"], secrets: [.newPassword], refusedWith: .serviceUnreachable, on: "tablet")
        try stage.run(["simulate", "finger", "match"], on: "tablet", isShown: false)
        try stage.run(["unlock"], on: "tablet")
        try stage.check(
            try stage.status("state", on: "tablet") == "locked",
            Words(
                "a password needs the service, a finger does not",
                "le mot de passe demande le service, pas l'empreinte"
            )
        )
    }

    /// What happened without the service reaches its log, whose export shows what was changed or cut.
    private static func deliver(_ stage: inout DemoStage, _ program: String) throws(Failure) {
        try stage.tell(
            Words(
                "The service is back, and its log gets what happened meanwhile. Whoever has the log's key verifies it.",
                "Le service est de retour, et son registre reçoit la suite. Qui a la clé du registre le vérifie."
            )
        )
        try stage.run(["audit", "push"], on: "tablet")
        let log = try stage.write("all.jsonl", printedBy: program, ["export"])
        let key = try stage.write("audit.pem", printedBy: program, ["key", "public"])
        try stage.run(["audit", "verify", log, "--key", key], on: "tablet")
        let verify = ["audit", "verify", log, "--key", key, "--json"]
        let verified = try stage.run(verify, on: "tablet", isShown: false).standardOutput
        let waiting = try stage.status("undelivered", on: "tablet")
        try stage.check(
            waiting + DemoStage.member("isPinned", of: verified) + DemoStage.member("isCompared", of: verified)
                == "0truetrue",
            Words(
                "all is in the log, which continues the head that the tablet keeps",
                "tout est dans le registre, qui prolonge la tête que garde la tablette"
            )
        )
        try changeEvent(of: "all.jsonl", &stage, named: "index") { line, _ in DemoStage.member("index", of: line) }
        var lines = Folders.contents(of: log).split(separator: UInt8(ascii: "\n"))
        // The last event, what its device signed, and the log's head.
        lines.removeLast(min(3, lines.count))
        let cut = stage.folder + "/cut.jsonl"
        try Folders.write(lines.flatMap { $0 + [UInt8(ascii: "\n")] }, to: cut)
        try stage.show("$ head -n -3 all.jsonl > cut.jsonl")
        try stage.run(["audit", "verify", cut], refusedWith: .trailBroken)
        let refused = try stage.run(["audit", "verify", cut, "--json"], refusedWith: .trailBroken, isShown: false)
        let last = Int(DemoStage.member("size", of: verified)).map { String($0 - 1) }
        try stage.check(
            DemoStage.member("index", of: refused.standardOutput) == last,
            Words("the tail that was cut off is missed", "la fin coupée manque à l'appel")
        )
    }
}
