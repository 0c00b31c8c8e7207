package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a command reads of its environment: never a secret.
package struct Environment: Sendable {
    /// The variables that are set, of those that the command knows.
    package let values: [String: String]

    /// An environment of these variables alone.
    package init(values: [String: String]) {
        self.values = values
    }

    /// The variables of this process that both commands know, and those of these names.
    package static func read(with more: [String]) -> Environment {
        let names = [
            "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "LANG",
            "NO_COLOR", "CLICOLOR_FORCE", "TERM", "COLUMNS",
        ]
        var values: [String: String] = [:]
        for name in names + more {
            guard let value = unsafe getenv(name) else { continue }
            values[name] = unsafe String(cString: value)
        }
        return Environment(values: values)
    }

    /// The language of messages.
    package var language: Language {
        locale("LC_MESSAGES").hasPrefix("fr") ? .french : .english
    }

    /// Whether the terminal shows more than ASCII.
    package var isUTF8: Bool {
        // `language_COUNTRY.charset@modifier`, or the charset alone.
        locale("LC_CTYPE").lowercased().split { $0 == "." || $0 == "@" }.contains { $0 == "utf-8" || $0 == "utf8" }
    }

    /// Whether to colour what goes to a terminal, or what does not.
    package func wantsColour(onTerminal isTerminal: Bool) -> Bool {
        guard (values["NO_COLOR"] ?? "").isEmpty else { return false }
        if let forced = values["CLICOLOR_FORCE"], forced != "0" { return true }
        return isTerminal && !isDumb
    }

    /// Whether the terminal shows line after line and does nothing else, as one that is read out, or does not say what it can.
    package var isDumb: Bool { ["", "dumb"].contains(values["TERM"] ?? "") }

    /// The width that the user asks for.
    package var columns: Int? { values["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }

    /// A folder by the XDG rules: a relative path is ignored.
    ///
    /// - Parameters:
    ///   - variable: what names it.
    ///   - fallback: where it is else, below the user's home.
    /// - Returns: its path; nil where nothing says where that home is.
    package func folder(_ variable: String, else fallback: String) -> String? {
        if let path = values[variable], path.hasPrefix("/") { return path }
        guard let home = values["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/" + fallback
    }

    /// The first that is set and not empty decides, as POSIX has it.
    private func locale(_ category: String) -> String {
        [values["LC_ALL"], values[category], values["LANG"]].lazy.compactMap(\.self).first { !$0.isEmpty } ?? ""
    }
}
