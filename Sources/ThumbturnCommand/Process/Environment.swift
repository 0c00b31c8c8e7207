import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the tool reads of its environment: never a secret.
struct Environment: Sendable {
    let values: [String: String]

    /// The variables of this process that the tool knows.
    static var current: Environment {
        var names = [
            "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANG",
            "NO_COLOR",
            "CLICOLOR_FORCE", "TERM", "COLUMNS",
        ]
        #if DEBUG
        names += ["THUMBTURN_TEST_BUS", "THUMBTURN_TEST_TPM", "THUMBTURN_TEST_MACHINE"]
        #endif
        var values: [String: String] = [:]
        for name in names {
            guard let value = unsafe getenv(name) else { continue }
            values[name] = unsafe String(cString: value)
        }
        return Environment(values: values)
    }

    /// The language of messages.
    var language: Language {
        locale("LC_MESSAGES").hasPrefix("fr") ? .french : .english
    }

    /// Whether the terminal shows more than ASCII.
    var isUTF8: Bool {
        let locale = locale("LC_CTYPE").lowercased()
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Whether to colour what goes to a terminal, or what does not.
    func wantsColour(onTerminal isTerminal: Bool) -> Bool {
        guard (values["NO_COLOR"] ?? "").isEmpty else { return false }
        if let forced = values["CLICOLOR_FORCE"], forced != "0" { return true }
        return isTerminal && values["TERM"] != "dumb"
    }

    /// The width that the user asks for.
    var columns: Int? { values["COLUMNS"].flatMap { Int($0) } }

    /// The folder of the vault that no option names.
    func vaultFolder() throws(Failure) -> String {
        try folder("XDG_DATA_HOME", else: ".local/share") + "/thumbturn/vault"
    }

    /// The folder of a device, apart from the vault's: what is copied with the vault is no second factor.
    func deviceFolder(of choice: DeviceChoice) throws(Failure) -> String {
        try folder("XDG_STATE_HOME", else: ".local/state") + "/thumbturn/" + choice.folderName
    }

    /// The folder of what its owner configures.
    func configurationFolder() throws(Failure) -> String { try folder("XDG_CONFIG_HOME", else: ".config") }

    /// The first that is set and not empty decides, as POSIX has it.
    private func locale(_ category: String) -> String {
        [values["LC_ALL"], values[category], values["LANG"]].lazy.compactMap(\.self).first { !$0.isEmpty } ?? ""
    }

    /// The XDG rules: a relative path is ignored.
    private func folder(_ variable: String, else fallback: String) throws(Failure) -> String {
        if let path = values[variable], path.hasPrefix("/") { return path }
        guard let home = values["HOME"], home.hasPrefix("/") else {
            throw Failure(
                .usage,
                Text("HOME is not set", "HOME n'est pas défini"),
                hint: Text("name the vault's folder: --vault DIR", "nommez le dossier du coffre : --vault DOSSIER")
            )
        }
        return home + "/" + fallback
    }
}
