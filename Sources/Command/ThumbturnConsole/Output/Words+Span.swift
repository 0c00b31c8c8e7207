package import ThumbturnRules

extension Words {
    /// Returns a span in its two largest units, such as `2 h 5 min`; a started second counts as a whole one.
    package static func span(_ span: Milliseconds) -> Words {
        let seconds = max(0, span.count) / 1_000 + (span.count > 0 && span.count % 1_000 > 0 ? 1 : 0)
        let units: [(size: Int64, name: Words)] = [
            (86_400, Words(" d", " j")), (3_600, Words(" h")), (60, Words(" min")), (1, Words(" s")),
        ]
        guard let first = units.firstIndex(where: { $0.size <= seconds }) else { return Words("0 s") }
        var text = Words("\(seconds / units[first].size)") + units[first].name
        guard first + 1 < units.count else { return text }
        let rest = seconds % units[first].size / units[first + 1].size
        if rest > 0 { text = text + Words(" \(rest)") + units[first + 1].name }
        return text
    }

    /// Returns how long ago something was.
    package static func ago(_ span: Milliseconds) -> Words { Words("", "il y a ") + .span(span) + Words(" ago", "") }

    /// Returns how often something happens, such as `every 3 days`.
    package static func every(_ span: Milliseconds) -> Words {
        let (days, rest) = span.count.quotientAndRemainder(dividingBy: Milliseconds.days(1).count)
        guard days > 0, rest == 0 else { return Words("every ", days > 0 ? "tous les " : "toutes les ") + .span(span) }
        return days == 1 ? Words("every day", "tous les jours") : Words("every \(days) days", "tous les \(days) jours")
    }
}

extension Milliseconds {
    /// The span in seconds, rounded up.
    package var wholeSeconds: Int64 { max(0, count) / 1_000 + (count > 0 && count % 1_000 > 0 ? 1 : 0) }
}
