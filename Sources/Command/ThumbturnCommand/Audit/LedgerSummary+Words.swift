import Thumbturn
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnCrypto

extension LedgerSummary {
    private var rootText: String { String(decoding: TextCode.hexadecimal.encode(root), as: UTF8.self) }

    /// The kinds of event that it has, in the order of their numbers, and how many of each.
    private var kinds: [(kind: AuditEventKind, count: UInt64)] {
        tally.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    private var sortedEntries: [(type: String, count: UInt64)] {
        entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// What a person is told of a service's export that verified.
    var text: Words {
        let trust =
            isPinned
            ? Words(
                "Whole, and signed by a log whose key you gave.",
                "Entier, et signé par un registre dont vous avez donné la clé."
            )
            : Words(
                "Whole, and signed. Nothing was compared: whose log it is, only its keys tell. Ask for them by another way, and"
                    + " give them with --key.",
                "Entier, et signé. Rien n'a été comparé : seules ses clés disent de qui est ce registre. Demandez-les par une"
                    + " autre voie, et donnez-les avec --key."
            )
        var rows = [
            (Words("log", "registre"), origin), (Words("events", "événements"), String(records)),
            (Words("trails", "journaux"), String(chains)),
        ]
        if let times {
            rows.append((Words("first", "premier"), times.lowerBound.localDate))
            rows.append((Words("last", "dernier"), times.upperBound.localDate))
        }
        rows.append((Words("head", "tête"), "\(size) \(rootText)"))
        for key in keys { rows.append((Words("key", "clé"), key.fingerprint)) }
        let compared =
            isCompared
            ? [
                Words(
                    "It passes through the head that this device keeps.",
                    "Il passe par la tête que garde cet appareil."
                )
            ] : []
        let counts = kinds.map { ($0.count, $0.kind.text) } + sortedEntries.map { ($0.count, Self.text(of: $0.type)) }
        let width = counts.map { String($0.0).count }.max() ?? 0
        return
            ([trust] + compared + rows.map { title, value in title.filled(to: 13) + Words(value) }
            + counts.map { count, text in
                Words(String(repeating: " ", count: 2 + width - String(count).count) + "\(count)  ") + text
            } + remarks.map { Words("Remark: ", "Remarque : ") + $0.text }).joined(separator: "\n")
    }

    /// What a service enters, in a few words.
    private static func text(of type: String) -> Words {
        switch type {
        case "DEVICE_ENROLLED": Words("device enrolled", "appareil inscrit")
        case "DEVICE_REVOKED": Words("device revoked", "appareil révoqué")
        case "PASSWORD_CHANGED": Words("account's password changed", "mot de passe du compte changé")
        case "CHAIN_FORK": Words("trail forked", "journal bifurqué")
        case "REJECTED": Words("delivery refused", "envoi refusé")
        case "KEY_ROTATED": Words("new key of the log", "nouvelle clé du registre")
        case "LOG_RESTORED": Words("log begun after a restored backup", "registre commencé après une restauration")
        default: Words(type)
        }
    }

    var json: [(String, JSON)] {
        func number(_ number: UInt64) -> JSON { .integer(Int64(clamping: number)) }
        let span = times.map {
            [("first", JSON.integer($0.lowerBound.count)), ("last", .integer($0.upperBound.count))]
        }
        return [
            ("isWhole", .bool(true)), ("isPinned", .bool(isPinned)), ("origin", .string(origin)),
            ("count", number(records)), ("size", number(size)),
            ("root", .string(rootText)), ("chains", number(chains)), ("uploads", number(uploads)),
            ("checkpoints", number(checkpoints)), ("isCompared", .bool(isCompared)),
            (
                "keys",
                .array(
                    keys.map {
                        [
                            "fingerprint": .string($0.fingerprint), "from": number($0.from),
                            "isPinned": .bool($0.isPinned),
                        ]
                    }
                )
            ),
            ("kinds", .array(kinds.map { ["kind": .string($0.kind.name), "count": number($0.count)] })),
            ("entries", .array(sortedEntries.map { ["type": .string($0.type), "count": number($0.count)] })),
            ("remarks", .array(remarks.map(\.json))),
        ] + (span ?? [])
    }
}
