package import ThumbturnRules

/// Words in both languages.
package struct Text: Hashable, Sendable {
    /// The words in English.
    package let english: String
    /// The words in French.
    package let french: String

    /// The words, in each.
    package init(_ english: String, _ french: String) {
        self.english = english
        self.french = french
    }

    /// Text that is the same in both, such as a name.
    package init(_ both: String) {
        self.init(both, both)
    }

    /// The words in one of them.
    package func `in`(_ language: Language) -> String {
        switch language {
        case .english: english
        case .french: french
        }
    }

    /// Both one after the other.
    package static func + (left: Text, right: Text) -> Text {
        Text(left.english + right.english, left.french + right.french)
    }
}

extension Text {
    /// A span of time in its two largest units, such as `2 h 5 min`; what is left of a second counts as one.
    package static func span(_ span: Milliseconds) -> Text {
        let seconds = max(0, span.count) / 1_000 + (span.count > 0 && span.count % 1_000 > 0 ? 1 : 0)
        let units: [(size: Int64, name: Text)] = [
            (86_400, Text(" d", " j")), (3_600, Text(" h")), (60, Text(" min")), (1, Text(" s")),
        ]
        guard let first = units.firstIndex(where: { $0.size <= seconds }) else { return Text("0 s") }
        var text = Text("\(seconds / units[first].size)") + units[first].name
        guard first + 1 < units.count else { return text }
        let rest = seconds % units[first].size / units[first + 1].size
        if rest > 0 { text = text + Text(" \(rest)") + units[first + 1].name }
        return text
    }
}

extension Milliseconds {
    /// Seconds, rounded up.
    package var wholeSeconds: Int64 { max(0, count) / 1_000 + (count > 0 && count % 1_000 > 0 ? 1 : 0) }
}
