public import Foundation
public import UIKit

// Views of a module, with the signatures of expo-modules-core 57: see Module.swift.

/// Core/Views/ExpoView.swift, 0587c3c7; there it is an `RCTView`, which is a `UIView`.
open class ExpoView: UIView {
    public private(set) weak var appContext: AppContext?

    public required init(appContext: AppContext? = nil) {
        self.appContext = appContext
        super.init(frame: CGRect())
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }
}

/// Core/Events/EventDispatcher.swift, 18296e90: a property of the view with the event's name.
public final class EventDispatcher {
    public var onEventSent: (([String: Any]) -> Void)?

    public init(_ customName: String? = nil) {}

    public func callAsFunction(_ payload: [String: Any]) { onEventSent?(payload) }
}

/// Core/Views/ViewDefinition.swift, 0d3ed0cd; JavaScript knows the view by the name of its class.
public final class ViewDefinition<ViewType>: AnyDefinition {
    public let _elements: [any AnyViewDefinitionElement]
    public let _name = String(describing: ViewType.self)

    init(_ elements: [any AnyViewDefinitionElement]) { _elements = elements }
}

public protocol AnyViewDefinitionElement: AnyDefinition {}

/// Core/Views/ConcreteViewProp.swift, c2e3a6b2: set on the main thread.
public final class ConcreteViewProp<ViewType: UIView, PropType: AnyArgument>: AnyViewDefinitionElement {
    public let _name: String
    public let _setter: (ViewType, PropType) -> Void

    init(_ name: String, _ setter: @escaping (ViewType, PropType) -> Void) { (_name, _setter) = (name, setter) }
}

/// Api/Builders/ViewDefinitionBuilder.swift, 18296e90.
@resultBuilder public struct ViewDefinitionBuilder<ViewType: UIView> {
    public static func buildBlock(_ elements: any AnyViewDefinitionElement...) -> [any AnyViewDefinitionElement] {
        elements
    }

    public static func buildExpression(_ element: EventsDefinition) -> any AnyViewDefinitionElement { element }

    public static func buildExpression<PropType: AnyArgument>(
        _ element: ConcreteViewProp<ViewType, PropType>
    ) -> any AnyViewDefinitionElement {
        element
    }
}

/// Api/Factories/ViewFactories.swift, 0c735f64.
public func View<ViewType: UIView>(
    _ viewType: ViewType.Type,
    @ViewDefinitionBuilder<ViewType> _ elements: @escaping () -> [any AnyViewDefinitionElement]
) -> ViewDefinition<ViewType> {
    ViewDefinition(elements())
}

/// The same.
public func Prop<ViewType: UIView, PropType: AnyArgument>(
    _ name: String,
    @_implicitSelfCapture _ setter: @escaping (ViewType, PropType) -> Void
) -> ConcreteViewProp<ViewType, PropType> {
    ConcreteViewProp(name, setter)
}
