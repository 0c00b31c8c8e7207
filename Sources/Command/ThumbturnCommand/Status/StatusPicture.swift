import Thumbturn
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSimulator

/// A status in a box of 80 columns, with the colours and lines that the terminal supports.
struct StatusPicture {
    private let report: StatusReport
    private let output: Output
    private let advice: Advice
    private let width = Output.usualWidth

    init(_ report: StatusReport, output: Output, advice: Advice) {
        (self.report, self.output, self.advice) = (report, output, advice)
    }

    var text: String {
        var lines = [rule("╭", say(Words("thumbturn · device: ", "thumbturn · appareil : ") + report.device), "╮")]
        lines += row([]) + row(headline) + row([plain("    " + folder)]) + row([])
        if let account = report.account { lines += section(Words("account", "compte"), rows(of: account)) }
        lines += section(Words("ways in", "accès"), slots)
        if report.showsBiometrics {
            lines += section(StatusReport.biometricsTitle, [[mark(sensorTone), plain(say(report.biometricsLine))]])
        }
        lines += section(Words("policy", "règle"), report.policyLines.map { [plain("    " + say($0))] })
        lines += section(Words("wallets", "portefeuilles"), [wallets])
        // In system mode no attempts are counted.
        if report.snapshot.mode == .local { lines += section(Words("attempts", "essais"), [attempts]) }
        lines += section(StatusReport.trailTitle, trail)
        if !report.warnings.isEmpty { lines += section(Words("warnings", "attention"), warnings) }
        lines.append(rule("╰", "", "╯"))
        return lines.joined(separator: "\n")
    }
}

// The text of the rows.
extension StatusPicture {
    private var headline: [Segment] {
        let (word, tone) = report.stateWord
        return [mark(tone), Segment(say(word), tone, isBold: true), plain("  " + say(report.way))]
    }

    private var folder: String { cut(report.folder) }

    /// Returns rows with the account and its service.
    private func rows(of account: VaultAccount) -> [[Segment]] {
        let service = account.service
        let name = Words("named ", "nommé ") + Words(service.name)
        return [[mark(.good), plain(cut(account.name))], [plain("    " + cut(service.address))]]
            + (service.name == service.address ? [] : [[plain("    " + cut(name.in(output.language)))]])
    }

    /// Returns a text, shortened in the middle if it is too long for a row.
    private func cut(_ text: String) -> String {
        let shown = output.shown(text)
        let most = width - 10
        guard shown.columns > most else { return shown }
        return shown.prefix(columns: most / 2 - 1) + output.shown("…") + shown.suffix(columns: most / 2)
    }

    private var slots: [[Segment]] {
        guard report.knowsHead else { return [[mark(.bad), plain(say(StatusReport.unknown))]] }
        return report.snapshot.slots.map { slot in
            let (state, tone) = slot.standing
            let level = Int(slot.assurance?.rawValue ?? 0)
            return [
                mark(tone), plain(say(report.name(of: slot)).filled(to: 22)),
                Segment(slot.assurance == nil ? "   " : gauge(level, of: 3, "█", "░"), slot.assurance?.tone ?? .dim),
                plain(" " + say(slot.assurance?.text ?? StatusReport.kept).filled(to: 12)),
                Segment(say(state).filled(to: 14), tone),
                plain(say(.ago(report.now - slot.createdAt))),
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
        let tone: Tone = !report.knowsHead ? .bad : report.snapshot.walletCount == 0 ? .dim : .good
        return [mark(tone), plain(say(report.walletsLine))]
    }

    private var attempts: [Segment] {
        guard report.snapshot.ledgerIsReliable else { return [mark(.bad), plain(say(report.attemptsLine))] }
        let failures = report.failures
        let isFree = AttemptSchedule.delay(after: UInt32(failures)) == .zero
        let tone: Tone = failures == 0 ? .good : isFree ? .warning : .bad
        let squares = gauge(failures, of: Int(AttemptSchedule.suspensionLimit), "■", "□")
        return [mark(tone), Segment(squares, tone), plain("  " + say(report.attemptsLine))]
    }

    private var trail: [[Segment]] {
        let tone: Tone =
            switch report.trail?.health {
            case nil: .warning
            case .whole: .good
            case .lost, .damaged, .cut, .putBack: .bad
            }
        guard let fingerprint = report.trail?.fingerprint else { return [[mark(tone), plain(say(report.trailLine))]] }
        let title = Words(" · ") + StatusReport.fingerprintTitle + Words(":", " :")
        let delivery = report.deliveryLine.map { line in
            [plain("    "), plain(say(StatusReport.deliveryTitle + Words(": ", " : ") + line))]
        }
        return [[mark(tone), plain(say(report.trailLine + title))], [plain("    " + fingerprint)]]
            + [delivery].compactMap(\.self)
    }

    private var warnings: [[Segment]] {
        report.warnings.flatMap { warning in
            report.lines(of: warning).map { say(advice.completed($0, isShort: true)) }
                .flatMap { $0.lines(of: width - 6, breakingCommands: true) }.enumerated().map { index, line in
                    [index == 0 ? Segment("  " + output.shown("▲") + " ", .warning) : plain("    "), plain(line)]
                }
        }
    }

    private func say(_ text: Words) -> String { output.shown(text.in(output.language)) }
}

// Drawing.
extension StatusPicture {
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
        [rule("├", say(title), "┤")] + rows.flatMap(row)
    }

    /// Returns the lines of a row, padded to the box's width; a last segment that does not fit continues below itself.
    private func row(_ segments: [Segment]) -> [String] {
        guard let last = segments.last else { return [framed([])] }
        let before = segments.dropLast()
        let column = before.reduce(0) { $0 + $1.text.columns }
        return last.text.lines(of: width - 2 - column, breakingCommands: true).enumerated().map { index, line in
            let beginning = index == 0 ? Array(before) : [plain(String(repeating: " ", count: column))]
            return framed(beginning + [Segment(line, last.tone, isBold: last.isBold)])
        }
    }

    private func framed(_ segments: [Segment]) -> String {
        let body = segments.map { output.painted($0.text, $0.tone, isBold: $0.isBold) }.joined()
        let columns = segments.reduce(0) { $0 + $1.text.columns }
        let side = output.painted(output.shown("│"), .dim)
        return side + body + String(repeating: " ", count: max(0, width - 2 - columns)) + side
    }

    private func rule(_ left: String, _ title: String, _ right: String) -> String {
        let label = title.isEmpty ? "" : " \(title) "
        let line = String(repeating: "─", count: max(0, width - 3 - label.columns))
        return output.painted(output.shown(left + "─"), .dim) + output.painted(label, .plain, isBold: true)
            + output.painted(output.shown(line + right), .dim)
    }
}

/// How good a state is, as a colour.
enum Tone: String {
    case good = "32"
    case warning = "33"
    case bad = "31"
    case dim = "2"
    case plain = ""
}

extension Output {
    /// Returns a text in colour, if colours are shown.
    func painted(_ text: String, _ tone: Tone, isBold: Bool = false) -> String {
        let codes = [isBold ? "1" : "", tone.rawValue].filter { !$0.isEmpty }
        guard hasColour, !codes.isEmpty, !text.isEmpty else { return text }
        return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}

extension Assurance {
    /// How well it protects.
    fileprivate var tone: Tone {
        switch self {
        case .hardwareBound: .good
        case .osKeychain, .softwareFile: .warning
        case .simulated: .dim
        }
    }
}
