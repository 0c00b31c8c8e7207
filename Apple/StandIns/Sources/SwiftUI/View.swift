// SwiftUI, as far as the interface room uses it: the true signatures, and bodies that are evaluated into a screen of text
// which a test can read, tap and type into. Nothing is laid out or drawn.

/// A part of a screen.
@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { preconditionFailure("there is no such view") }
}

/// A view of the framework itself, which knows how it shows.
@MainActor public protocol _Leaf: View where Body == Never {
    func _render(_ context: _Context) -> _Node
}

extension _Leaf {
    public var body: Never { preconditionFailure("a leaf has no body") }
}

/// Evaluates a view, and the bodies below it, into nodes.
@MainActor func render(_ view: some View, _ context: _Context) -> _Node {
    if let leaf = view as? any _Leaf { return leaf._render(context) }
    let inside = context.entering("\(type(of: view))")
    inside.install(in: view)
    return render(view.body, inside)
}

/// Changes a view.
@MainActor public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

/// The view that a modifier changes.
public struct _ViewModifier_Content<Modifier: ViewModifier>: _Leaf {
    let view: any View

    public func _render(_ context: _Context) -> _Node { render(view, context) }
}

/// A view with a modifier.
public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier

    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View, _Leaf where Content: View, Modifier: ViewModifier {
    public func _render(_ context: _Context) -> _Node {
        let inside = context.entering("\(Modifier.self)")
        inside.install(in: modifier)
        return SwiftUI.render(modifier.body(content: _ViewModifier_Content(view: content)), inside)
    }
}

extension View {
    public func modifier<T: ViewModifier>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
