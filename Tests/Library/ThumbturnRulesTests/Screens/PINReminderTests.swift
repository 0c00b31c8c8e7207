import Testing

@testable import ThumbturnRules

@Suite("a reminder of the PIN")
struct PINReminderTests {
    private static let begin = ClockReading(wall: .days(20_000), boottime: .days(1), bootID: .unnamedBoot(1))

    private func at(_ span: Milliseconds) -> ClockReading {
        ClockReading(wall: Self.begin.wall + span, boottime: Self.begin.boottime + span, bootID: .unnamedBoot(1))
    }

    private func open(_ change: (inout VaultPolicy) -> Void = { $0.strongFactorMaxAge = nil }) -> VaultSnapshot {
        var policy = VaultPolicy.wallet
        change(&policy)
        return VaultSnapshot(state: .unlocked(.full), biometrics: .enabled, policy: policy)
    }

    @Test(.holds("INV-107-01")) func `it asks after the first step, and never while something is under way`() {
        let reminder = PINReminder(givenAt: Self.begin)
        #expect(!reminder.isDue(open(), in: .quiet, at: at(.hours(12) - Milliseconds(1))))
        #expect(reminder.isDue(open(), in: .quiet, at: at(.hours(12))))
        #expect(!reminder.isDue(open(), in: .busy, at: at(.days(1_000))))
    }

    @Test func `each right answer takes longer to be asked again, a wrong one begins anew`() {
        var reminder = PINReminder(givenAt: Self.begin)
        var past = Milliseconds.zero
        for step in PINReminder.steps + [.days(14)] {
            #expect(!reminder.isDue(open(), in: .quiet, at: at(past + step - Milliseconds(1))))
            past = past + step
            #expect(reminder.isDue(open(), in: .quiet, at: at(past)))
            reminder.given(at: at(past))
        }
        reminder.notKnown()
        #expect(reminder.isDue(open(), in: .quiet, at: at(past + .hours(12))))
    }

    @Test func `a PIN that is typed every hour shows nothing of next week`() {
        var reminder = PINReminder(givenAt: Self.begin)
        for hour in 1...24 { reminder.given(at: at(.hours(Int64(hour)))) }
        #expect(reminder.isDue(open(), in: .quiet, at: at(.hours(36))))
    }

    @Test func `it comes before the policy would ask`() {
        var reminder = PINReminder(givenAt: Self.begin)
        var past = Milliseconds.zero
        for step in PINReminder.steps {
            past = past + step
            reminder.given(at: at(past))
        }
        let policy = open { $0.strongFactorMaxAge = .hours(72) }
        #expect(!reminder.isDue(policy, in: .quiet, at: at(past + .hours(53))))
        #expect(reminder.isDue(policy, in: .quiet, at: at(past + .hours(54))))
    }

    @Test(arguments: [
        VaultSnapshot(biometrics: .enabled), VaultSnapshot(state: .unlocked(.exportOnly), biometrics: .enabled),
        VaultSnapshot(state: .unlocked(.full)),
        VaultSnapshot(mode: .system, state: .unlocked(.full), biometrics: .enabled),
        VaultSnapshot(state: .unlocked(.full), biometrics: .enabled, policy: .pd107),
    ])
    func `it asks nobody who is locked out, types it anyway, or has none`(snapshot: VaultSnapshot) {
        #expect(!PINReminder(givenAt: Self.begin).isDue(snapshot, in: .quiet, at: at(.days(100))))
    }

    @Test func `a clock that went back asks later, not at once`() {
        var reminder = PINReminder(givenAt: Self.begin)
        #expect(!reminder.isDue(open(), in: .quiet, at: at(Milliseconds(.min) + .days(1))))
        reminder.given(at: at(.days(-3)))
        #expect(reminder.isDue(open(), in: .quiet, at: at(.days(-3) + .hours(12))))
    }

    @Test func `it is stored as text, and reads no other`() {
        var reminder = PINReminder(givenAt: Self.begin)
        reminder.given(at: at(.days(1)))
        #expect(PINReminder(stored: reminder.stored) == reminder)
        for text in ["", "1", "1 5", "1 -1", "x 0", "1 0 0", "99999999999999999999 0"] {
            #expect(PINReminder(stored: text) == nil, "\(text)")
        }
    }
}
