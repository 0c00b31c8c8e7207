import Thumbturn
import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the demo's commands as separate processes in a folder of its own, as a user would.
///
/// A failed step ends the demo.
struct DemoStage: ~Copyable {
    /// A line for `--secret-fd`, and its name in the output.
    enum Line {
        case pin
        case wrongPIN
        case formerPIN
        case mnemonic
        case password
        case newPassword
        case recoveryKey(String)

        var text: String {
            switch self {
            case .pin: DemoStage.pin
            case .wrongPIN: "40718263"
            case .formerPIN: FormerWallet.wallet.pin
            case .mnemonic: DemoStage.mnemonic
            case .password: DemoStage.password
            case .newPassword: DemoStage.newPassword
            case .recoveryKey(let key): key
            }
        }

        var name: Words {
            switch self {
            case .pin: Words("PIN", "code")
            case .wrongPIN: Words("wrong PIN", "code erroné")
            case .formerPIN: Words("PIN of the former app", "code de l'ancienne app")
            case .mnemonic: Words("mnemonic", "phrase")
            case .password: Words("password", "mot de passe")
            case .newPassword: Words("new password", "nouveau mot de passe")
            case .recoveryKey: Words("recovery key", "clé de secours")
            }
        }
    }

    static let pin = "83251947"
    static let password = "correct horse 41 battery"
    static let newPassword = "another staple 73 horse"
    /// Published with BIP-39's test vectors, so it holds no coins of a user.
    static let mnemonic = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"
    static let entropy: [UInt8] = [
        0x9E, 0x88, 0x5D, 0x95, 0x2A, 0xD3, 0x62, 0xCA, 0xEB, 0x4E, 0xFE, 0x34, 0xA8, 0xE9, 0x1B, 0xD2,
    ]

    let folder: String
    /// The path of this program.
    let executable: String
    private let output: Output
    private(set) var steps: [String] = []

    init(output: Output) throws(Failure) {
        let executable = try Self.ownPath()
        folder = try Folders.makeTemporary("thumbturn-demo")
        self.output = output
        self.executable = executable
    }

    deinit { Folders.remove(folder) }

    /// Opens a chapter, and names the tour that shows it.
    func open(_ tour: String) throws(Failure) { try show("\n" + paint("# thumbturn playground: \(tour)", "2")) }

    /// Announces what the next commands show.
    func tell(_ text: Words) throws(Failure) { try show("\n" + paint(output.shown(text.in(output.language)), "1")) }

    /// Runs a command, shows it with its output, and compares its result with the expected one.
    ///
    /// - Parameters:
    ///   - secrets: the lines to pass through `--secret-fd`.
    ///   - code: the error that it must report; `nil` if it must succeed.
    ///   - home: the machine that it runs on.
    @discardableResult
    func run(
        _ words: [String],
        secrets: [Line]? = nil,
        refusedWith code: ErrorCode? = nil,
        on home: String = "home",
        isShown: Bool = true
    ) throws(Failure) -> ChildProcess {
        let typed = secrets.map { lines in Array(lines.map { $0.text + "\n" }.joined().utf8) }
        let given = words + (typed == nil ? [] : ["--secret-fd", "3"])
        if isShown {
            let names = (secrets ?? []).map { $0.name.in(output.language) }.joined(separator: ", ")
            try show(
                paint("$ thumbturn " + given.joined(separator: " "), "36")
                    + paint(names.isEmpty ? "" : "   # 3: " + names, "2")
            )
        }
        let result = try ChildProcess.run(executable, given, environment: environment(home), secrets: typed)
        if isShown { try show(indented(result.standardError + result.standardOutput)) }
        let expected = code.map { Int32($0.category.rawValue) } ?? 0
        try hold(
            result.exitCode == expected
                && code.map { result.standardError.split(separator: " ").contains(Substring($0.text)) } ?? true,
            "exit code \(result.exitCode)"
        )
        return result
    }

    /// Writes what a command of the service prints to a file.
    ///
    /// - Returns: the file's path.
    func write(_ name: String, printedBy program: String, _ words: [String]) throws(Failure) -> String {
        try show(paint("$ thumbturnd \(words.joined(separator: " ")) > \(name)", "36"))
        let result = try ChildProcess.run(program, words, environment: environment("service"))
        try hold(result.exitCode == 0, "exit code \(result.exitCode)")
        try Folders.write(Array(result.standardOutput.utf8), to: folder + "/" + name)
        return folder + "/" + name
    }

    /// Records a passed check, or ends the demo.
    mutating func check(_ holds: Bool, _ text: Words) throws(Failure) {
        try hold(holds, text.english)
        steps.append(text.english)
        try show(paint(output.shown("✓ "), "32") + output.shown(text.in(output.language)))
    }

    /// Returns a member of `status --json` as text.
    func status(_ member: String, on home: String = "home") throws(Failure) -> String {
        Self.member(member, of: try run(["status", "--json"], on: home, isShown: false).standardOutput)
    }

    /// Returns a member of what a command printed with `--json`, as text.
    static func member(_ member: String, of json: String) -> String {
        let (bytes, key) = (Array(json.utf8), Array("\"\(member)\":".utf8))
        guard let place = SecretScan.firstIndex(of: key, in: bytes) else { return "" }
        let value = bytes[(place + key.count)...].prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
        return String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    func show(_ text: String) throws(Failure) {
        guard !output.isJSON, !text.isEmpty else { return }
        try output.printLine(output.wrapped(text, indent: 4))
    }

    private func hold(_ holds: Bool, _ what: String) throws(Failure) {
        guard !holds else { return }
        throw Failure(
            .vaultTampered,
            Words("a step of the demo failed: \(what)", "une étape de la démo a échoué : \(what)")
        )
    }

    func environment(_ home: String) -> [String] {
        [
            "HOME=\(folder)/\(home)", "XDG_DATA_HOME=\(folder)/\(home)/data", "XDG_STATE_HOME=\(folder)/\(home)/state",
            "LC_ALL=" + (output.language == .french ? "fr_FR" : "en_US") + (output.isUTF8 ? ".UTF-8" : ""),
            "CLICOLOR_FORCE=" + (output.hasColour ? "1" : "0"),
        ]
    }

    private func paint(_ text: String, _ code: String) -> String {
        output.hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    }

    private static func ownPath() throws(Failure) -> String {
        #if canImport(Glibc)
        guard let path = unsafe realpath("/proc/self/exe", nil) else {
            throw Failure(errno: errno, Words("/proc/self/exe"))
        }
        #else
        guard let path = unsafe realpath(CommandLine.arguments[0], nil) else {
            throw Failure(errno: errno, Words("argv[0]"))
        }
        #endif
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }
}
