import Foundation
import Security
import StandIn
import Testing

@Suite(.serialized) struct KeychainTests {
    @Test func `an item that was added is read back`() {
        Phone.start()
        #expect(Item().add(Data([1, 2, 3])) == errSecSuccess)
        #expect(Item().read().secret == Data([1, 2, 3]))
    }

    @Test func `an item that was never added is not found`() {
        Phone.start()
        #expect(Item().read().status == errSecItemNotFound)
        #expect(Item().delete() == errSecItemNotFound)
        #expect(SecItemUpdate(Item().query as CFDictionary, [:] as CFDictionary) == errSecItemNotFound)
    }

    @Test func `service, account, group and synchronizable make an item unique [apple-src]`() {
        Phone.start()
        #expect(Item().add() == errSecSuccess)
        #expect(Item().add() == errSecDuplicateItem)
        #expect(Item(account: "other").add() == errSecSuccess)
        #expect(Item(service: "other").add() == errSecSuccess)
        #expect(Item(group: "TEAM.shared").add() == errSecSuccess)
        #expect(Item(synchronizable: true).add() == errSecSuccess)
    }

    @Test func `an item that cannot be read still makes a duplicate [apple-src]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        #expect(Item().add() == errSecDuplicateItem)
    }

    @Test func `the codes are Apple's [apple-src]`() {
        let codes: [OSStatus] = [
            errSecSuccess, errSecUnimplemented, errSecParam, errSecUserCanceled, errSecNotAvailable, errSecAuthFailed,
            errSecDuplicateItem, errSecItemNotFound, errSecInteractionNotAllowed, errSecInteractionRequired,
            errSecInDarkWake, errSecDecode, errSecInternal, errSecMissingEntitlement, errSecCreateChainFailed,
            errSecCertificateExpired, errSecCertificateNotValidYet, errSecNotTrusted,
        ]
        #expect(
            codes == [
                0, -4, -50, -128, -25291, -25293, -25299, -25300, -25308, -25315, -25320, -26275, -26276, -34018,
                -25318, -67818, -67819, -67843,
            ]
        )
    }

    @Test func `a key is no password of the same name`() {
        Phone.start()
        Item().add()
        let key: [String: Any] = [
            kSecClass as String: kSecClassKey,
            kSecAttrApplicationTag as String: Data("tag".utf8),
            kSecValueData as String: Data([1]),
        ]
        #expect(SecItemAdd(key as CFDictionary, nil) == errSecSuccess)
        #expect(SecItemAdd(key as CFDictionary, nil) == errSecDuplicateItem)
        #expect(SecItemDelete([kSecClass as String: kSecClassKey] as CFDictionary) == errSecSuccess)
        #expect(Item().read().status == errSecSuccess)
    }

    @Test func `a query without a class is refused [doc]`() {
        Phone.start()
        #expect(SecItemCopyMatching([kSecAttrService as String: "s"] as CFDictionary, nil) == errSecParam)
        #expect(SecItemAdd([kSecAttrService as String: "s"] as CFDictionary, nil) == errSecParam)
        #expect(SecItemDelete([kSecAttrService as String: "s"] as CFDictionary) == errSecParam)
    }

    @Test func `a value that bridging would put into a box is refused`() {
        struct Boxed {}
        Phone.start()
        #expect(SecItemAdd(Item().query([kSecAttrLabel: Boxed()]), nil) == errSecParam)
        #expect(SecItemAdd(Item().query([kSecValueData: "text"]), nil) == errSecParam)
        #expect(SecItemAdd(Item().query([kSecUseAuthenticationContext: "text"]), nil) == errSecParam)
        #expect(
            SecItemUpdate(Item().query as CFDictionary, [kSecValueData as String: 1] as CFDictionary) == errSecParam
        )
    }

    @Test func `an accessibility class and an access control exclude each other [apple-src]`() {
        Phone.start()
        let both = Item().add(accessible: kSecAttrAccessibleWhenUnlocked, control: control(.userPresence))
        #expect(both == errSecParam)
        #expect(Item().add(accessible: "unheard of" as CFString) == errSecParam)
    }

    @Test func `an item with a constraint cannot go to iCloud, nor one that stays on the device [apple-src]`() {
        Phone.start()
        let item = Item(synchronizable: true)
        #expect(item.add(control: control(.userPresence, kSecAttrAccessibleWhenUnlocked)) == errSecParam)
        #expect(item.add(accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly) == errSecParam)
        #expect(item.add(accessible: kSecAttrAccessibleWhenUnlocked) == errSecSuccess)
    }

    @Test func `a query sees iCloud's items only when it says so [doc]`() {
        Phone.start()
        Item(synchronizable: true).add()
        #expect(Item().read().status == errSecItemNotFound)
        #expect(Item(synchronizable: true).read().status == errSecSuccess)
        #expect(Item().read(more: [kSecAttrSynchronizable: kSecAttrSynchronizableAny]).status == errSecSuccess)
    }

    @Test func `an item without a group goes to the first of the entitlement [doc]`() {
        Phone.start()
        Item().add()
        #expect(Item(group: "TEAM.app").read().status == errSecSuccess)
        #expect(Item(group: "TEAM.shared").read().status == errSecItemNotFound)
    }

    @Test func `a query without a group reads and deletes in every group [doc]`() {
        let phone = Phone.start()
        Item(group: "TEAM.shared").add()
        #expect(Item().read().status == errSecSuccess)
        Item().add()
        #expect(Item().delete() == errSecSuccess)
        #expect(phone.rows.isEmpty)
    }

    @Test func `a group that the app has no right to: refused when adding, empty when reading [apple-src]`() {
        Phone.start()
        #expect(Item(group: "OTHER.app").add() == errSecMissingEntitlement)
        #expect(Item(group: "OTHER.app").read().status == errSecItemNotFound)
    }

    @Test func `an unsigned app has no keychain [doc]`() {
        Phone.start(PhoneSetup(accessGroups: []))
        #expect(Item().add() == errSecMissingEntitlement)
        #expect(Item().read().status == errSecMissingEntitlement)
        #expect(Item().delete() == errSecMissingEntitlement)
    }

    @Test func `attributes are read back as stored [doc]`() {
        Phone.start()
        let asked = control(.biometryCurrentSet, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
        Item(group: "TEAM.app").add(control: asked, more: [kSecAttrLabel: "label", kSecAttrGeneric: Data([7])])
        let found = Item().attributes()
        #expect(found?[kSecAttrAccount as String] as? String == "account")
        #expect(found?[kSecAttrAccessGroup as String] as? String == "TEAM.app")
        #expect(found?[kSecAttrLabel as String] as? String == "label")
        #expect(found?[kSecAttrGeneric as String] as? Data == Data([7]))
        #expect(found?[kSecAttrSynchronizable as String] as? Bool == false)
        #expect(found?[kSecAttrCreationDate as String] is Date)
        #expect(found?[kSecAttrAccessible as String] as? String == "akpu")
        #expect(CFEqual(found?[kSecAttrAccessControl as String] as? SecAccessControl, asked))
        #expect(found?[kSecValueData as String] == nil)
    }

    @Test func `an item without a class is readable on the unlocked device, and leaves it in a backup [doc]`() {
        Phone.start()
        Item().add()
        #expect(Item().attributes()?[kSecAttrAccessible as String] as? String == "ak")
    }

    @Test func `adding can return what was added`() {
        Phone.start()
        var result: CFTypeRef?
        let status = unsafe SecItemAdd(
            Item().query([kSecValueData: Data([1]), kSecReturnAttributes: true, kSecReturnData: true]),
            &result
        )
        #expect(status == errSecSuccess)
        let found = result as? [String: Any]
        #expect(found?[kSecValueData as String] as? Data == Data([1]))
        #expect(found?[kSecAttrService as String] as? String == "service")
    }

    @Test func `all items of a service are listed`() {
        Phone.start()
        for account in ["a", "b", "c"] { Item(account: account).add(Data(account.utf8)) }
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "service",
            kSecMatchLimit as String: kSecMatchLimitAll,
            kSecReturnAttributes as String: true,
        ]
        var result: CFTypeRef?
        #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        let accounts = (result as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String }
        #expect(accounts?.sorted() == ["a", "b", "c"])
    }

    @Test func `one is returned where all match, unless all are asked for`() {
        Phone.start()
        Item(account: "a").add(Data([1]))
        Item(account: "b").add(Data([2]))
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        #expect(result is NSData)
    }

    @Test func `an update changes the secret in place`() {
        Phone.start()
        Item().add(Data([1]))
        let changes = [kSecValueData as String: Data([2])] as CFDictionary
        #expect(SecItemUpdate(Item().query as CFDictionary, changes) == errSecSuccess)
        #expect(Item().read().secret == Data([2]))
    }

    @Test func `an update onto another item's place is a duplicate`() {
        Phone.start()
        Item(account: "a").add()
        Item(account: "b").add()
        let changes = [kSecAttrAccount as String: "b"] as CFDictionary
        #expect(SecItemUpdate(Item(account: "a").query as CFDictionary, changes) == errSecDuplicateItem)
    }

    @Test func `an unreachable daemon answers every call with not available [apple-src]`() {
        let phone = Phone.start()
        Item().add()
        phone.daemonReachable = false
        #expect(Item().add() == errSecNotAvailable)
        #expect(Item().read().status == errSecNotAvailable)
        #expect(Item().probe() == errSecNotAvailable)
        #expect(Item().delete() == errSecNotAvailable)
        phone.daemonReachable = true
        #expect(Item().read().status == errSecSuccess)
    }

    @Test func `items outlive the app; the new install reads them [field]`() {
        let phone = Phone.start()
        Item().add(Data([9]))
        phone.reinstallApp()
        #expect(Item().read().secret == Data([9]))
    }

    @Test func `only what may leave the device comes to a new one [doc]`() {
        let phone = Phone.start()
        Item(account: "leaves").add(accessible: kSecAttrAccessibleWhenUnlocked)
        Item(account: "stays").add(accessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
        Item(account: "guarded").add(control: control(.biometryCurrentSet))
        Phone.current = phone.restoredOnNewDevice()
        #expect(Item(account: "leaves").read().status == errSecSuccess)
        #expect(Item(account: "stays").read().status == errSecItemNotFound)
        #expect(Item(account: "guarded").read().status == errSecItemNotFound)
    }
}
