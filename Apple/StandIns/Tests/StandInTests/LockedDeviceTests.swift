import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

@Suite(.serialized) struct LockedDeviceTests {
    private let unlockedOnly: [CFString] = [
        kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ]
    private let afterFirstUnlock: [CFString] = [
        kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
    ]

    private func addAll() {
        for name in unlockedOnly + afterFirstUnlock { Item(account: name as String).add(accessible: name) }
    }

    @Test func `a locked device reads only what needs the first unlock alone [doc]`() {
        let phone = Phone.start()
        addAll()
        phone.lockScreen()
        #expect(!phone.isProtectedDataAvailable)
        for name in unlockedOnly {
            #expect(Item(account: name as String).read().status == errSecInteractionNotAllowed)
        }
        for name in afterFirstUnlock { #expect(Item(account: name as String).read().status == errSecSuccess) }
        phone.unlockScreen()
        for name in unlockedOnly { #expect(Item(account: name as String).read().status == errSecSuccess) }
    }

    @Test func `before the first unlock nothing is readable, and nothing is lost [doc]`() {
        let phone = Phone.start()
        addAll()
        phone.reboot()
        for name in unlockedOnly + afterFirstUnlock {
            #expect(Item(account: name as String).read().status == errSecInteractionNotAllowed)
        }
        #expect(phone.rows.count == 5)
        phone.unlockScreen()
        for name in unlockedOnly + afterFirstUnlock {
            #expect(Item(account: name as String).read().status == errSecSuccess)
        }
    }

    @Test func `a missing class key may show as not available [apple-src]`() {
        let phone = Phone.start()
        Item().add()
        phone.quirks.classLockedStatus = errSecNotAvailable
        phone.reboot()
        #expect(Item().read().status == errSecNotAvailable)
    }

    @Test func `a prewarmed app reads nothing of an unlocked-only item [field]`() {
        let phone = Phone.start()
        Item().add()
        phone.prewarm()
        #expect(Item().read().status == errSecInteractionNotAllowed)
        #expect(phone.appPhase == .background)
        phone.unlockScreen()
        #expect(Item().read().status == errSecSuccess)
    }

    @Test func `a revoked item is not found out while the device is locked [inf]`() {
        let phone = Phone.start()
        Item().add(control: control(.biometryCurrentSet))
        phone.changeEnrolment()
        phone.lockScreen()
        #expect(Item().probe() == errSecInteractionNotAllowed)
        #expect(phone.rows.count == 1)
        phone.unlockScreen()
        #expect(Item().probe() == errSecItemNotFound)
    }

    @Test func `an item is not added to a locked class [apple-src]`() {
        let phone = Phone.start()
        phone.lockScreen()
        #expect(Item().add() == errSecInteractionNotAllowed)
        #expect(Item().add(accessible: kSecAttrAccessibleAfterFirstUnlock) == errSecSuccess)
    }

    @Test func `an item is deleted behind the lock screen [inf]`() {
        let phone = Phone.start()
        Item().add()
        phone.lockScreen()
        #expect(Item().delete() == errSecSuccess)
    }

    @Test func `a device without a passcode has nothing to lock [doc]`() {
        let phone = Phone.start(PhoneSetup(enrolled: false, passcodeSet: false))
        Item().add()
        phone.lockScreen()
        #expect(Item().read().status == errSecSuccess)
        phone.reboot()
        #expect(Item().read().status == errSecSuccess)
    }

    @Test func `unlocking by passcode forgives failed faces, unlocking by face does not`() {
        let phone = Phone.start()
        phone.lockOutBiometry()
        phone.lockScreen()
        phone.unlockScreen(byBiometry: true)
        #expect(phone.mismatches == 5)
        phone.lockScreen()
        phone.unlockScreen()
        #expect(phone.mismatches == 0)
    }

    @Test func `the app hears of each step, in order [doc]`() {
        let phone = Phone.start()
        let heard = Heard()
        let names = [
            "UIApplicationWillResignActiveNotification", "UIApplicationDidEnterBackgroundNotification",
            "UIApplicationProtectedDataWillBecomeUnavailable", "UIApplicationProtectedDataDidBecomeAvailable",
            "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) {
                heard.add($0.name.rawValue)
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        phone.lockScreen()
        phone.unlockScreen()
        #expect(heard.all == names)
    }
}

/// Collects what was heard.
final class Heard: @unchecked Sendable {
    // Safe to share: `names` is only touched while `lock` is held.
    private let lock = NSLock()
    private var names: [String] = []
    func add(_ name: String) { lock.withLock { names.append(name) } }
    var all: [String] { lock.withLock { names } }
}
