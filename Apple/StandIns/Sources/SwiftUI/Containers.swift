public import Foundation

/// One below the other.
public struct VStack<Content: View>: _Leaf {
    private let content: Content

    public init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }

    public func _render(_ context: _Context) -> _Node { _Node(.column, [render(content, context.entering("V"))]) }
}

/// One beside the other.
public struct HStack<Content: View>: _Leaf {
    private let content: Content

    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func _render(_ context: _Context) -> _Node { _Node(.row, [render(content, context.entering("H"))]) }
}

/// One above the other: the last one is in front.
public struct ZStack<Content: View>: _Leaf {
    private let content: Content

    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func _render(_ context: _Context) -> _Node { _Node(.column, [render(content, context.entering("Z"))]) }
}

/// What may be larger than the screen.
public struct ScrollView<Content: View>: _Leaf {
    private let content: Content

    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.content = content()
    }

    public func _render(_ context: _Context) -> _Node { _Node(.column, [render(content, context.entering("S"))]) }
}

public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
    public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Sendable {
    public static let center = VerticalAlignment()
}

public struct Alignment: Sendable {
    public static let center = Alignment()
}

public enum Axis {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let vertical = Set(rawValue: 2)
    }
}
