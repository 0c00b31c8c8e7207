import ThumbturnAudit
import ThumbturnConsole
import ThumbturnJSON
import ThumbturnRules
import ThumbturnService

// What `check` prints of a log.
extension LedgerReport.Log {
    /// Some lines: where the log stands, what is older than a date, what is wrong, and what should be known.
    func words(before: Milliseconds?) -> Words {
        let signed = signed.map(String.init) ?? "—"
        var words = Words(
            "log \(log), \(origin): leaves \(size), signed \(signed)\(isEnded ? ", ended" : "")",
            "journal \(log), \(origin) : feuilles \(size), signées \(signed)\(isEnded ? ", clos" : "")"
        )
        if !keys.isEmpty {
            let names = keys.joined(separator: ", ")
            words = words + Words("\n  keys: \(names)", "\n  clés : \(names)")
        }
        if before != nil { words = words + olderWords }
        for remark in remarks { words = words + Words("\n  remark: ", "\n  remarque : ") + remark.words }
        for fault in faults { words = words + Words("\n  wrong: ", "\n  faux : ") + fault.words }
        guard faultCount > faults.count else { return words }
        let more = faultCount - faults.count
        return words + Words("\n  and \(more) more", "\n  et \(more) de plus")
    }

    /// What may be archived: an export holds leaves from 0 on, so one that goes far enough holds them all.
    private var olderWords: Words {
        guard older > 0 else { return Words("\n  older: none", "\n  plus ancien : rien") }
        return Words(
            "\n  older: 0 to \(older - 1), which any `thumbturnd export --log \(log)` with \"to\" of \(older) or more holds",
            "\n  plus ancien : 0 à \(older - 1), que contient tout `thumbturnd export --log \(log)` dont \"to\" vaut \(older) ou plus"
        )
    }

    func json(before: Milliseconds?, in language: Language) -> JSON {
        var members: [(String, JSON)] = [
            ("log", .integer(log)), ("origin", .string(origin)), ("size", .integer(Int64(clamping: size))),
            ("ended", .bool(isEnded)), ("keys", .array(keys.map { .string($0) })),
        ]
        if let signed { members.append(("signed", .integer(Int64(clamping: signed)))) }
        if before != nil { members.append(("older", .integer(Int64(clamping: older)))) }
        members.append(("faults", .array(faults.map { $0.json(in: language) })))
        members.append(("faultCount", JSON(faultCount)))
        members.append(("remarks", .array(remarks.map { $0.json(in: language) })))
        return .object(members)
    }
}

extension LedgerRemark {
    fileprivate var words: Words {
        switch self {
        case .cut(let device, let epoch, let count, let told):
            Words(
                "device \(device.text), chain \(epoch.text): \(count) records, and the next chain says \(told)",
                "appareil \(device.text), chaîne \(epoch.text) : \(count) événements, et la chaîne suivante en annonce \(told)"
            )
        case .diverged(let device, let epoch, let seq):
            Words(
                "device \(device.text), chain \(epoch.text): record \(seq) is another than the next chain says",
                "appareil \(device.text), chaîne \(epoch.text) : l'événement \(seq) n'est pas celui qu'annonce la chaîne suivante"
            )
        case .revoked(let device, let index, let count):
            Words(
                "device \(device.text): \(count) records behind its revocation, from leaf \(index) on",
                "appareil \(device.text) : \(count) événements après sa révocation, à partir de la feuille \(index)"
            )
        case .forked(let device, let epoch, let index):
            Words(
                "device \(device.text), chain \(epoch.text): forked, as leaf \(index) says",
                "appareil \(device.text), chaîne \(epoch.text) : dédoublée, selon la feuille \(index)"
            )
        case .restored(let formerOrigin, let size):
            Words("it continues \(formerOrigin), of \(size) leaves", "il continue \(formerOrigin), de \(size) feuilles")
        case .older(let size):
            Words("it ends before the head of size \(size)", "il finit avant la tête de taille \(size)")
        }
    }

    private var code: String {
        switch self {
        case .cut: "cut"
        case .diverged: "diverged"
        case .revoked: "revoked"
        case .forked: "forked"
        case .restored: "restored"
        case .older: "older"
        }
    }

    fileprivate func json(in language: Language) -> JSON {
        ["code": .string(code), "message": .string(words.in(language))]
    }
}

extension LedgerFault {
    fileprivate func json(in language: Language) -> JSON {
        var members: [(String, JSON)] = [("code", .string(code))]
        if let index { members.append(("index", .integer(Int64(clamping: index)))) }
        return .object(members + [("message", .string(words.in(language)))])
    }
}
