/// A view of any kind.
public struct AnyView: _Leaf {
    private let view: any View

    public init<V: View>(_ view: V) { self.view = view }

    public func _render(_ context: _Context) -> _Node { render(view, context.entering("any")) }
}

/// What Xcode shows beside the source.
@MainActor public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}

extension View {
    public func previewDisplayName(_ value: String?) -> some View { self }
}
