import Thumbturn
import ThumbturnConsole

/// What `audit log` shows of the device's trail.
struct TrailReport: Sendable {
    /// How many events it shows unless it is asked for all.
    static let usualCount: UInt64 = 20

    let summary: TrailSummary
    /// The newest last.
    let entries: [AuditEntry]
    /// Whether the chain before this one is kept.
    let hasFormer: Bool
    /// The secret that the vault's owner proves.
    let factor: VaultPolicy.StrongFactor

    /// The first record that is missing or damaged; `nil` if all that were to be shown are there.
    ///
    /// - Parameter first: the first record that was asked for.
    func breaks(from first: UInt64) -> UInt64? {
        let next = entries.last { $0.seq != nil }?.seq.map { $0 + 1 } ?? first
        return next < summary.count ? next : nil
    }

    /// The events, one a line.
    var lines: [Words] {
        let width = String(summary.count).count
        return entries.map { entry in
            let place = entry.seq.map(String.init) ?? "+"
            return Words(
                String(repeating: " ", count: max(0, width - place.count)) + place + "  " + entry.at.localDate + "  "
            )
                + entry.text(asking: factor)
        }
    }

    var json: [(String, JSON)] {
        summary.members + [("events", .array(entries.map(\.json)))]
    }
}

extension AuditEntry {
    /// What happened, with what else is known of it in brackets.
    fileprivate func text(asking factor: VaultPolicy.StrongFactor) -> Words {
        let (what, why) = kind.texts(reason: reason, asking: factor)
        var details: [Words] = []
        if let why { details.append(why) }
        if kind.isOfSensor, let biometryType, biometryType != .none { details.append(biometryType.text) }
        if attemptCount > 0 {
            details.append(
                Words(
                    attemptCount == 1 ? "1 failure before" : "\(attemptCount) failures before",
                    attemptCount == 1 ? "1 échec avant" : "\(attemptCount) échecs avant"
                )
            )
        }
        if let unlockDuration { details.append(unlockDuration.shortSpan) }
        if kind == .walletExported {
            if count > 1 { details.append(.wallets(Int(count))) }
        } else if let until, count > 1 || seq == nil {
            details.append(
                Words("\(count) more, until \(until.localDate)", "\(count) de plus, jusqu'à \(until.localDate)")
            )
        }
        guard !details.isEmpty else { return what }
        return what + Words(" (") + details.joined(separator: ", ") + Words(")")
    }

    fileprivate var json: JSON {
        [
            "seq": seq.map { .integer(Int64(clamping: $0)) } ?? .null, "kind": .string(kind.name),
            "at": .integer(at.count), "biometrics": JSON(kind.isOfSensor ? biometryType?.label : nil),
            "attemptCount": .integer(Int64(attemptCount)),
            "unlockDurationMs": unlockDuration.map { .integer($0.count) } ?? .null, "reason": JSON(reason),
            "count": .integer(Int64(count)), "until": until.map { .integer($0.count) } ?? .null,
        ]
    }
}

extension Milliseconds {
    /// A span that a person waits for: milliseconds, or seconds with one decimal.
    fileprivate var shortSpan: Words {
        guard count >= 1_000 else { return Words("\(count) ms") }
        let tenths = (count + 50) / 100
        return Words("\(tenths / 10).\(tenths % 10) s", "\(tenths / 10),\(tenths % 10) s")
    }
}
