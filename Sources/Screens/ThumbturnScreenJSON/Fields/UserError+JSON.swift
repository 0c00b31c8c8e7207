package import ThumbturnJSON
package import ThumbturnRules

extension UserError {
    /// What a refusal says, in the error's language.
    package var json: JSON {
        [
            "code": .string(code), "hint": .string(hint), "message": .string(message),
            "recoverable": .bool(recoverable),
        ]
    }
}

extension Countdown {
    /// A remaining time, and its text.
    package var json: JSON {
        [
            "hours": .integer(hours), "minutes": .integer(minutes), "seconds": .integer(seconds),
            "text": .string(text),
        ]
    }
}

extension ErrorCode {
    /// What it says of itself, where there is no vault to ask what else opens.
    package func json(in language: Language) -> JSON {
        [
            "code": .string(text), "hint": .string(hint().sentence.in(language)),
            "message": .string(message().in(language)),
        ]
    }
}
