import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

@Suite(.serialized) struct RevocationTests {
    @Test func `a living item answers the promptless probe with interaction not allowed [apple-src]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        #expect(Item().probe() == errSecInteractionNotAllowed)
        #expect(Item().probe() == errSecInteractionNotAllowed)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `a changed set reads as not found, and the row vanishes [apple-src + inf]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        #expect(phone.rows.count == 1)
        #expect(Item().read().status == errSecItemNotFound)
        #expect(phone.rows.isEmpty)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `the probe itself consumes the evidence [apple-src]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        #expect(Item().probe() == errSecItemNotFound)
        #expect(phone.rows.isEmpty)
    }

    @Test(arguments: [false, true])
    func `of a living item behind a closed sensor, the probe says so or not [inf]`(refuses: Bool) {
        let phone = Phone.start()
        phone.quirks.refusesWithoutAsking = refuses
        Item(account: "face").add(control: control(.biometryCurrentSet))
        Item(account: "presence").add(control: control(.userPresence))
        let answer = refuses ? errSecAuthFailed : errSecInteractionNotAllowed
        phone.lockOutBiometry()
        #expect(Item(account: "face").probe() == answer)
        phone.unlockScreen()
        #expect(Item(account: "face").probe() == errSecInteractionNotAllowed)
        phone.permission = .denied
        #expect(Item(account: "face").probe() == answer)
        // The passcode would open it.
        #expect(Item(account: "presence").probe() == errSecInteractionNotAllowed)
        #expect(phone.rows.count == 2 && phone.prompts.isEmpty)
    }

    @Test(arguments: [errSecDecode, errSecAuthFailed])
    func `on some versions the first read says something else [field]`(status: OSStatus) {
        let phone = Phone.start()
        phone.quirks.revokedStatus = status
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        #expect(Item().read().status == status)
        #expect(Item().read().status == errSecItemNotFound)
    }

    @Test func `a dead row may stay and keep its name [field]`() {
        let phone = Phone.start()
        phone.quirks.revokedRowVanishes = false
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        #expect(Item().probe() == errSecItemNotFound)
        #expect(Item().add(control: control(.biometryCurrentSet)) == errSecDuplicateItem)
        #expect(Item().delete() == errSecSuccess)
        #expect(Item().add(control: control(.biometryCurrentSet)) == errSecSuccess)
    }

    @Test func `an item for any face outlives a changed set [doc]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryAny))
        phone.changeEnrolment()
        #expect(Item().read().status == errSecSuccess)
    }

    @Test func `a reset that was backed out of ends even an item for any face [field]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryAny))
        phone.resetBiometry()
        #expect(Item().read().status == errSecItemNotFound)
    }

    @Test func `with nobody enrolled an item for the current set is revoked [inf]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.removeEnrolment()
        #expect(obstacle() == LAError.Code.biometryNotEnrolled.rawValue)
        #expect(Item().read().status == errSecItemNotFound)
    }

    @Test func `removing the passcode deletes what needs one, and revokes the faces [doc + inf]`() {
        let phone = Phone.start()
        Item(account: "passcode").add(accessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
        Item(account: "face").add(control: control(.biometryCurrentSet))
        Item(account: "presence").add(control: control(.userPresence))
        Item(account: "plain").add()
        phone.removePasscode()
        #expect(obstacle() == LAError.Code.passcodeNotSet.rawValue)
        #expect(Item(account: "passcode").read().status == errSecItemNotFound)
        #expect(Item(account: "face").read().status == errSecItemNotFound)
        #expect(Item(account: "presence").read().status == errSecAuthFailed)
        #expect(Item(account: "plain").read().status == errSecSuccess)
    }

    @Test func `a context evaluated before the change still opens the item [field]`() async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        let context = LAContext()
        #expect(await evaluate(context) == 0)
        phone.changeEnrolment()
        #expect(Item().read(context).status == errSecSuccess)
        #expect(Item().read().status == errSecItemNotFound)
    }

    @Test func `a context evaluated after the change does not`() async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        let context = LAContext()
        #expect(await evaluate(context) == 0)
        #expect(Item().read(context).status == errSecItemNotFound)
    }

    @Test func `a context ends after minutes, after a suspension, and when it is invalidated [field]`() async {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        let quiet = LAContext()
        #expect(await evaluate(quiet) == 0)
        quiet.interactionNotAllowed = true
        #expect(Item().read(quiet).status == errSecSuccess)
        phone.pass(milliseconds: 300_001)
        #expect(Item().read(quiet).status == errSecInteractionNotAllowed)

        let suspended = LAContext()
        #expect(await evaluate(suspended) == 0)
        suspended.interactionNotAllowed = true
        phone.suspendAndResume()
        #expect(Item().read(suspended).status == errSecInteractionNotAllowed)

        let invalidated = LAContext()
        #expect(await evaluate(invalidated) == 0)
        invalidated.invalidate()
        #expect(Item().read(invalidated).status == errSecAuthFailed)
        #expect(await evaluate(invalidated) == LAError.Code.invalidContext.rawValue)
    }

    @Test func `a deleted item of a dead set needs nobody's consent`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        #expect(Item().delete() == errSecSuccess)
        #expect(phone.prompts.isEmpty)
    }
}
