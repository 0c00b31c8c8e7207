import Thumbturn
import ThumbturnAudit
import ThumbturnConsole

extension AuditSummary {
    /// The kinds of event that it has, in the order of their numbers, and how many of each.
    private var kinds: [(kind: AuditEventKind, count: UInt64)] {
        tally.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// What a person is told of an export that verified.
    ///
    /// - Parameter advice: completes the command that shows the fingerprint.
    func text(lookedUpBy advice: Advice) -> Words {
        let rows = [
            (Words("device", "appareil"), deviceId.text), (Words("events", "événements"), String(count)),
            (Words("first", "premier"), first.localDate), (Words("last", "dernier"), last.localDate),
            (Words("exported", "exporté"), exportedAt.localDate), (Words("fingerprint", "empreinte"), fingerprint),
        ]
        let width = kinds.map { String($0.count).count }.max() ?? 0
        let counts = kinds.map { kind, count in
            Words(String(repeating: " ", count: 2 + width - String(count).count) + "\(count)  ") + kind.text
        }
        let trust =
            isPinned
            ? Words(
                "Whole, and signed by a device whose key you gave.",
                "Entier, et signé par un appareil dont vous avez donné la clé."
            )
            : advice.completed(
                Words(
                    "Whole, and signed. Whose key signed it, only the fingerprint tells: compare it with what `thumbturn status`"
                        + " shows on the device.",
                    "Entier, et signé. Seule l'empreinte dit par quelle clé : comparez-la avec ce que montre `thumbturn status`"
                        + " sur l'appareil."
                )
            )
        return ([trust] + rows.map { title, value in title.filled(to: 13) + Words(value) } + counts)
            .joined(separator: "\n")
    }

    var json: [(String, JSON)] {
        [
            ("isWhole", .bool(true)), ("isPinned", .bool(isPinned)), ("deviceId", .string(deviceId.text)),
            ("count", .integer(Int64(clamping: count))), ("first", .integer(first.count)),
            ("last", .integer(last.count)), ("exportedAt", .integer(exportedAt.count)),
            ("fingerprint", .string(fingerprint)),
            (
                "kinds",
                .array(
                    kinds.map { ["kind": .string($0.kind.name), "count": .integer(Int64(clamping: $0.count))] }
                )
            ),
        ]
    }
}

extension Words {
    func filled(to width: Int) -> Words { Words(english.filled(to: width), french.filled(to: width)) }
}
