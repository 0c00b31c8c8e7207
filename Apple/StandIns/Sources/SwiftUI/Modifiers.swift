public import Foundation

/// A view whose node, surroundings or times something changes.
public struct _Changed<Content: View>: _Leaf {
    let content: Content
    var name = ""
    var around: @MainActor (inout EnvironmentValues) -> Void = { _ in }
    var change: @MainActor (_Node, _Context) -> Void = { _, _ in }

    public func _render(_ context: _Context) -> _Node {
        let context = context.entering(name).with(around)
        let node = SwiftUI.render(content, context)
        // What is said of several views together is said of a node around them.
        let changed = node.axis == .inherited && node.children.count != 1 ? _Node(.column, [node]) : node
        change(changed, context)
        return changed
    }
}

extension View {
    func changed(_ change: @escaping @MainActor (_Node, _Context) -> Void) -> some View {
        _Changed(content: self, change: change)
    }

    /// A change that remembers something of its own place.
    private func named(_ name: String, _ change: @escaping @MainActor (_Node, _Context) -> Void) -> some View {
        _Changed(content: self, name: name, change: change)
    }

    // What nobody sees in text.
    public func font(_ font: Font?) -> some View { self }
    public func foregroundColor(_ color: Color?) -> some View { self }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { self }
    public func padding(_ length: CGFloat) -> some View { self }
    public func padding() -> some View { self }
    public func imageScale(_ scale: Image.Scale) -> some View { self }
    public func ignoresSafeArea() -> some View { self }
    public func contentShape<S: Shape>(_ shape: S) -> some View { self }
    public func textFieldStyle<S: TextFieldStyle>(_ style: S) -> some View { self }
    public func textSelection<S: TextSelectability>(_ selectability: S) -> some View { self }
    public func disableAutocorrection(_ disable: Bool?) -> some View { self }

    // There is no frame of a fixed height here on purpose: text grows with the user's size (Dynamic Type).
    public func frame(
        minWidth: CGFloat? = nil,
        idealWidth: CGFloat? = nil,
        maxWidth: CGFloat? = nil,
        minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil,
        maxHeight: CGFloat? = nil,
        alignment: Alignment = .center
    ) -> some View {
        changed { node, _ in
            node.leastWidth = max(node.leastWidth, minWidth ?? 0)
            node.leastHeight = max(node.leastHeight, minHeight ?? 0)
        }
    }

    /// What can't be seen can't be touched or heard either.
    public func opacity(_ opacity: Double) -> some View {
        changed { node, _ in
            guard opacity == 0 else { return }
            for part in node.all {
                part.looks = ""
                part.isSilent = true
                part.tap = nil
                part.write = nil
            }
        }
    }

    public func disabled(_ disabled: Bool) -> some View {
        _Changed(content: self, around: { if disabled { $0.isEnabled = false } })
    }

    public func buttonStyle<S: ButtonStyle>(_ style: S) -> some View {
        _Changed(content: self, around: { $0.buttonStyle = style })
    }

    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        changed { node, _ in
            guard modifiers.isEmpty else { return }
            node.all.first { $0.tap != nil }?.shortcut = key.character
        }
    }

    public func onSubmit(of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void) -> some View {
        changed { node, _ in node.all.first { $0.write != nil }?.tap = { action() } }
    }

    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
        _Changed(content: self, around: { $0[keyPath: keyPath] = value })
    }
}

// VoiceOver.
extension View {
    public func accessibilityLabel(_ label: Text) -> some View {
        changed { node, context in node.label = label.string(in: context.environment.locale) }
    }

    public func accessibilityValue(_ value: Text) -> some View {
        changed { node, context in node.value = value.string(in: context.environment.locale) }
    }

    public func accessibilityHidden(_ hidden: Bool) -> some View {
        changed { node, _ in if hidden { node.isSilent = true } }
    }

    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        changed { node, _ in if traits.contains(.isHeader) { node.isHeader = true } }
    }

    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        changed { node, _ in node.grouping = children.kind }
    }
}

// Times.
extension View {
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        named("appear") { _, context in
            context.core.see(context.path, appear: action ?? {}, disappear: {})
        }
    }

    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        named("disappear") { _, context in
            context.core.see(context.path, appear: {}, disappear: action ?? {})
        }
    }

    public func onChange<V: Equatable>(of value: V, perform action: @escaping (V) -> Void) -> some View {
        named("change") { _, context in
            context.core.watch(context.path, value, action)
        }
    }

    /// Shows another view above everything else.
    public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        named("sheet") { node, context in
            guard isPresented.wrappedValue else { return }
            context.core.sheets.append(render(content(), context.entering("sheet")))
        }
    }
}

public protocol TextSelectability {}

public struct EnabledTextSelectability: TextSelectability {}

extension TextSelectability where Self == EnabledTextSelectability {
    public static var enabled: EnabledTextSelectability { EnabledTextSelectability() }
}

public struct Font: Hashable, Sendable {
    public static let largeTitle = Font()
    public static let title = Font()
    public static let headline = Font()
    public static let footnote = Font()
}

public enum TextAlignment: Hashable, Sendable {
    case leading
    case center
    case trailing
}

public struct KeyEquivalent: Sendable {
    public var character: Character

    public init(_ character: Character) {
        self.character = character
    }

    public static let delete = KeyEquivalent("\u{8}")
    public static let `return` = KeyEquivalent("\r")
}

public struct EventModifiers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let command = EventModifiers(rawValue: 16)
}

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let text = SubmitTriggers(rawValue: 1)
}

public struct AccessibilityTraits: SetAlgebra, Sendable {
    private var names: Set<String> = []

    public static let isHeader = AccessibilityTraits(names: ["header"])

    public init() {}
    private init(names: Set<String>) { self.names = names }

    public func contains(_ member: AccessibilityTraits) -> Bool { names.isSuperset(of: member.names) }
    public func union(_ other: AccessibilityTraits) -> AccessibilityTraits { Self(names: names.union(other.names)) }
    public func intersection(_ other: AccessibilityTraits) -> AccessibilityTraits {
        Self(names: names.intersection(other.names))
    }
    public func symmetricDifference(_ other: AccessibilityTraits) -> AccessibilityTraits {
        Self(names: names.symmetricDifference(other.names))
    }
    public mutating func insert(
        _ member: AccessibilityTraits
    ) -> (inserted: Bool, memberAfterInsert: AccessibilityTraits) {
        formUnion(member)
        return (true, member)
    }
    public mutating func remove(_ member: AccessibilityTraits) -> AccessibilityTraits? {
        names.subtract(member.names)
        return member
    }
    public mutating func update(with member: AccessibilityTraits) -> AccessibilityTraits? {
        formUnion(member)
        return nil
    }
    public mutating func formUnion(_ other: AccessibilityTraits) { names.formUnion(other.names) }
    public mutating func formIntersection(_ other: AccessibilityTraits) { names.formIntersection(other.names) }
    public mutating func formSymmetricDifference(_ other: AccessibilityTraits) {
        names.formSymmetricDifference(other.names)
    }
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
    enum Kind {
        case ignore, contain, combine
    }

    let kind: Kind

    public static let ignore = AccessibilityChildBehavior(kind: .ignore)
    public static let contain = AccessibilityChildBehavior(kind: .contain)
    public static let combine = AccessibilityChildBehavior(kind: .combine)
}

@MainActor public protocol TextFieldStyle {}

public struct RoundedBorderTextFieldStyle: TextFieldStyle {
    public nonisolated init() {}
}

extension TextFieldStyle where Self == RoundedBorderTextFieldStyle {
    public static var roundedBorder: RoundedBorderTextFieldStyle { RoundedBorderTextFieldStyle() }
}
