import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

@Suite("SimulatedEvent")
struct SimulatedEventTests {
    static let words: [(String, SimulatedEvent)] =
        [
            ("finger match", .finger(.match)), ("finger mismatch", .finger(.mismatch)),
            ("finger cancel", .finger(.cancel)), ("finger mismatch-cancel", .finger(.mismatchThenCancel)),
            ("finger fallback", .finger(.fallback)), ("finger passcode", .finger(.passcode)),
            ("finger wait", .finger(.wait)),
            ("enroll", .enroll), ("unenroll", .unenroll),
            ("passcode-off", .passcodeOff), ("passcode-on", .passcodeOn), ("passcode", .passcode),
            ("lockout", .lockout), ("reboot", .reboot),
            ("advance 31m", .advance(.minutes(31))), ("advance 5s", .advance(.seconds(5))),
            ("advance 4h", .advance(.hours(4))), ("advance 2d", .advance(.days(2))),
            ("sleep 1h", .sleep(.hours(1))),
            ("clock -1y", .clock(.days(-365))), ("clock +1d", .clock(.days(1))),
            ("reinstall", .reinstall), ("restore-elsewhere", .restoreElsewhere),
            ("lock-device", .lockDevice), ("unlock-device", .unlockDevice),
            ("background", .background), ("foreground", .foreground),
            ("permission-denied", .permissionDenied), ("permission-granted", .permissionGranted),
            ("sensor none", .sensor(.none)), ("sensor touch", .sensor(.touch)), ("sensor face", .sensor(.face)),
        ]
        + [
            "save-fails", "save-fails-after-storing", "read-fails", "evaluate-fails", "sign-fails", "delete-fails",
            "describe-fails", "anchor-read-fails", "anchor-raise-fails", "anchor-raise-fails-after-effect",
            "anchor-remove-fails",
            "installation-fails", "prewarm", "dropped-access", "dropped-device-only", "empty-success", "unclassified",
            "sensor-busy", "reader-busy", "reader-broken", "reader-silent",
        ].compactMap { name in SimulatedFault(rawValue: name).map { ("fault \(name)", .fault($0)) } }

    @Test(arguments: words)
    func `an event is read from its words, whatever follows`(words: String, event: SimulatedEvent) throws {
        let split = words.split(separator: " ").map(String.init)
        let (parsed, consumed) = try #require(SimulatedEvent.parse((["simulate"] + split + ["match"]).dropFirst()))
        #expect(parsed == event)
        #expect(consumed == split.count)
    }

    @Test func `every touch, sensor and fault has words`() {
        let events = Set(Self.words.map(\.1))
        #expect(SimulatedTouch.allCases.allSatisfy { events.contains(.finger($0)) })
        #expect(SimulatedSensor.allCases.allSatisfy { events.contains(.sensor($0)) })
        #expect(SimulatedFault.allCases.allSatisfy { events.contains(.fault($0)) })
    }

    @Test(
        .holds("A41"),
        arguments: [
            "", "finger", "finger ", "finger bite", "Enroll", " enroll", "match", "advance", "advance m", "advance -5m",
            "advance +5m", "advance 5", "advance 5w", "advance 1.5h", "advance 99999999999999999999d", "advance 101y",
            "advance 9223372036854775807y", "advance ٣m", "sleep -1h", "clock", "clock 1d", "clock --1d", "clock +",
            "clock -y",
            "clock +-1d", "sensor iris", "fault", "fault everything", "\0", "🫆 match", "finger\u{301} match",
        ]
    )
    func `what is no event is refused without a trap`(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        #expect(SimulatedEvent.parse(words[...]) == nil)
    }

    @Test func `no words are no event`() {
        #expect(SimulatedEvent.parse([]) == nil)
    }
}
