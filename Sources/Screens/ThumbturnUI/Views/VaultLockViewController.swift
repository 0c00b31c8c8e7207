#if canImport(SwiftUI) && canImport(UIKit)
import Combine
import Foundation
import SwiftUI
import ThumbturnRules
public import UIKit

/// Shows a view controller only while a vault is unlocked, and the lock screen otherwise: UIKit's `vaultLock`.
///
/// Make it the root of the app's window, or of an extension's view. While the vault is locked the controller does not
/// exist; each unlock makes it anew. What it presents is dismissed with it.
@MainActor public final class VaultLockViewController: UIViewController {
    private let model: AppUnlockObject
    private let host: HostEvents.Host
    private let place = HostPlace()
    private let inside: UIHostingController<HostedLock>
    private var events: HostEvents?

    /// Creates a lock.
    ///
    /// - Parameters:
    ///   - model: an `AppUnlockModel`, or before iOS 17 an `AppUnlockObject`; for one window.
    ///   - host: whose phases lock and cover; in an extension `.appExtension`.
    ///   - exits: the ways out of the lock screen that only the app can provide.
    ///   - content: makes what only the owner sees, at each unlock.
    public init(
        _ model: AppUnlockObject,
        of host: HostEvents.Host = .application,
        exits: LockExits = LockExits(),
        content: @escaping @MainActor () -> UIViewController
    ) {
        self.model = model
        self.host = host
        inside = UIHostingController(rootView: HostedLock(model: model, place: place, exits: exits, content: content))
        super.init(nibName: nil, bundle: nil)
    }

    /// Not from a storyboard: it needs a vault.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Puts lock screen and content into the view.
    public override func viewDidLoad() {
        super.viewDidLoad()
        addChild(inside)
        inside.view.frame = view.bounds
        inside.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(inside.view)
        inside.didMove(toParent: self)
    }

    /// Begins to follow the host.
    public override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        place.phase = AppPhase(seenFrom: view.window?.windowScene?.activationState)
        events = HostEvents(of: host) { [place] in place.phase = $0 }
    }

    /// Covers, and locks as the policy says for the background: the view is gone, the process may stay.
    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        // Something of ours is in front of it; the host still tells where it stands.
        guard presentedViewController == nil else { return }
        events?.stop()
        events = nil
    }
}

/// Where the host stands, for a view that no scene of SwiftUI tells.
@MainActor final class HostPlace: ObservableObject {
    @Published var phase = AppPhase.inactive
}

/// A UIKit controller behind the lock.
struct HostedLock: View {
    let model: AppUnlockObject
    @ObservedObject var place: HostPlace
    let exits: LockExits
    let content: @MainActor () -> UIViewController

    var body: some View {
        Hosted(make: content)
            .vaultLock(model, exits: exits)
            .environment(\.scenePhase, ScenePhase(place.phase))
    }
}

private struct Hosted: UIViewControllerRepresentable {
    let make: @MainActor () -> UIViewController

    func makeUIViewController(context: Context) -> UIViewController { make() }
    func updateUIViewController(_ controller: UIViewController, context: Context) {}
}

extension AppPhase {
    /// What a view that has just appeared knows: without a scene, as in some extensions, it is in front.
    fileprivate init(seenFrom state: UIScene.ActivationState?) {
        switch state {
        case .foregroundActive?, nil: self = .active
        case .foregroundInactive?: self = .inactive
        default: self = .background
        }
    }
}

extension ScenePhase {
    fileprivate init(_ phase: AppPhase) {
        switch phase {
        case .active: self = .active
        case .inactive: self = .inactive
        case .background: self = .background
        }
    }
}
#endif
