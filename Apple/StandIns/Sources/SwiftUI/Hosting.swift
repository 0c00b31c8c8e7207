public import Foundation
public import UIKit

/// A controller that shows a view.
open class UIHostingController<Content: View>: UIViewController {
    public var rootView: Content

    /// What a test reads and taps: the view as its window shows it.
    public private(set) lazy var _window = Window(rootView)

    public init(rootView: Content) {
        self.rootView = rootView
        super.init(nibName: nil, bundle: nil)
    }

    public required init?(coder: NSCoder) { nil }
}

/// A hosting controller of any view.
@MainActor public protocol _Hosting {
    var _screen: String { get }
    func _tap(_ name: String) throws
}

extension UIHostingController: _Hosting {
    public var _screen: String { _window.screen }
    public func _tap(_ name: String) throws { try _window.tap(name) }
}

/// A controller of UIKit among views; a test sees its title.
@MainActor public protocol UIViewControllerRepresentable: _Leaf {
    associatedtype UIViewControllerType: UIViewController
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    typealias Context = UIViewControllerRepresentableContext<Self>
}

public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {}

/// The controller that was made for a place, as long as the place is there.
@MainActor private final class Made {
    var controller: UIViewController?
}

extension UIViewControllerRepresentable {
    public func _render(_ context: _Context) -> _Node {
        let made = context.core.keep(Made(), at: context.path + "/controller") as? Made ?? Made()
        let controller = made.controller as? UIViewControllerType ?? makeUIViewController(context: Context())
        made.controller = controller
        updateUIViewController(controller, context: Context())
        return _Node(looks: controller.title ?? "(controller)")
    }
}

extension View {
    public func textContentType(_ textContentType: UITextContentType?) -> some View {
        changed { node, _ in node.all.first { $0.write != nil }?.contentType = textContentType }
    }
}

extension Window {
    /// What a field says of its text, for the system's own offers.
    public func contentType(of name: String) -> UITextContentType? {
        fields.first { $0.name == name }?.contentType
    }
}
