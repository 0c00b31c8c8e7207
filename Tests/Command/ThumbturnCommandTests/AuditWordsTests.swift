import Testing
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules

@testable import Thumbturn
@testable import ThumbturnCommand

/// What a person is told of events and findings, in both languages.
struct AuditWordsTests {
    /// One finding of each case.
    private static let findings: [AuditFinding] = [
        .noExport, .otherVersion(7), .deviceMalformed, .deviceUnknown(fingerprint: "7f"), .recordMalformed(7),
        .recordChanged(7), .recordForeign(7), .recordsMissing(from: 7, through: 7),
        .recordsMissing(from: 7, through: 8),
        .recordRepeated(7, before: 9), .recordUnchained(0), .recordUnchained(7), .recordUncounted(7), .cutOff(at: 7),
        .headMalformed, .headForeign, .endMissing(from: 7, through: 7), .endMissing(from: 7, through: 8),
        .headElsewhere(last: 7), .countWrong(header: 7, found: 8), .signatureWrong, .trailing,
    ]

    @Test(.holds("F-107-10")) func `each kind of event has words of its own in both languages`() {
        for language in Language.allCases {
            let texts = AuditEventKind.allCases.map { $0.text.in(language) }
            #expect(Set(texts).count == texts.count && !texts.contains(""))
        }
        for kind in AuditEventKind.allCases { #expect(kind.text.english != kind.text.french) }
        for language in Language.allCases {
            #expect(Set(TrailReason.allCases.map { $0.text.in(language) }).count == TrailReason.allCases.count)
        }
    }

    @Test func `each reason that the rules name has words, and an app's stays as it is`() throws {
        let reasons: [(AuditEventKind, [String])] = [
            (.trailBegun, TrailReason.allCases.map(\.name)),
            (.biometricRevokedBySystemChange, RevocationReason.allCases.map(\.name)),
            (.biometricDisabled, ["owner", "policy", "other"]), (.vaultCreated, ["restored"]),
            (.recoveryChanged, ["created", "confirmed", "removed"]), (.passwordFailure, ["interrupted", "offline"]),
            (.policyChanged, ["stricter", "laxer", "laxerLater", "withdrawn"]),
        ]
        for (kind, names) in reasons {
            for name in names {
                let why = try #require(kind.texts(reason: name).why, "\(name)")
                #expect(why.french != name, "\(name)")
            }
        }
        #expect(AuditEventKind.biometricDisabled.texts(reason: "parental-control").why == Words("parental-control"))
        #expect(AuditEventKind.passwordFailure.texts(reason: "recoveryKey").why == nil)
        #expect(
            AuditEventKind.passwordFallback.texts(reason: "recoveryKey").what.english == "opened by the recovery key"
        )
    }

    @Test func `an account's vault has no PIN in its log`() {
        let later = AuditEventKind.policyChanged.texts(reason: "laxerLater", asking: .accountPassword)
        #expect(later.why == Words("laxer from the next password on", "moins strictes dès le prochain mot de passe"))
        // What an app says is its own.
        #expect(
            AuditEventKind.biometricDisabled.texts(reason: "PIN-rule", asking: .accountPassword).why
                == Words("PIN-rule")
        )
        for kind in AuditEventKind.allCases {
            #expect(!kind.text.naming(.accountPassword).english.contains("PIN"), "\(kind)")
            #expect(!kind.text.naming(.accountPassword).french.contains("code"), "\(kind)")
        }
    }

    @Test(.holds("A42")) func `each finding says in both languages which event, and what to do`() {
        for finding in Self.findings {
            let failure = Failure(finding)
            #expect(failure.exitCode == (finding.isNoExport ? 2 : 4), "\(finding)")
            for language in Language.allCases {
                let told = failure.message(in: language)
                if let seq = finding.seq { #expect(told.contains("\(seq)"), "\(told)") }
                #expect(told.hasSuffix(".") && !told.contains("nil"), "\(told)")
                #expect(failure.hint?.in(language).isEmpty == false)
            }
            #expect(failure.message(in: .english) != failure.message(in: .french))
        }
        #expect(Set(Self.findings.map { Failure($0).message(in: .english) }).count == Self.findings.count)
    }

    @Test(.holds("A43")) func `only a trail that goes back to where it should is whole`() {
        let bad: Set<TrailReason> = [.lost, .damaged, .cut, .putBack]
        for reason in TrailReason.allCases {
            let health = TrailHealth(beganBecause: reason.name)
            #expect((health == .whole) == !bad.contains(reason), "\(reason)")
            #expect((health.firstLine(hasFormer: true) == nil) == (health == .whole))
        }
        #expect(TrailHealth(beganBecause: nil) == .damaged)
    }
}
