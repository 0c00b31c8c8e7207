public import Foundation

// Scenes, windows and controllers, as far as a lock over UIKit needs them. Nothing is laid out or drawn.

@MainActor open class UIResponder: NSObject {
    public override nonisolated init() { super.init() }

    /// Whether the edit menu, or a key of it, may do this; a responder says yes where it can [doc].
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { true }

    /// What VoiceOver says of it besides its name.
    open var accessibilityValue: String?
}

/// The name of a message to an object, which this system does not have.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
    public let name: String
    public init(stringLiteral name: String) { self.name = name }
}

/// One window of an app, for the system.
open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive
        case foregroundInactive
        case background
    }

    public internal(set) var activationState = ActivationState.foregroundActive

    public nonisolated static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    public nonisolated static let willDeactivateNotification = Notification.Name("UISceneWillDeactivateNotification")
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UISceneWillEnterForegroundNotification")
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UISceneDidEnterBackgroundNotification")
    public nonisolated static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
}

public final class UIWindowScene: UIScene {
    private final class Weak {
        weak var window: UIWindow?
        init(_ window: UIWindow) { self.window = window }
    }

    private var kept: [Weak] = []

    /// Those that somebody keeps: a scene keeps none [doc].
    public var windows: [UIWindow] { kept.compactMap(\.window) }

    func add(_ window: UIWindow) { kept.append(Weak(window)) }

    /// Moves the scene, as its owner or the system would, and says so.
    public func _move(to state: ActivationState) {
        let former = activationState
        if former == .foregroundActive, state != former { post(UIScene.willDeactivateNotification) }
        if former == .background, state != former { post(UIScene.willEnterForegroundNotification) }
        activationState = state
        if state == .background { post(UIScene.didEnterBackgroundNotification) }
        if state == .foregroundActive, state != former { post(UIScene.didActivateNotification) }
    }

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 1 << 1)
        public static let flexibleHeight = AutoresizingMask(rawValue: 1 << 4)
    }

    public var frame = CGRect()
    public var bounds = CGRect()
    public var autoresizingMask = AutoresizingMask()
    open var isHidden = false
    public private(set) var subviews: [UIView] = []
    weak var superview: UIView?

    public var window: UIWindow? { self as? UIWindow ?? superview?.window }

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    public required init?(coder: NSCoder) { super.init() }

    public func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        if window != nil { view.moved() }
    }

    public func removeFromSuperview() {
        guard let superview else { return }
        let hadWindow = window != nil
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        if hadWindow { moved() }
    }

    /// Told after the view came into a window or left it, itself or with what it is in [doc].
    open func didMoveToWindow() {}

    private func moved() {
        didMoveToWindow()
        for view in subviews { view.moved() }
    }
}

open class UIViewController: UIResponder {
    private var loaded: UIView?
    open var title: String?
    public private(set) var children: [UIViewController] = []

    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public required init?(coder: NSCoder) { super.init() }

    /// Loaded when it is first asked for.
    public var view: UIView! {
        if loaded == nil {
            loaded = UIView(frame: CGRect())
            viewDidLoad()
        }
        return loaded
    }

    open func viewDidLoad() {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    /// What it presents; nothing is presented here.
    open var presentedViewController: UIViewController? { nil }

    public func addChild(_ child: UIViewController) { children.append(child) }
    public func didMove(toParent parent: UIViewController?) {}
}

/// A window, which is hidden until somebody shows it.
public final class UIWindow: UIView {
    public struct Level: RawRepresentable, Hashable, Sendable {
        public let rawValue: CGFloat
        public init(rawValue: CGFloat) { self.rawValue = rawValue }
        public static let normal = Level(rawValue: 0)
        public static let alert = Level(rawValue: 2_000)
    }

    public private(set) weak var windowScene: UIWindowScene?
    public var windowLevel = Level.normal

    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init(frame: CGRect())
        super.isHidden = true
        windowScene.add(self)
    }

    public required init?(coder: NSCoder) { nil }

    public override var isHidden: Bool {
        didSet { if oldValue, !isHidden { rootViewController?.viewDidAppear(false) } }
    }

    public var rootViewController: UIViewController? {
        didSet {
            oldValue?.viewDidDisappear(false)
            guard let rootViewController else { return }
            addSubview(rootViewController.view)
            if !isHidden { rootViewController.viewDidAppear(false) }
        }
    }
}

public final class UIScreen: NSObject {
    @MainActor public static let main = UIScreen()

    /// Whether the screen is recorded, mirrored or shared.
    @MainActor public private(set) var isCaptured = false

    /// Begins or ends a recording.
    @MainActor public func _capture(_ isCaptured: Bool) {
        self.isCaptured = isCaptured
        NotificationCenter.default.post(name: Self.capturedDidChangeNotification, object: self)
    }

    public static let capturedDidChangeNotification = Notification.Name("UIScreenCapturedDidChangeNotification")
}

/// What a field says of its text, for the system's own offers.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
}

// What an extension is told of the app that shows it.
extension Notification.Name {
    public static let NSExtensionHostWillEnterForeground = Self("NSExtensionHostWillEnterForegroundNotification")
    public static let NSExtensionHostDidEnterBackground = Self("NSExtensionHostDidEnterBackgroundNotification")
    public static let NSExtensionHostWillResignActive = Self("NSExtensionHostWillResignActiveNotification")
    public static let NSExtensionHostDidBecomeActive = Self("NSExtensionHostDidBecomeActiveNotification")
}
