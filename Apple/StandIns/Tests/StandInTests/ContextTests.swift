import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

private typealias Code = LAError.Code

@Suite(.serialized) struct ContextTests {
    @Test func `a phone on which everything works can be asked, and says yes`() async {
        let phone = Phone.start()
        #expect(obstacle() == 0)
        #expect(await evaluate(LAContext()) == 0)
        #expect(phone.prompts.map(\.origin) == [.policy])
    }

    @Test func `asking whether it can never prompts`() {
        let phone = Phone.start()
        _ = obstacle()
        _ = obstacle(LAContext(), .deviceOwnerAuthentication)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `each obstacle has its code, before and at the prompt [doc]`() async {
        func both(_ setup: PhoneSetup, _ change: (Phone) -> Void = { _ in }) async -> [Int] {
            let phone = Phone.start(setup)
            change(phone)
            let codes = [obstacle(), await evaluate(LAContext())]
            #expect(phone.prompts.isEmpty)
            return codes
        }
        #expect(await both(PhoneSetup(sensor: .none)) == [-6, -6])
        #expect(await both(PhoneSetup(enrolled: false)) == [-7, -7])
        #expect(await both(PhoneSetup(enrolled: false, passcodeSet: false)) == [-5, -5])
        #expect(await both(PhoneSetup()) { $0.permission = .denied } == [-6, -6])
        #expect(await both(PhoneSetup()) { $0.lockOutBiometry() } == [-8, -8])
    }

    @Test func `the passcode is a way where biometrics are none [doc]`() async {
        for sensor in [PhoneSetup.Sensor.none, .faceID] {
            Phone.start(PhoneSetup(sensor: sensor, enrolled: false))
            #expect(obstacle(LAContext(), .deviceOwnerAuthentication) == 0)
            #expect(await evaluate(LAContext(), .deviceOwnerAuthentication) == 0)
        }
        Phone.start(PhoneSetup(enrolled: false, passcodeSet: false))
        #expect(obstacle(LAContext(), .deviceOwnerAuthentication) == Code.passcodeNotSet.rawValue)
    }

    @Test func `the sensor is unknown before the first question, and known while denied or locked out [field]`() {
        let phone = Phone.start()
        phone.permission = .denied
        let context = LAContext()
        #expect(context.biometryType == .none)
        #expect(obstacle(context) == Code.biometryNotAvailable.rawValue)
        #expect(context.biometryType == .faceID)
        phone.permission = .allowed
        phone.lockOutBiometry()
        let other = LAContext()
        #expect(obstacle(other) == Code.biometryLockout.rawValue)
        #expect(other.biometryType == .faceID)
    }

    @Test(arguments: [
        (PhoneSetup.Sensor.none, LABiometryType.none), (.touchID, .touchID), (.faceID, .faceID), (.opticID, .opticID),
    ])
    func `each sensor has its type [doc]`(sensor: PhoneSetup.Sensor, type: LABiometryType) {
        Phone.start(PhoneSetup(sensor: sensor))
        let context = LAContext()
        _ = obstacle(context)
        #expect(context.biometryType == type)
    }

    @Test func `the domain state is nil before the question, and changes with the set [doc]`() {
        let phone = Phone.start()
        let context = LAContext()
        #expect(context.evaluatedPolicyDomainState == nil)
        _ = obstacle(context)
        let before = context.evaluatedPolicyDomainState
        #expect(before != nil)
        #expect(context.domainState.biometry.stateHash == before)
        #expect(context.domainState.biometry.biometryType == .faceID)
        phone.changeEnrolment()
        let later = LAContext()
        _ = obstacle(later)
        #expect(later.domainState.stateHash != before)
    }

    @Test func `the domain state is nil with nobody enrolled, and during a lockout [field]`() {
        let phone = Phone.start()
        phone.lockOutBiometry()
        let locked = LAContext()
        _ = obstacle(locked)
        #expect(locked.evaluatedPolicyDomainState == nil)
        Phone.start(PhoneSetup(enrolled: false))
        let nobody = LAContext()
        _ = obstacle(nobody, .deviceOwnerAuthentication)
        #expect(nobody.evaluatedPolicyDomainState == nil)
    }

    @Test func `the domain state of another app is another one [doc]`() {
        Phone.start()
        let mine = LAContext()
        _ = obstacle(mine)
        Phone.start(PhoneSetup(accessGroups: ["OTHER.app"]))
        let theirs = LAContext()
        _ = obstacle(theirs)
        #expect(mine.evaluatedPolicyDomainState != theirs.evaluatedPolicyDomainState)
    }

    @Test func `an error is an LAError, and an NSError of Apple's domain [doc]`() async {
        let phone = Phone.start()
        phone.script(.cancel, .fallback)
        do {
            _ = try await LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open")
            Issue.record("a cancelled prompt succeeded")
        } catch LAError.userCancel {
            #expect(obstacle() == 0)
        } catch {
            Issue.record("\(error)")
        }
        phone.habit = .mismatch
        do {
            _ = try await LAContext().evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: "Open")
            Issue.record("a prompt without a match succeeded")
        } catch {
            #expect((error as NSError).domain == LAErrorDomain)
            #expect((error as NSError).code == LAError.userFallback.rawValue)
        }
    }

    @Test func `a context keeps what the app sets [doc]`() {
        Phone.start()
        let context = LAContext()
        #expect(context.localizedFallbackTitle == nil && context.localizedCancelTitle == nil)
        #expect(!context.interactionNotAllowed && context.localizedReason.isEmpty)
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 0)
        context.localizedReason = "reason"
        context.localizedFallbackTitle = "fallback"
        context.localizedCancelTitle = "cancel"
        context.interactionNotAllowed = true
        context.touchIDAuthenticationAllowableReuseDuration = 5
        #expect(context.localizedReason == "reason" && context.interactionNotAllowed)
        #expect(context.localizedFallbackTitle == "fallback" && context.localizedCancelTitle == "cancel")
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 5)
    }

    @Test func `a passcode that is set again brings no face back`() async {
        let phone = Phone.start()
        phone.removePasscode()
        phone.setPasscode()
        #expect(obstacle() == Code.biometryNotEnrolled.rawValue)
        #expect(await evaluate(LAContext(), .deviceOwnerAuthentication) == 0)
    }

    @Test func `an invalidated context answers everything with invalid context [doc]`() async {
        Phone.start()
        let context = LAContext()
        context.invalidate()
        #expect(obstacle(context) == Code.invalidContext.rawValue)
        #expect(await evaluate(context) == Code.invalidContext.rawValue)
    }

    @Test func `a context that forbids interaction shows no prompt [doc]`() async {
        let phone = Phone.start()
        let context = LAContext()
        context.interactionNotAllowed = true
        #expect(await evaluate(context) == Code.notInteractive.rawValue)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `nothing prompts in the background or behind the lock screen [doc]`() async {
        let phone = Phone.start()
        phone.enterBackground()
        #expect(await evaluate(LAContext()) == Code.notInteractive.rawValue)
        phone.enterForeground()
        phone.lockScreen()
        #expect(await evaluate(LAContext()) == Code.notInteractive.rawValue)
        #expect(phone.prompts.isEmpty)
        phone.unlockScreen()
        #expect(await evaluate(LAContext()) == 0)
    }

    @Test func `a recent unlock by finger saves the prompt within the window [doc]`() async {
        let phone = Phone.start(PhoneSetup(sensor: .touchID))
        phone.lockScreen()
        phone.unlockScreen(byBiometry: true)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10
        phone.pass(milliseconds: 9_000)
        #expect(await evaluate(context) == 0)
        #expect(phone.prompts.isEmpty)
        phone.pass(milliseconds: 2_000)
        #expect(await evaluate(context) == 0)
        #expect(phone.prompts.count == 1)
    }

    @Test func `the window is five minutes at most, nought by default, and never for a face [doc]`() async {
        let touch = Phone.start(PhoneSetup(sensor: .touchID))
        touch.lockScreen()
        touch.unlockScreen(byBiometry: true)
        #expect(await evaluate(LAContext()) == 0)
        #expect(touch.prompts.count == 1)
        touch.pass(milliseconds: 301_000)
        let long = LAContext()
        long.touchIDAuthenticationAllowableReuseDuration = 10_000
        #expect(await evaluate(long) == 0)
        #expect(touch.prompts.count == 2)

        let face = Phone.start()
        face.lockScreen()
        face.unlockScreen(byBiometry: true)
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
        #expect(await evaluate(context) == 0)
        #expect(face.prompts.count == 1)
    }

    @Test func `the first use of Face ID asks for permission [doc]`() async {
        let phone = Phone.start()
        phone.permission = .notAsked
        #expect(obstacle() == 0)
        #expect(await evaluate(LAContext()) == 0)
        #expect(phone.prompts.map(\.origin) == [.permission, .policy])
        #expect(phone.prompts.first?.reason == "Opens the vault")
        #expect(phone.permission == .allowed)
    }

    @Test func `a permission that is refused stays refused [doc]`() async {
        let phone = Phone.start()
        phone.permission = .notAsked
        phone.script(.cancel)
        #expect(await evaluate(LAContext()) == Code.biometryNotAvailable.rawValue)
        #expect(phone.permission == .denied)
        #expect(obstacle() == Code.biometryNotAvailable.rawValue)
    }

    @Test func `Touch ID asks for no permission, and needs no usage description [doc]`() async {
        let phone = Phone.start(PhoneSetup(sensor: .touchID, faceIDUsage: nil))
        phone.permission = .denied
        #expect(await evaluate(LAContext()) == 0)
        #expect(phone.kills.isEmpty)
    }

    @Test func `Face ID without a usage description ends the app [doc]`() async {
        let phone = Phone.start(PhoneSetup(faceIDUsage: nil))
        #expect(obstacle() == 0)
        #expect(await evaluate(LAContext()) != 0)
        #expect(phone.kills == ["NSFaceIDUsageDescription is missing"])
        #expect(phone.prompts.isEmpty)
    }

    @Test func `an access control is evaluated by what it asks for`() async throws {
        let phone = Phone.start()
        let face = try #require(control(.biometryCurrentSet))
        let open = try #require(control([]))
        let context = LAContext()
        #expect(try await context.evaluateAccessControl(open, operation: .useItem, localizedReason: "Open"))
        #expect(phone.prompts.isEmpty)
        #expect(try await context.evaluateAccessControl(face, operation: .useItem, localizedReason: "Open"))
        #expect(phone.prompts.map(\.origin) == [.accessControl])
        Item().add(control: face)
        #expect(Item().read(context).status == errSecSuccess)
        #expect(phone.prompts.count == 1)
        phone.removeEnrolment()
        await #expect(throws: LAError(.biometryNotEnrolled)) {
            try await LAContext().evaluateAccessControl(face, operation: .useItem, localizedReason: "Open")
        }
    }

    @Test @MainActor func `replies come on a thread of the system's [doc]`() async {
        Phone.start()
        let context = LAContext()
        let ended = Heard()
        await withCheckedContinuation { continuation in
            context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open") { success, _ in
                ended.add("\(success) \(Thread.isMainThread)")
                continuation.resume()
            }
            ended.add("called")
        }
        #expect(Set(ended.all) == ["called", "true false"])
    }
}
