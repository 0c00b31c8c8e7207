import ThumbturnRules

/// Generates `docs/errors.md`: every error code, with its message, its hint, and the command's exit code.
enum ErrorTable {
    /// Remarks that no hint can make: the cause to fix outside, or that nothing is wrong with the input.
    private static let remarks: [ErrorCode: String] = [
        .auditUnavailable: "Nothing is lost: events wait on the device until the account's service takes them",
        .attemptDelayed: "The recovery key, if there is one, opens at once",
        .migrationNeedsBiometrics: "Or the owner does without biometrics, and the vault gets a new key",
        .assuranceTooLow: "Use a device that protects keys better, or a policy that asks for less",
        .biometricsAlreadyEnabled: "Nothing is wrong: they work already",
        .accountRequired: "The app's policy has to name the PIN or password as its strong factor",
        .systemModeOff: "Nothing is wrong: the vault opens with its PIN or password",
        .systemModeNotOffered: "App, policy or device rule it out; the PIN or password stays",
        .passcodeMissing: "Set a passcode on the device",
        .vaultNewer: "Install the version that wrote it, or a newer one",
        .vaultDamaged: "Use another copy or a backup; what is intact in this one opens with its recovery key",
        .vaultUnsafe: "Make file and folder your own, close them to other users, and replace links by plain files",
        .storageUnavailable: "In an app it usually passes, for example once the phone is unlocked",
        .diskFull: "Free some disk space",
        .protectionDropped: "Another device, or a newer version of its system, may protect the key as asked",
        .hardwareRequired: "Use a device whose hardware guards keys, or don't ask for that",
        .olderCopy: "If no newer copy is left, `thumbturn unlock --accept-older-copy` makes this one the vault",
        .formerSecretRemains: "The new PIN is set; `thumbturn status` tries again and says when the old one is gone",
        .logUnusable: "Copy the file again with its `-wal`; without that log, the file is an older state of the vault",
        .costTooHigh: "The file may have been changed: use another copy or a backup",
        .memoryNotAllowed: "Open the app itself; app and extension should have the same `Argon2Limits`",
        .credentialsUnavailable: "Set up a finger or face on the device, or enter its passcode to free a locked sensor",
        .serviceNotProved: "Check the service's address; don't give the password until it proves itself",
        .certificateExpired: "If the device's date is right, the service's operator has to renew it; nothing was sent",
        .certificateClock: "Set the device's date and time, then try again; nothing was sent",
        .certificateUnknown:
            "Name its authority (`--ca FILE`) if it is a private one that you know; else give no password",
        .registrationClosed: "Ask the service's operator for an account",
        .serviceDiffers: "Check the address; a service that moved keeps its name and its accounts",
        .serviceElsewhere: "If the service has moved, `thumbturn account move` follows it",
        .contactNotProved: "A login renews the proof; if the account was closed, the recovery key exports",
        .logContradicted: "Keep the vault: it holds the evidence; ask the service's operator what became of the log",
        .serviceWeakened: "Ask the service's operator; don't log in until it asks for as much as before",
    ]

    /// The blocks of codes, each with their common prefix.
    private static let sections: [(beginning: String, title: String)] = [
        ("ERR-107-", "From the specification PD-107"),
        ("ERR-TT-1", "Unlocking and permission"),
        ("ERR-TT-2", "Storage and device"),
        ("ERR-TT-3", "Input"),
        ("ERR-TT-4", "Credentials"),
        ("ERR-TT-5", "The account and its service"),
    ]

    static var file: String {
        let lines = introduction + sections.flatMap { rows(of: $0.beginning, under: $0.title) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let introduction = [
        "# Error codes",
        "",
        "<!-- Written by `swift run WriteStrings` from Sources/Library/ThumbturnRules/Errors. Change it there. -->",
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
