import Testing
import ThumbturnConsole
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCommand

struct BiometricsCommandTests {
    @Test(.holds("B-02")) func `biometrics come with the vault, or not`() throws {
        let box = try Box.withVault("--biometrics")
        #expect(
            try box.json(["init", "--vault", box.folder + "/b", "--no-biometrics"], [Box.pin])["biometrics"] != nil
        )
        let (with, without) = (try box.json(["status"]), try box.json(["status", "--vault", box.folder + "/b"]))
        #expect((with["biometrics"] as? [String: Any])?["isEnabled"] as? Bool == true)
        #expect((without["biometrics"] as? [String: Any])?["isEnabled"] as? Bool == false)
    }

    @Test(.holds("B-02")) func `a vault whose biometrics fail has its PIN all the same, and the exit code says so`()
        throws
    {
        let box = try Box()
        try box.run(["simulate", "unenroll"])
        try Transcript.play(
            """
            $ init --biometrics
            3< PIN
            Vault made in BOX/data/thumbturn/vault.
            Device: simulated; it protects nothing.
            Biometrics are off.
            2> thumbturn: ERR-107-001 Fingerprint recognition is not available on this device.
            = 1
            $ unlock
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            """,
            in: box
        )
    }

    @Test(.holds("B-03")) func `a PIN in its line opens at once, and nobody waits for a finger`() throws {
        let box = try Box.withVault("--biometrics")
        try Transcript.play(
            """
            $ simulate finger match finger mismatch
            simulated: 2 events
            $ unlock
            3< PIN
            Unlocked (PIN or password), 0 wallets. Locked again.
            $ wallet list
            3< PIN
            There are no wallets.
            $ wallet import Note --opaque
            3< PIN
            3< a note
            Added: Note (opaque).
            $ unlock
            Unlocked (fingerprint), 1 wallet. Locked again.
            $ unlock
            3< WRONG
            2> thumbturn: error: ERR-107-040 You could not be authenticated.
            2> hint: the PIN or password is wrong; 3 more tries before a wait
            = 1
            $ unlock
            2> thumbturn: error: ERR-107-030 Biometric authentication failed.
            2> hint: try again
            = 1
            """,
            in: box
        )
    }

    @Test(.holds("B-03")) func `an empty line asks for the finger, whose refusal is the answer, and is no wrong PIN`()
        throws
    {
        let box = try Box.withVault("--biometrics")
        try Transcript.play(
            """
            $ simulate finger match finger cancel
            simulated: 2 events
            $ unlock
            3<
            Unlocked (fingerprint), 0 wallets. Locked again.
            $ unlock
            3<
            2> thumbturn: error: ERR-107-031 Authentication was cancelled.
            2> hint: unlock with your PIN or password
            = 1
            $ wallet import Note --opaque
            3<
            3< a note
            2> thumbturn: error: ERR-107-031 Authentication was cancelled.
            2> hint: unlock with your PIN or password
            = 1
            $ wallet list
            2> thumbturn: error: ERR-TT-302 The input ended before a secret was given.
            2> hint: run it on a terminal, or give one line for each secret on --secret-fd N
            = 2
            $ biometrics disable
            3< PIN
            Biometrics are off; the key is deleted.
            $ unlock
            3<
            2> thumbturn: error: ERR-107-040 You could not be authenticated.
            2> hint: the PIN or password is wrong; 4 more tries before a wait
            = 1
            """,
            in: box
        )
        let attempts = try #require(try box.json(["status"])["attempts"] as? [String: Any])
        #expect(attempts["failures"] as? Int == 0)
    }

    @Test(.holds("A33")) func `a cancelled prompt is asked once, and does not come back by itself`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "finger", "cancel", "finger", "match"])
        // Nobody is there to type a PIN.
        #expect(try box.run(["unlock"]).exitCode == 2)
        // The match that was waiting behind it was not used up.
        #expect(try box.run(["unlock"]).standardOutput.contains("fingerprint"))
    }

    @Test func `a prompt that waits is answered from another terminal`() throws {
        let box = try Box.withVault("--biometrics")
        // The word leaves the device's file when the prompt comes up.
        let done = try box.shell(
            """
            simulate() { "$0" --device simulated simulate "$@" > /dev/null; }
            simulate finger wait
            "$0" --device simulated unlock < /dev/null &
            looks=0
            while grep -q wait '\(box.device)/device.state' && [ $looks -lt 10000 ]; do looks=$((looks + 1)); done
            simulate finger match
            wait $!
            """
        )
        #expect(done.exitCode == 0 && done.standardOutput.contains("fingerprint"), "\(done)")
    }

    @Test(.holds("B-04", "B-08")) func `enabling asks for the PIN, disabling too, and needs no sensor`() throws {
        let box = try Box.withVault()
        try Transcript.play(
            """
            $ biometrics enable
            3< WRONG
            2> thumbturn: error: ERR-107-010 Wrong password.
            2> hint: the PIN or password is wrong; 3 more tries before a wait
            = 1
            $ biometrics enable
            2> thumbturn: error: ERR-TT-302 The input ended before a secret was given.
            2> hint: run it on a terminal, or give one line for each secret on --secret-fd N
            = 2
            $ biometrics enable
            3< PIN
            Biometrics are enabled (fingerprint).
            $ biometrics enable
            3< PIN
            2> thumbturn: error: ERR-TT-109 Biometrics are already enabled.
            2> hint: correct the input and try again; nothing was changed
            = 1
            $ biometrics status
            Biometric Unlock: fingerprint · enabled · available · 0 of 3 failures
            a fingerprint or the PIN opens it
            $ simulate lockout sensor none
            simulated: 2 events
            $ biometrics disable
            3< WRONG
            2> thumbturn: error: ERR-107-040 You could not be authenticated.
            2> hint: the PIN or password is wrong; 3 more tries before a wait
            = 1
            $ biometrics disable
            3< PIN
            Biometrics are off; the key is deleted.
            $ biometrics status
            This device has no biometric sensor.
            """,
            in: box
        )
    }

    @Test(.holds("B-09", "C9")) func `without a sensor the status hides biometrics, with nobody enrolled it says why`()
        throws
    {
        let box = try Box.withVault()
        try box.run(["simulate", "unenroll"])
        #expect(try box.run(["status"]).standardOutput.contains("no finger or face is enrolled"))
        let refused = try box.run(["biometrics", "enable"], [Box.pin])
        #expect(
            refused.standardError.contains("ERR-107-001")
                && refused.standardError.contains("no finger or face is enrolled")
        )
        #expect(try box.run(["status"]).standardOutput.contains("Biometric Unlock: "))
        try box.run(["simulate", "sensor", "none"])
        #expect(!(try box.run(["status"]).standardOutput.contains("Biometric Unlock")))
        let hidden = try box.run(["biometrics", "enable"], [Box.pin])
        #expect(hidden.exitCode == 1 && hidden.standardError.contains("ERR-107-001"), "\(hidden)")
    }

    @Test func `a changed enrolment is revoked, told, and enabled again by hand`() throws {
        let box = try Box.withVault("--biometrics")
        try box.run(["simulate", "enroll", "finger", "match"])
        #expect(try box.run(["unlock"]).standardError.contains("ERR-107-060"))
        let status = try box.json(["status"])
        #expect(status["appUnlockState"] as? String == "REVOKED")
        #expect((status["warnings"] as? [String])?.contains("biometricsRevoked") == true)
        try box.run(["biometrics", "enable"], [Box.pin]).succeeding()
        #expect(try box.run(["unlock"]).standardOutput.contains("fingerprint"))
    }
}
