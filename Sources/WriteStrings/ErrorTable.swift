import ThumbturnRules

/// `docs/errors.md`: every code of the catalogue, with what the user reads, what gets the user on, and how a command ends.
enum ErrorTable {
    /// What a hint can't say, for the few codes that need it.
    private static let remarks: [ErrorCode: String] = [
        .auditUnavailable: "For the audit log, which is planned: nothing gives this code yet",
        .attemptDelayed: "The recovery key, where there is one, opens at once",
        .storageUnavailable: "In an app mostly time mends it: the phone is locked, say. Try again later",
        .olderCopy: "If no newer copy is left, `thumbturn unlock --accept-older-copy` takes this one for the vault",
        .formerSecretRemains: "The new PIN counts; `thumbturn status` tries again and says when the former is gone",
    ]

    /// The blocks of numbers, each with the beginning of its codes.
    private static let sections: [(beginning: String, title: String)] = [
        ("ERR-107-", "From the specification PD-107"),
        ("ERR-TT-1", "Unlocking and permission"),
        ("ERR-TT-2", "Storage and device"),
        ("ERR-TT-3", "Input"),
        ("ERR-TT-4", "Credentials"),
        ("ERR-TT-5", "The account and its service"),
    ]

    /// The text of the file.
    static var file: String {
        let lines = introduction + sections.flatMap { rows(of: $0.beginning, under: $0.title) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let introduction = [
        "# Error codes",
        "",
        "<!-- Written by `swift run WriteStrings` from Sources/ThumbturnRules/Errors. Change it there. -->",
        "",
        "Codes are added, never renumbered or reused. `ERR-107-…` come from the specification PD-107; `ERR-TT-…` are ours. Each",
        "message and hint exists in English and in French.",
        "",
        "A call of the library throws a `VaultError` with one of these codes. The command prints two lines on standard error,",
        "`thumbturn: error: CODE what happened` and `hint: what to do`, and ends with the number in the last column: 1 refused,",
        "2 usage, 3 storage or device unavailable, 4 verification failed. Its hint may name the very command to type.",
    ]

    private static func rows(of beginning: String, under title: String) -> [String] {
        let codes = ErrorCode.allCases.filter { $0.text.hasPrefix(beginning) }
        return ["", "## \(title)", "", "| code | message | what to do | exit |", "|---|---|---|---|"] + codes.map(row)
    }

    private static func row(_ code: ErrorCode) -> String {
        let hint = code.hint(in: .english)
        let advice = remarks[code].map { "\(hint). \($0)" } ?? hint
        return "| `\(code.text)` | \(code.message(in: .english)) | \(advice) | \(code.category.rawValue) |"
    }
}
