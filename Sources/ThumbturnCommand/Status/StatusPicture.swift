import Thumbturn
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSimulator

/// A status drawn in a box of 80 columns, or without its frame where a terminal is narrower; colour and lines as the
/// terminal can show them.
struct StatusPicture {
    private let report: StatusReport
    private let output: Output
    private let advice: Advice
    private let width = 80

    init(_ report: StatusReport, output: Output, advice: Advice) {
        (self.report, self.output, self.advice) = (report, output, advice)
    }

    var text: String {
        var lines = [rule("╭", say(title), "╮")]
        lines += [row([]), row(headline), row([plain("    " + folder)]), row([])]
        if let account = report.account { lines += section(Words("account", "compte"), rows(of: account)) }
        lines += section(Words("ways in", "accès"), slots)
        // Where the device has no sensor, nothing is said of it (C9).
        if report.snapshot.capability.supported || report.snapshot.biometrics != .disabled {
            lines += section(Words("biometrics", "biométrie"), [[mark(sensorTone), plain(say(report.biometricsLine))]])
        }
        lines += section(Words("policy", "règle"), report.policyLines.map { [plain("    " + say($0))] })
        lines += section(Words("wallets", "portefeuilles"), [wallets])
        // In system mode nothing is counted.
        if report.snapshot.mode == .local { lines += section(Words("attempts", "essais"), [attempts]) }
        if !report.warnings.isEmpty { lines += section(Words("mind", "attention"), warnings) }
        lines.append(rule("╰", "", "╯"))
        return lines.joined(separator: "\n")
    }
}

// What the rows say.
extension StatusPicture {
    private var title: Words {
        let device = report.snapshot.device
        let keys = report.keys.flatMap { $0 == .simulated ? nil : Words(", ") + $0.text }
        let name = Words(device.name) + (keys ?? Words(""))
        return Words("thumbturn · device: ", "thumbturn · appareil : ") + name
    }

    private var headline: [Segment] {
        let isReady = report.snapshot.condition == .ready && !report.onlyExports
        let state: (Words, Tone) =
            switch report.snapshot.state {
            case .unlocked: (Words("UNLOCKED", "DÉVERROUILLÉ"), .good)
            case .locked, .promptingBiometrics, .biometricsFailed, .requiresStrongFactor, .verifyingStrongFactor,
                .promptingSystem, .closedUntilReopened:
                (Words("LOCKED", "VERROUILLÉ"), isReady ? .good : .bad)
            }
        return [mark(state.1), Segment(say(state.0), state.1, isBold: true), plain("  " + say(report.way))]
    }

    private var folder: String { cut(report.folder) }

    /// Whose password opens the vault, and who answers for it.
    private func rows(of account: VaultAccount) -> [[Segment]] {
        [[mark(.good), plain(cut(account.name))], [plain("    " + cut(account.service.origin))]]
    }

    /// A text, cut in the middle where it is too long for a row.
    private func cut(_ text: String) -> String {
        let shown = output.shown(text)
        let most = width - 10
        guard shown.columns > most else { return shown }
        return shown.prefix(columns: most / 2 - 1) + output.shown("…") + shown.suffix(columns: most / 2)
    }

    /// What only a head that can be read tells.
    private var unknown: [Segment] { [mark(.bad), plain(say(Words("can't be told", "indéterminé")))] }

    private var slots: [[Segment]] {
        guard report.knowsHead else { return [unknown] }
        return report.snapshot.slots.map { slot in
            let state: (Words, Tone) =
                if slot.isRevoked {
                    (Words("revoked", "révoqué"), .bad)
                } else if slot.isConfirmed {
                    (Words("confirmed", "confirmé"), .good)
                } else {
                    (Words("not confirmed", "non confirmé"), .warning)
                }
            let kind = slot.kind == .biometric ? report.snapshot.capability.biometryType.text : slot.kind.text
            let level = Int(slot.assurance?.rawValue ?? 0)
            return [
                mark(state.1), plain(say(kind).filled(to: 22)),
                Segment(slot.assurance == nil ? "   " : gauge(level, of: 3, "█", "░"), slot.assurance?.tone ?? .dim),
                plain(" " + say(slot.assurance?.text ?? Words("you keep it", "à vous")).filled(to: 12)),
                Segment(say(state.0).filled(to: 14), state.1),
                plain(say(Words("for ", "depuis ") + .span(report.now - slot.createdAt))),
            ]
        }
    }

    private var sensorTone: Tone {
        switch report.snapshot.biometrics {
        case .revoked: .bad
        case .disabled, .enabling: .dim
        case .enabled: report.snapshot.capability.available ? .good : .warning
        }
    }

    private var wallets: [Segment] {
        let count = report.snapshot.walletCount
        guard report.knowsHead else { return unknown }
        guard count > 0 else { return [mark(.dim), plain(say(Words("none yet", "aucun")))] }
        return [
            mark(.good), plain(say(.wallets(count))),
            Segment(say(Words(" · unlock to see names", " · déverrouillez pour voir les noms")), .dim),
        ]
    }

    private var attempts: [Segment] {
        guard report.snapshot.ledgerIsReliable else { return [mark(.bad), plain(say(report.attemptsWithoutCount))] }
        let failures = Int(min(report.snapshot.failedAttempts, AttemptSchedule.suspensionLimit))
        let tone: Tone = failures == 0 ? .good : failures < 4 ? .warning : .bad
        let count = Words("\(failures) of 10 wrong", "\(failures) sur 10 erronés")
        return [
            mark(tone), Segment(gauge(failures, of: 10, "■", "□"), tone),
            plain("  " + say(count + Words(" · ") + report.nextAttempt)),
        ]
    }

    private var warnings: [[Segment]] {
        report.warnings.flatMap { warning in
            report.lines(of: warning).flatMap(rows(of:)).enumerated().map { index, line in
                [index == 0 ? Segment("  " + output.shown("▲") + " ", .warning) : plain("    "), plain(line)]
            }
        }
    }

    /// A line with the commands in it as they are typed, in as many rows as it takes; no command is broken.
    private func rows(of line: Words) -> [String] {
        let text = say(advice.completed(line, isShort: true))
        var rows = [""]
        var word = ""
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            word += (word.isEmpty ? "" : " ") + part
            guard word.count(where: { $0 == "`" }) % 2 == 0 else { continue }
            let row = rows[rows.count - 1]
            if row.isEmpty || row.columns + 1 + word.columns <= width - 6 {
                rows[rows.count - 1] = row.isEmpty ? word : row + " " + word
            } else {
                rows.append(word)
            }
            word = ""
        }
        return rows
    }

    private func say(_ text: Words) -> String { output.shown(text.in(output.language)) }
}

// How they are drawn.
extension StatusPicture {
    enum Tone: String {
        case good = "32"
        case warning = "33"
        case bad = "31"
        case dim = "2"
        case plain = ""
    }

    struct Segment {
        let text: String
        let tone: Tone
        let isBold: Bool

        init(_ text: String, _ tone: Tone, isBold: Bool = false) {
            self.text = text
            self.tone = tone
            self.isBold = isBold
        }
    }

    private func plain(_ text: String) -> Segment { Segment(text, .plain) }

    private func mark(_ tone: Tone) -> Segment { Segment("  " + output.shown(tone == .dim ? "○" : "●") + " ", tone) }

    private func gauge(_ value: Int, of most: Int, _ full: String, _ empty: String) -> String {
        output.shown(String(repeating: full, count: value) + String(repeating: empty, count: max(0, most - value)))
    }

    private func section(_ title: Words, _ rows: [[Segment]]) -> [String] {
        [rule("├", say(title), "┤")] + rows.map(row)
    }

    /// One row, filled up to the box's width, or cut off at it.
    private func row(_ segments: [Segment]) -> String {
        if output.isNarrow { return segments.map(painted).joined() }
        var room = width - 2
        var body = ""
        for segment in segments where room > 0 {
            let text = segment.text.prefix(columns: room)
            room -= text.columns
            body += painted(Segment(text, segment.tone, isBold: segment.isBold))
        }
        let side = painted(Segment(output.shown("│"), .dim))
        return side + body + String(repeating: " ", count: room) + side
    }

    private func rule(_ left: String, _ title: String, _ right: String) -> String {
        if output.isNarrow { return painted(Segment(title, .plain, isBold: true)) }
        let label = title.isEmpty ? "" : " \(title) "
        let line = String(repeating: "─", count: max(0, width - 3 - label.columns))
        return painted(Segment(output.shown(left + "─"), .dim)) + painted(Segment(label, .plain, isBold: true))
            + painted(Segment(output.shown(line + right), .dim))
    }

    private func painted(_ segment: Segment) -> String {
        let codes = [segment.isBold ? "1" : "", segment.tone.rawValue].filter { !$0.isEmpty }
        guard output.hasColour, !codes.isEmpty, !segment.text.isEmpty else { return segment.text }
        return "\u{1B}[\(codes.joined(separator: ";"))m\(segment.text)\u{1B}[0m"
    }
}

extension Assurance {
    /// How well it guards, as a colour.
    fileprivate var tone: StatusPicture.Tone {
        switch self {
        case .hardwareBound: .good
        case .osKeychain, .softwareFile: .warning
        case .simulated: .dim
        }
    }
}
