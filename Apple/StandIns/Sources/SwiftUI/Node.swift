import Foundation
import UIKit

/// A part of an evaluated screen: how it looks, what VoiceOver says, and what a touch does.
@MainActor public final class _Node {
    enum Axis {
        /// A line of its own for each child.
        case column
        /// All children in one line.
        case row
        /// As the container around it.
        case inherited
    }

    let axis: Axis
    var children: [_Node]
    /// How a leaf looks.
    var looks = ""
    /// What VoiceOver calls it, where that is not what it looks like.
    var label: String?
    var value: String?
    var kind: String?
    var isHeader = false
    var isSilent = false
    /// Whether VoiceOver takes the children for one, and what it does with their words.
    var grouping: AccessibilityChildBehavior.Kind?
    var isEnabled = true
    var contentType: UITextContentType?
    var isPrivate = false
    var leastWidth: CGFloat = 0
    var leastHeight: CGFloat = 0
    var shortcut: Character?
    var tap: (@MainActor () -> Void)?
    var write: (@MainActor (String) -> Void)?

    init(_ axis: Axis, _ children: [_Node] = []) {
        self.axis = axis
        self.children = children
    }

    convenience init(looks: String, kind: String? = nil) {
        self.init(.column)
        self.looks = looks
        self.kind = kind
    }

    /// The node and everything below it.
    var all: [_Node] { [self] + children.flatMap(\.all) }

    /// The screen as text: a row in one line, a column in several.
    func text(in axis: Axis = .column) -> String {
        guard looks.isEmpty else { return looks }
        let axis = self.axis == .inherited ? axis : self.axis
        let parts = children.map { $0.text(in: axis) }.filter { !$0.isEmpty }
        return parts.joined(separator: axis == .row ? " " : "\n")
    }

    /// What VoiceOver says, element by element.
    var spoken: [String] {
        if isSilent { return [] }
        switch grouping {
        case .ignore: return [said(label ?? "")]
        case .combine: return [said(label ?? children.flatMap(\.spoken).joined(separator: ", "))]
        case .contain, nil: break
        }
        if kind == nil, label == nil, looks.isEmpty { return children.flatMap(\.spoken) }
        return [said(name)]
    }

    /// What a control is called: by VoiceOver, and by who looks for it.
    var name: String {
        label ?? (looks.isEmpty || kind != nil ? children.flatMap(\.spoken).joined(separator: ", ") : looks)
    }

    private func said(_ name: String) -> String {
        let words = [name, kind, value, isHeader ? "heading" : nil, isEnabled ? nil : "dimmed"]
        return words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The control's size for a finger: its own, or its label's.
    var touchWidth: CGFloat { all.map(\.leastWidth).max() ?? 0 }
    var touchHeight: CGFloat { all.map(\.leastHeight).max() ?? 0 }
}

/// Where a view is evaluated.
@MainActor public struct _Context {
    var environment: EnvironmentValues
    let path: String
    let core: _WindowCore

    func entering(_ part: String) -> _Context {
        _Context(environment: environment, path: path + "/" + part, core: core)
    }

    func with(_ change: (inout EnvironmentValues) -> Void) -> _Context {
        var context = self
        change(&context.environment)
        return context
    }

    /// Gives a view's `@State` and `@Environment` properties what they stand for here.
    func install(in view: Any) {
        for child in Mirror(reflecting: view).children {
            guard let property = child.value as? any _InstalledProperty else { continue }
            property._install(environment, core, at: path + "." + (child.label ?? ""))
        }
    }
}

/// A property that the framework fills before a body is evaluated.
@MainActor protocol _InstalledProperty {
    func _install(_ environment: EnvironmentValues, _ core: _WindowCore, at path: String)
}
