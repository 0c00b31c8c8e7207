import SwiftUI
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import UIKit

@testable import ThumbturnUI

@MainActor @Suite("A host that is no scene of SwiftUI", .timeLimit(.minutes(2)))
struct HostTests {
    init() { unsafe NotificationToken.isOnMainActor = { true } }

    @Test func `the app's notifications are phases, at once`() {
        let phases = Phases()
        let events = HostEvents(of: .application) { phases.told.append($0) }
        for name in [
            UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
            UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification,
        ] {
            NotificationCenter.default.post(name: name, object: UIApplication.shared)
        }
        #expect(phases.told == [.inactive, .background, .inactive, .active])
        withExtendedLifetime(events) {}
    }

    @Test func `an extension hears the app that shows it, and no other`() {
        let phases = Phases()
        let events = HostEvents(of: .appExtension) { phases.told.append($0) }
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        for name in [
            Notification.Name.NSExtensionHostWillResignActive, .NSExtensionHostDidEnterBackground,
            .NSExtensionHostWillEnterForeground, .NSExtensionHostDidBecomeActive,
        ] {
            NotificationCenter.default.post(name: name, object: nil)
        }
        #expect(phases.told == [.inactive, .background, .inactive, .active])
        withExtendedLifetime(events) {}
    }

    @Test func `a scene is told of itself alone`() {
        let mine = UIWindowScene()
        let other = UIWindowScene()
        let phases = Phases()
        let events = HostEvents(of: .scene(mine)) { phases.told.append($0) }
        other._move(to: .background)
        mine._move(to: .foregroundInactive)
        mine._move(to: .background)
        mine._move(to: .foregroundActive)
        #expect(phases.told == [.inactive, .background, .inactive, .active])
        withExtendedLifetime(events) {}
    }

    @Test(.holds("C17")) func `an extension's vault locks when its app leaves, and when its view goes`() async throws {
        let made = try await TestVault.make(policy: .strict)
        let model = await model(of: made)
        let events = HostEvents(of: .appExtension) { model.appBecame($0) }
        model.appBecame(.active)
        await until { model.screen == .content && !model.isCovered }
        NotificationCenter.default.post(name: .NSExtensionHostWillResignActive, object: nil)
        #expect(model.isCovered, "before the post returns")
        NotificationCenter.default.post(name: .NSExtensionHostDidEnterBackground, object: nil)
        await until { model.scope == nil }

        NotificationCenter.default.post(name: .NSExtensionHostDidBecomeActive, object: nil)
        await until { model.screen == .secret && !model.isCovered }
        await model.unlockWithPassword(SecretBytes(text: TestVault.pin))
        await until { model.screen == .content }
        events.stop()
        events.stop()
        await until { model.scope == nil }
        NotificationCenter.default.post(name: .NSExtensionHostDidBecomeActive, object: nil)
        #expect(model.isCovered, "nobody follows any more")
    }

    @Test(.holds("A37", "P-107-04")) func `a window above alerts covers a scene that is not in front, and it alone`() {
        let scene = UIWindowScene()
        let other = UIWindowScene()
        let window = Window(Text(verbatim: "12 words").windowCover())
        #expect(scene.windows.isEmpty)
        scene._move(to: .foregroundInactive)
        #expect(scene.windows.map(\.windowLevel) == [WindowCover.level])
        #expect(WindowCover.level.rawValue > UIWindow.Level.alert.rawValue)
        #expect(scene.windows.allSatisfy { !$0.isHidden } && other.windows.isEmpty)
        #expect((scene.windows.first?.rootViewController as? any _Hosting)?._screen == "▇▇▇\n(lock.fill)")
        scene._move(to: .background)
        #expect(scene.windows.count == 1)
        scene._move(to: .foregroundActive)
        #expect(scene.windows.isEmpty)

        window.close()
        scene._move(to: .background)
        #expect(scene.windows.isEmpty, "gone with its view")
    }

    @Test(.holds("A37")) func `what vaultLock guards has that window too`() async throws {
        let model = await model(of: try await TestVault.make())
        let window = Window(Text(verbatim: "12 words").vaultLock(model))
        let scene = UIWindowScene()
        scene._move(to: .foregroundInactive)
        #expect(scene.windows.count == 1)
        window.close()
    }

    @Test(.holds("P-107-01")) func `a controller of UIKit exists only while the vault is unlocked`() async throws {
        let made = try await TestVault.make(policy: .strict).restarted()
        let model = await model(of: made)
        let counted = Counted()
        let scene = UIWindowScene()
        let window = UIWindow(windowScene: scene)
        let lock = VaultLockViewController(model) { counted.make() }
        window.rootViewController = lock
        window.isHidden = false
        let inside = try #require(lock.children.first as? any _Hosting)
        await until { !inside._screen.contains("▇▇▇") }
        #expect(inside._screen.contains("Enter your PIN") && counted.made == 0)

        for digit in TestVault.pin { try inside._tap(String(digit)) }
        await until { inside._screen == "12 words of a secret" }
        _ = inside._screen
        #expect(counted.made == 1, "once for each unlock")

        NotificationCenter.default.post(name: UIApplication.willResignActiveNotification, object: nil)
        #expect(inside._screen.hasSuffix("▇▇▇\n(lock.fill)"))
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: nil)
        await until {
            _ = inside._screen; return model.scope == nil
        }
        #expect(!inside._screen.contains("secret") && counted.alive == 0)
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: nil)
        await until { inside._screen.contains("Enter your PIN") && !model.isCovered }

        for digit in TestVault.pin { try inside._tap(String(digit)) }
        await until { inside._screen == "12 words of a secret" }
        window.rootViewController = nil
        await until {
            _ = inside._screen; return model.scope == nil
        }
    }
}

@MainActor private final class Phases {
    var told: [AppPhase] = []
}

/// Makes controllers, and knows how many there are.
@MainActor private final class Counted {
    private final class Weak {
        weak var controller: UIViewController?
    }

    private var all: [Weak] = []
    var made: Int { all.count }
    var alive: Int { all.filter { $0.controller != nil }.count }

    func make() -> UIViewController {
        let controller = UIViewController(nibName: nil, bundle: nil)
        controller.title = "12 words of a secret"
        let box = Weak()
        box.controller = controller
        all.append(box)
        return controller
    }
}
