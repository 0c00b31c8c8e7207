import Testing
import ThumbturnConsole
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

struct PolicyCommandTests {
    @Test(.holds("C14", "C17")) func `rules are shown, and changed: a stricter one now, a laxer one with the next PIN`()
        throws
    {
        let box = try Box.withVault("--biometrics")
        try Transcript.play(
            """
            $ policy show
            auto-lock           5m
            strong-after-idle   30m
            strong-after-days   3
            least-assurance     simulated
            lock-in-background  no
            $ policy set auto-lock 90s
            3< PIN
            auto-lock 90s
            $ policy set strong-after-days 30
            3< PIN
            strong-after-days 3, 30 once the PIN is given again
            $ policy show
            auto-lock           90s
            strong-after-idle   30m
            strong-after-days   3, 30 once the PIN is given again
            least-assurance     simulated
            lock-in-background  no
            $ simulate finger match
            simulated: 1 event
            $ wallet list
            There are no wallets.
            $ unlock
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            2> thumbturn: from now on: strong-after-days 30
            $ policy set strong-after-days never
            3< PIN
            strong-after-days 30, never once the PIN is given again
            $ policy set least-assurance hardwareBound
            3< PIN
            least-assurance hardwareBound
            2> thumbturn: biometrics are off: this device protects their key less than the rule demands
            """,
            in: box
        )
    }

    @Test(.holds("INV-107-01")) func `what waits is set back with the PIN, and never counts`() throws {
        try Transcript.play(
            """
            $ policy set strong-after-days never
            3< PIN
            strong-after-days 3, never once the PIN is given again
            $ policy set auto-lock 1m
            3< PIN
            auto-lock 1m
            $ policy set strong-after-days 3
            3< PIN
            strong-after-days 3
            $ unlock
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            $ policy show
            auto-lock           1m
            strong-after-idle   30m
            strong-after-days   3
            least-assurance     simulated
            lock-in-background  no
            """,
            in: Box.withVault("--biometrics")
        )
    }

    @Test func `what is no rule, and no value of it, is usage, and is not repeated`() throws {
        let box = try Box.withVault()
        let before = box.contents()
        for words in [
            ["auto-lock", "9s"], ["auto-lock", "never"], ["auto-lock", "5"], ["auto-lock", "-5m"],
            ["auto-lock", "99999999999999999999m"], ["strong-after-idle", "soon"], ["strong-after-days", "3y"],
            ["strong-after-days", "400000"], ["least-assurance", "file"], ["lock-in-background", "maybe"],
            ["offline-password", ""], ["83251947", "yes"], ["auto-lock"], ["auto-lock", "5m", "6m"],
        ] {
            let child = try box.run(["policy", "set"] + words, [Box.pin])
            #expect(child.exitCode == 2 && !child.standardError.contains("83251947"), "\(words)")
            #expect(child.standardError.contains("ERR-TT-301"))
        }
        #expect(box.contents() == before)
    }

    @Test func `every rule takes back what it shows`() throws {
        for rule in PolicyRule.all {
            for policy in [VaultPolicy.wallet, .pd107] {
                var copy = policy
                try PolicySetting(rule.name, rule.value(in: policy)).apply(to: &copy)
                #expect(copy == policy)
            }
        }
        var policy = VaultPolicy.wallet
        try PolicySetting("strong-after-days", "36h").apply(to: &policy)
        try PolicySetting("strong-after-idle", "never").apply(to: &policy)
        try PolicySetting("lock-in-background", "yes").apply(to: &policy)
        try PolicySetting("least-assurance", "osKeychain").apply(to: &policy)
        #expect(policy.strongFactorMaxAge == .hours(36) && policy.strongFactorAfterIdle == nil)
        #expect(policy.locksInBackground && policy.minimumAssurance == .osKeychain)
    }

    @Test func `every rule that the owner sets has values that can be typed`() {
        #expect(PolicyRule.all.count == VaultPolicy.Field.all.filter { $0.setting != nil }.count)
        #expect(PolicyRule.all.allSatisfy { !$0.value(in: .wallet).isEmpty })
    }

    @Test(.holds("C6")) func `a vault without an account has no rule for its service, and pd107 asks for an account`()
        throws
    {
        let box = try Box()
        let child = try box.run(["init", "--policy", "pd107"], [Box.pin])
        #expect(child.exitCode == 1 && child.standardError.contains("ERR-TT-111"))
        #expect(child.standardError.contains("thumbturn account register NAME --service URL"))
        #expect(try box.run(["status"]).exitCode == 3)
        #expect(try box.run(["init", "--policy", "other"], [Box.pin]).exitCode == 2)
        #expect(try box.run(["init", "--policy", "wallet"], [Box.pin]).exitCode == 0)
        let offline = try box.run(["policy", "set", "offline-password", "yes"], [Box.pin])
        #expect(offline.exitCode == 1 && offline.standardError.contains("account register"))
    }

    @Test func `a wrong PIN changes nothing, and status tells what waits`() throws {
        let box = try Box.withVault()
        #expect(try box.run(["policy", "set", "auto-lock", "1m"], [Box.wrongPIN]).exitCode == 1)
        try box.run(["policy", "set", "auto-lock", "1h"], [Box.pin]).succeeding()
        let status = try box.json(["status"])
        let (now, next) = (status["policy"] as? [String: Any], status["nextPolicy"] as? [String: Any])
        #expect(now?["locksAfterIdleSeconds"] as? Int == 300 && next?["locksAfterIdleSeconds"] as? Int == 3_600)
        let french = try box.run(["status"], nil, ["LANG": "fr_FR.UTF-8"]).standardOutput
        #expect(french.contains("auto-lock 1h dès que le code sera redonné"))
    }
}
