package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The environment variables a command reads: never a secret.
package struct Environment: Sendable {
    /// The known variables that are set.
    package let values: [String: String]

    /// Creates an environment with only these variables.
    package init(values: [String: String]) { self.values = values }

    /// Reads the variables that both programs use, and those named in `more`.
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
    package var language: Language { locale("LC_MESSAGES").hasPrefix("fr") ? .french : .english }

    /// Whether the terminal shows characters other than ASCII.
    package var isUTF8: Bool {
        // The format is `language_COUNTRY.charset@modifier`, or the charset alone.
        locale("LC_CTYPE").lowercased().split { $0 == "." || $0 == "@" }.contains { $0 == "utf-8" || $0 == "utf8" }
    }

    /// Returns whether to use colours.
    package func wantsColour(onTerminal isTerminal: Bool) -> Bool {
        guard (values["NO_COLOR"] ?? "").isEmpty else { return false }
        if let forced = values["CLICOLOR_FORCE"], forced != "0" { return true }
        return isTerminal && !isDumb
    }

    /// Whether the terminal only shows one line after another, such as a screen reader's, or its abilities are unknown.
    package var isDumb: Bool { ["", "dumb"].contains(values["TERM"] ?? "") }

    /// The width that the user has set.
    package var columns: Int? { values["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Returns a folder by the XDG rules: a relative path is ignored.
    ///
    /// - Parameters:
    ///   - variable: the variable that names it.
    ///   - fallback: its default path below the user's home.
    /// - Returns: its path; `nil` if the home is unknown.
    package func folder(_ variable: String, else fallback: String) -> String? {
        if let path = values[variable], path.hasPrefix("/") { return path }
        guard let home = values["HOME"], home.hasPrefix("/") else { return nil }
        return home + "/" + fallback
    }

    /// Returns the first value that is set and not empty, as POSIX requires.
    private func locale(_ category: String) -> String {
        [values["LC_ALL"], values[category], values["LANG"]].lazy.compactMap(\.self).first { !$0.isEmpty } ?? ""
    }
}
