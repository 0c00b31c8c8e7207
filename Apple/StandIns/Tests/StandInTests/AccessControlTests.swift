import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

@Suite(.serialized) struct AccessControlTests {
    @Test(
        arguments: [
            [.or, .and], [.biometryAny, .biometryCurrentSet], [.userPresence, .biometryAny],
            [.userPresence, .devicePasscode], [.userPresence, .or],
        ] as [SecAccessControlCreateFlags]
    )
    func `combinations that cannot be are refused with -50 [apple-src]`(flags: SecAccessControlCreateFlags) {
        var error: Unmanaged<CFError>?
        let made = unsafe SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, &error)
        #expect(made == nil)
        let failure = unsafe error?.takeRetainedValue()
        #expect(CFErrorGetCode(failure) == Int(errSecParam))
        #expect(CFErrorGetDomain(failure) as String? == NSOSStatusErrorDomain)
    }

    @Test(
        arguments: [
            [], .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode,
            [.biometryAny, .or, .devicePasscode], [.biometryCurrentSet, .and, .devicePasscode],
            [.biometryCurrentSet, .privateKeyUsage], [.userPresence, .privateKeyUsage],
            [.userPresence, .applicationPassword],
        ] as [SecAccessControlCreateFlags]
    )
    func `every other combination is made [apple-src]`(flags: SecAccessControlCreateFlags) {
        #expect(control(flags) != nil)
    }

    @Test func `an unknown accessibility class is refused`() {
        #expect(SecAccessControlCreateWithFlags(nil, "?" as CFString, [], nil) == nil)
    }

    @Test(arguments: [.biometryCurrentSet, .biometryAny, .userPresence] as [SecAccessControlCreateFlags])
    func `adding and deleting never prompt, reading does once [apple-src]`(flags: SecAccessControlCreateFlags) {
        let phone = Phone.start()
        #expect(Item().add(control: control(flags)) == errSecSuccess)
        #expect(phone.prompts.isEmpty)
        #expect(Item().read().status == errSecSuccess)
        #expect(phone.prompts.map(\.origin) == [.keychain])
        #expect(Item().delete() == errSecSuccess)
        #expect(phone.prompts.count == 1)
    }

    @Test func `an update prompts, where the item needs it [apple-src]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryAny))
        let changes = [kSecValueData as String: Data([2])] as CFDictionary
        phone.script(.cancel)
        #expect(SecItemUpdate(Item().query as CFDictionary, changes) == errSecUserCanceled)
        #expect(SecItemUpdate(Item().query as CFDictionary, changes) == errSecSuccess)
        #expect(phone.prompts.count == 2)
    }

    @Test func `an update may change what guards an item, and binds it anew`() {
        let phone = Phone.start()
        Item().add()
        phone.changeEnrolment()
        let guarding = [kSecAttrAccessControl as String: control(.biometryCurrentSet) as Any] as CFDictionary
        #expect(SecItemUpdate(Item().query as CFDictionary, guarding) == errSecSuccess)
        #expect(Item().probe() == errSecInteractionNotAllowed)
        let freeing = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock] as CFDictionary
        #expect(SecItemUpdate(Item().query as CFDictionary, freeing) == errSecSuccess)
        #expect(Item().probe() == errSecSuccess)
    }

    @Test func `a prompt for either goes on to the passcode after a lockout [doc]`() {
        let phone = Phone.start()
        Item().add(control: control([.biometryAny, .or, .devicePasscode]))
        for _ in 0..<2 {
            phone.script(.mismatch, .mismatch, .cancel)
            #expect(Item().read().status == errSecUserCanceled)
        }
        phone.script(.mismatch, .passcode)
        #expect(Item().read().status == errSecSuccess)
        #expect(phone.mismatches == 0)
    }

    @Test func `an access control without constraints asks nobody`() {
        let phone = Phone.start()
        Item().add(control: control([]))
        #expect(Item().read().status == errSecSuccess)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `attributes alone need the owner too [apple-src]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        _ = Item().attributes()
        #expect(phone.prompts.count == 1)
    }

    @Test func `an item for a passcode cannot be added without one [apple-src]`() {
        Phone.start(PhoneSetup(enrolled: false, passcodeSet: false))
        #expect(Item().add(accessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly) == errSecAuthFailed)
    }

    @Test func `an item for the current set cannot be added with nobody enrolled [apple-src]`() {
        Phone.start(PhoneSetup(enrolled: false))
        #expect(Item().add(control: control(.biometryCurrentSet)) == errSecAuthFailed)
        #expect(Item().add(control: control(.biometryAny)) == errSecSuccess)
    }

    @Test func `the passcode opens what any presence opens, and nothing that asks for a face [doc]`() async {
        let phone = Phone.start()
        Item(account: "presence").add(control: control(.userPresence))
        Item(account: "either").add(control: control([.biometryAny, .or, .devicePasscode]))
        Item(account: "face").add(control: control(.biometryAny))
        let context = LAContext()
        phone.script(.fallback, .passcode)
        #expect(await evaluate(context, .deviceOwnerAuthentication) == 0)
        phone.forgetPrompts()
        #expect(Item(account: "presence").read(context).status == errSecSuccess)
        #expect(Item(account: "either").read(context).status == errSecSuccess)
        #expect(phone.prompts.isEmpty)
        phone.script(.cancel)
        #expect(Item(account: "face").read(context).status == errSecUserCanceled)
    }

    @Test func `two constraints without a connective mean both [apple-src]`() async {
        let phone = Phone.start()
        Item().add(control: control([.biometryAny, .devicePasscode]))
        phone.script(.agrees, .cancel)
        #expect(Item().read().status == errSecUserCanceled)
        phone.script(.agrees, .passcode)
        #expect(Item().read().status == errSecSuccess)
        let context = LAContext()
        #expect(await evaluate(context) == 0)
        context.interactionNotAllowed = true
        #expect(Item().read(context).status == errSecInteractionNotAllowed)
    }

    @Test func `a passcode alone is asked for by the passcode alone`() {
        let phone = Phone.start()
        Item().add(control: control(.devicePasscode))
        phone.script(.mismatch, .wrongPasscode, .passcode)
        #expect(Item().read().status == errSecSuccess)
        #expect(phone.mismatches == 0)
    }

    @Test func `an evaluated context opens several items without another prompt [field]`() async {
        let phone = Phone.start()
        Item(account: "a").add(control: control(.biometryCurrentSet))
        Item(account: "b").add(control: control(.biometryCurrentSet))
        let context = LAContext()
        #expect(await evaluate(context) == 0)
        #expect(Item(account: "a").read(context).status == errSecSuccess)
        #expect(Item(account: "b").read(context).status == errSecSuccess)
        #expect(phone.prompts.count == 1)
    }

    @Test func `what an item's prompt proved counts for the next item of the same context`() {
        let phone = Phone.start()
        Item(account: "a").add(control: control(.biometryAny))
        Item(account: "b").add(control: control(.biometryAny))
        let context = LAContext()
        context.localizedReason = "Open the vault"
        #expect(Item(account: "a").read(context).status == errSecSuccess)
        #expect(Item(account: "b").read(context).status == errSecSuccess)
        #expect(phone.prompts.map(\.reason) == ["Open the vault"])
    }

    @Test func `items that need the owner can be skipped [doc]`() {
        let phone = Phone.start()
        Item(account: "plain").add(Data([1]))
        Item(account: "guarded").add(control: control(.userPresence))
        let skip: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        #expect(Item(account: "guarded").read(more: skip).status == errSecItemNotFound)
        #expect(Item(account: "plain").read(more: skip).secret == Data([1]))
        #expect(phone.prompts.isEmpty)
    }

    @Test func `the simulator enforces nothing, and has no passcode to ask for [field]`() {
        let phone = Phone.start(PhoneSetup(kind: .simulator))
        Item(account: "face").add(control: control(.biometryCurrentSet))
        Item(account: "presence").add(control: control(.userPresence))
        phone.changeEnrolment()
        #expect(Item(account: "face").read().status == errSecSuccess)
        #expect(Item(account: "presence").read().status == errSecAuthFailed)
        #expect(phone.prompts.isEmpty)
    }
}
