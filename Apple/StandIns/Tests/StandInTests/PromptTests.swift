import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

private typealias Code = LAError.Code

@Suite(.serialized) struct PromptTests {
    @Test(arguments: [(Answer.cancel, -2, Int32(-128)), (.fallback, -3, -25293)])
    func `a cancel is the one answer that the keychain passes on [apple-src]`(
        answer: Answer,
        code: Int,
        status: OSStatus
    ) async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.script(answer, answer)
        #expect(await evaluate(LAContext()) == code)
        #expect(Item().read().status == status)
    }

    @Test(arguments: [(PhoneSetup.Sensor.touchID, 3), (.faceID, 2)])
    func `a sensor gives up after its tries [doc]`(sensor: PhoneSetup.Sensor, tries: Int) async {
        let phone = Phone.start(PhoneSetup(sensor: sensor))
        phone.habit = .mismatch
        #expect(await evaluate(LAContext()) == Code.authenticationFailed.rawValue)
        #expect(phone.mismatches == tries)
    }

    @Test func `five failures lock biometrics out, over all prompts [doc]`() async {
        let phone = Phone.start()
        phone.habit = .mismatch
        #expect(await evaluate(LAContext()) == Code.authenticationFailed.rawValue)
        #expect(await evaluate(LAContext()) == Code.authenticationFailed.rawValue)
        #expect(await evaluate(LAContext()) == Code.biometryLockout.rawValue)
        #expect(phone.mismatches == 5)
        #expect(obstacle() == Code.biometryLockout.rawValue)
        #expect(obstacle(LAContext(), .deviceOwnerAuthentication) == 0)
    }

    @Test func `a match in between forgives [doc]`() async {
        let phone = Phone.start()
        phone.script(.mismatch, .agrees)
        #expect(await evaluate(LAContext()) == 0)
        #expect(phone.mismatches == 0)
    }

    @Test func `only the passcode ends a lockout, and it opens no item for a face [doc]`() async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.lockOutBiometry()
        #expect(Item().read().status == errSecAuthFailed)
        #expect(await evaluate(LAContext(), .deviceOwnerAuthentication) == 0)
        #expect(phone.mismatches == 0)
        #expect(Item().read().status == errSecSuccess)
    }

    @Test func `the probe of a living item does not notice a lockout [inf]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.lockOutBiometry()
        #expect(Item().probe() == errSecInteractionNotAllowed)
    }

    @Test func `a denied permission reads as authentication failed [inf]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.permission = .denied
        #expect(Item().read().status == errSecAuthFailed)
        #expect(phone.rows.count == 1)
    }

    @Test func `a device owner's prompt goes on to the passcode after too many failures [doc]`() async {
        let phone = Phone.start()
        phone.script(.mismatch, .mismatch, .wrongPasscode, .passcode)
        #expect(await evaluate(LAContext(), .deviceOwnerAuthentication) == 0)
        #expect(phone.prompts.count == 1)
    }

    @Test func `the passcode cannot be typed into a prompt for a face`() async {
        let phone = Phone.start()
        phone.script(.passcode)
        #expect(await evaluate(LAContext()) == Code.authenticationFailed.rawValue)
    }

    @Test func `the app's words are on the prompt [doc]`() async {
        let phone = Phone.start()
        let context = LAContext()
        context.localizedCancelTitle = "Not now"
        context.localizedFallbackTitle = ""
        #expect(await evaluate(context) == 0)
        #expect(
            phone.prompts == [
                Prompt(origin: .policy, reason: "Open", cancelTitle: "Not now", fallbackTitle: "")
            ]
        )
    }

    @Test func `the background takes a prompt away: system cancel [doc]`() async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.script(.meanwhile { $0.enterBackground() })
        #expect(await evaluate(LAContext()) == Code.systemCancel.rawValue)
        phone.enterForeground()
        phone.script(.meanwhile { $0.lockScreen() })
        #expect(Item().read().status == errSecAuthFailed)
    }

    @Test func `the background takes the question of the first use away too`() async {
        let phone = Phone.start()
        phone.permission = .notAsked
        phone.script(.meanwhile { $0.enterBackground() })
        #expect(await evaluate(LAContext()) == Code.systemCancel.rawValue)
        #expect(phone.permission == .notAsked && !phone.isPrompting)
    }

    @Test func `invalidating takes a prompt away: app cancel [doc]`() async {
        let phone = Phone.start()
        let context = LAContext()
        let carried = context.phoneContext
        phone.script(.meanwhile { _ in carried.invalidate() })
        #expect(await evaluate(context) == Code.appCancel.rawValue)
        #expect(await evaluate(context) == Code.invalidContext.rawValue)
    }

    @Test func `invalidating ends a read that hangs, with authentication failed [apple-src]`() async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.habit = .hesitates
        let context = LAContext()
        let carried = context.phoneContext
        Thread.detachNewThread {
            phone.waitForHesitation()
            carried.invalidate()
        }
        #expect(Item().read(context).status == errSecAuthFailed)
        #expect(!phone.isPrompting)
    }

    @Test func `an owner who hesitates is waited for`() async {
        let phone = Phone.start()
        phone.script(.hesitates)
        Thread.detachNewThread {
            phone.waitForHesitation()
            phone.answer(.agrees)
        }
        #expect(await evaluate(LAContext()) == 0)
    }

    @Test func `a second prompt takes the first away [field]`() async {
        let phone = Phone.start()
        phone.script(.hesitates)
        async let first = evaluate(LAContext())
        await Task.detached { phone.waitForHesitation() }.value
        #expect(await evaluate(LAContext()) == 0)
        #expect(await first == Code.systemCancel.rawValue)
        #expect(phone.prompts.count == 2)
    }

    @Test func `Face ID's own sheet makes the app inactive, and ends nothing [field]`() async {
        let phone = Phone.start()
        phone.script(.meanwhile { $0.resignActive() })
        #expect(await evaluate(LAContext()) == 0)
        #expect(phone.appPhase == .inactive)
    }

    @Test func `a set that changes while the prompt is up counts as it is at the match`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.script(.meanwhile { $0.changeEnrolment() })
        #expect(Item().read().status == errSecAuthFailed)
        #expect(Item().read().status == errSecItemNotFound)
    }
}
