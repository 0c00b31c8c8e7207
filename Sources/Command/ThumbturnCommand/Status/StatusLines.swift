import Thumbturn
import ThumbturnConsole

/// A status for pipes, narrow or line-only terminals and screen readers: each line names its subject, and nothing is
/// drawn.
struct StatusLines {
    private let report: StatusReport
    private let output: Output
    private let advice: Advice

    init(_ report: StatusReport, output: Output, advice: Advice) {
        (self.report, self.output, self.advice) = (report, output, advice)
    }

    var text: String {
        var lines = [
            line(Words("device", "appareil"), report.device), line(Words("vault", "coffre"), Words(report.folder)),
            state,
        ]
        if let account = report.account {
            lines.append(line(Words("account", "compte"), Words(account.name) + Words(", ") + account.service.words))
        }
        lines += report.knowsHead ? report.snapshot.slots.map(line(of:)) : [line(Self.wayIn, StatusReport.unknown)]
        if report.showsBiometrics { lines.append(line(StatusReport.biometricsTitle, spoken(report.biometricsLine))) }
        lines += report.policyLines.map { line(Words("policy", "règle"), spoken($0)) }
        lines.append(line(Words("wallets", "portefeuilles"), spoken(report.walletsLine)))
        // In system mode no attempts are counted.
        if report.snapshot.mode == .local {
            lines.append(line(Words("attempts", "essais"), spoken(report.attemptsLine)))
        }
        lines.append(line(StatusReport.trailTitle, spoken(report.trailLine)))
        if let trail = report.trail {
            let fingerprint = StatusReport.fingerprintTitle + Words(" ") + Words(trail.fingerprint)
            lines.append(line(StatusReport.trailTitle, fingerprint))
        }
        if let delivery = report.deliveryLine {
            lines.append(line(StatusReport.deliveryTitle, spoken(delivery)))
        }
        lines += report.warnings.flatMap { warning in
            report.lines(of: warning).map { line(Words("warning", "attention"), advice.completed($0)) }
        }
        return lines.joined(separator: "\n")
    }

    private static let wayIn = Words("way in", "accès")

    private var state: String {
        let (word, tone) = report.stateWord
        let shown = output.painted(output.shown(word.in(output.language)), tone, isBold: true)
        let title = output.shown(Words("state: ", "état : ").in(output.language))
        return output.wrapped(title + shown + output.shown((Words(", ") + report.way).in(output.language)), indent: 2)
    }

    private func line(of slot: VaultSnapshot.Slot) -> String {
        let parts = [
            report.name(of: slot), slot.assurance?.text ?? StatusReport.kept, slot.standing.words,
            .ago(report.now - slot.createdAt),
        ]
        return line(Self.wayIn, parts.joined(separator: ", "))
    }

    private func line(_ title: Words, _ text: Words) -> String {
        let line = (title + Words(": ", " : ") + text).in(output.language)
        return output.wrapped(output.shown(line), indent: 2)
    }

    /// Returns a text for reading aloud, with commas in place of middle dots.
    private func spoken(_ text: Words) -> Words { Words(spoken(text.english), spoken(text.french)) }

    private func spoken(_ text: String) -> String {
        text.reduce(into: "") { spoken, character in
            guard character == "·", spoken.last == " " else { return spoken.append(character) }
            spoken.removeLast()
            spoken.append(",")
        }
    }
}
