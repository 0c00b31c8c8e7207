/// What does something when it is tapped.
public struct Button<Label: View>: _Leaf {
    private let action: @MainActor () -> Void
    private let label: Label

    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.action = action
        self.label = label()
    }

    public init(role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        self.init(action: action, label: label)
    }

    public func _render(_ context: _Context) -> _Node {
        let inside = context.entering("Button")
        let words = render(label, inside).text(in: .row)
        let isPressed = context.environment.pressed == words
        let style = context.environment.buttonStyle ?? PlainHighlight()
        let shown = styled(style, ButtonStyleConfiguration(label: .init(view: label), isPressed: isPressed), inside)
        let node = _Node(looks: "[\(shown.text(in: .row))]", kind: "button")
        node.children = [shown]
        node.isEnabled = context.environment.isEnabled
        if !node.isEnabled { node.looks += " off" }
        node.tap = action
        return node
    }

    private func styled(_ style: some ButtonStyle, _ configuration: ButtonStyleConfiguration, _ context: _Context)
        -> _Node
    {
        render(style.makeBody(configuration: configuration), context.entering("style"))
    }
}

/// What the system does to a button under a finger.
private struct PlainHighlight: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        HStack {
            configuration.label
            if configuration.isPressed { Text(verbatim: "(lit)") }
        }
    }
}

public struct ButtonRole: Equatable, Sendable {
    private let name: String

    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

/// How buttons look.
@MainActor public protocol ButtonStyle {
    associatedtype Body: View
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
    typealias Configuration = ButtonStyleConfiguration
}

/// A button that is to be styled.
public struct ButtonStyleConfiguration {
    public struct Label: _Leaf {
        let view: any View

        public func _render(_ context: _Context) -> _Node { render(view, context.entering("label")) }
    }

    public let label: Label
    public let isPressed: Bool
}

/// A switch.
public struct Toggle<Label: View>: _Leaf {
    private let isOn: Binding<Bool>
    private let label: Label

    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.isOn = isOn
        self.label = label()
    }

    public func _render(_ context: _Context) -> _Node {
        let shown = render(label, context.entering("Toggle"))
        let state = isOn.wrappedValue ? "on" : "off"
        let node = _Node(looks: "{\(shown.text(in: .row)): \(state)}", kind: "switch")
        node.children = [shown]
        node.value = state
        node.isEnabled = context.environment.isEnabled
        if !node.isEnabled { node.looks += " off" }
        node.tap = { isOn.wrappedValue.toggle() }
        return node
    }
}

/// A line to type into.
public struct TextField<Label: View>: _Leaf {
    private let text: Binding<String>
    private let label: Label

    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text
        self.label = label()
    }

    public func _render(_ context: _Context) -> _Node {
        let node = field(text, render(label, context.entering("TextField")), context, shown: text.wrappedValue)
        node.kind = "text field"
        node.value = text.wrappedValue
        return node
    }
}

/// A line to type into that shows dots, and whose text VoiceOver does not say.
public struct SecureField<Label: View>: _Leaf {
    private let text: Binding<String>
    private let label: Label

    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.text = text
        self.label = label()
    }

    public func _render(_ context: _Context) -> _Node {
        let dots = String(repeating: "•", count: text.wrappedValue.count)
        let node = field(text, render(label, context.entering("SecureField")), context, shown: dots)
        node.kind = "secure text field"
        return node
    }
}

@MainActor private func field(_ text: Binding<String>, _ label: _Node, _ context: _Context, shown: String) -> _Node {
    let node = _Node(looks: "<\(label.text(in: .row)): \(shown)>")
    node.children = [label]
    node.isEnabled = context.environment.isEnabled
    if !node.isEnabled { node.looks += " off" }
    node.write = { text.wrappedValue = $0 }
    return node
}

/// A picture from the system's collection.
public struct Image: _Leaf {
    private let name: String

    public init(systemName: String) {
        name = systemName
    }

    public func _render(_ context: _Context) -> _Node {
        let node = _Node(looks: "(\(name))", kind: "image")
        node.label = name
        return node
    }

    public enum Scale: Hashable, Sendable {
        case small
        case medium
        case large
    }
}

/// Something is under way.
public struct ProgressView: _Leaf {
    public init() {}

    public func _render(_ context: _Context) -> _Node { _Node(looks: "(busy)", kind: "in progress") }
}

/// A shape.
@MainActor public protocol Shape: View {}

public struct Rectangle: Shape, _Leaf {
    public nonisolated init() {}

    public func _render(_ context: _Context) -> _Node { _Node(looks: "▇▇▇") }
}

extension Shape {
    public func fill<S: ShapeStyle>(_ content: S) -> some View { self }
}

public protocol ShapeStyle: Sendable {}

public struct BackgroundStyle: ShapeStyle {}

extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}

public struct Color: _Leaf {
    public static let clear = Color()
    public static let secondary = Color()

    public func _render(_ context: _Context) -> _Node { _Node(.column) }
}
