/// Puts views together.
@MainActor @resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView((repeat each content))
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent(choice: .first(first))
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent(choice: .second(second))
    }
}

/// Nothing.
public struct EmptyView: _Leaf {
    public init() {}

    public func _render(_ context: _Context) -> _Node { _Node(.column) }
}

/// Several views, as their container lays them out.
public struct TupleView<T>: _Leaf {
    public var value: T

    public init(_ value: T) {
        self.value = value
    }

    public func _render(_ context: _Context) -> _Node {
        let parts = Mirror(reflecting: value).children.enumerated().compactMap { index, child -> _Node? in
            guard let view = child.value as? any View else { return nil }
            return render(view, context.entering("\(index)"))
        }
        return _Node(.inherited, parts)
    }
}

/// One of two views.
public struct _ConditionalContent<First, Second> {
    enum Choice {
        case first(First)
        case second(Second)
    }

    let choice: Choice
}

extension _ConditionalContent: View, _Leaf where First: View, Second: View {
    public func _render(_ context: _Context) -> _Node {
        switch choice {
        case .first(let view): SwiftUI.render(view, context.entering("first"))
        case .second(let view): SwiftUI.render(view, context.entering("second"))
        }
    }
}

extension Optional: View, _Leaf where Wrapped: View {
    public func _render(_ context: _Context) -> _Node {
        guard let view = self else { return _Node(.inherited) }
        return SwiftUI.render(view, context.entering("some"))
    }
}

/// A view for each element.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    let id: KeyPath<Data.Element, ID>
}

extension ForEach: View, _Leaf where Content: View {
    public init(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.data = data
        self.id = id
        self.content = content
    }

    public func _render(_ context: _Context) -> _Node {
        _Node(.inherited, data.map { SwiftUI.render(content($0), context.entering("\($0[keyPath: id])")) })
    }
}
