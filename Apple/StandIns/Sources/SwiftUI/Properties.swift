public import Combine
public import Foundation

/// A value that a view keeps as long as it is on the screen.
@MainActor @propertyWrapper public struct State<Value> {
    final class Box {
        var value: Value
        var kept: Box?

        init(_ value: Value) {
            self.value = value
        }
    }

    private let box: Box

    public init(wrappedValue value: Value) {
        box = Box(value)
    }

    public var wrappedValue: Value {
        get { (box.kept ?? box).value }
        nonmutating set { (box.kept ?? box).value = newValue }
    }

    public var projectedValue: Binding<Value> {
        let box = box.kept ?? box
        return Binding(read: { box.value }, write: { box.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

extension State: _InstalledProperty {
    func _install(_ environment: EnvironmentValues, _ core: _WindowCore, at path: String) {
        // A copy: a view that comes back starts with the first value again, not with what was written meanwhile.
        box.kept = core.keep(Box(box.value), at: path) as? Box
    }
}

/// Reads and writes a value that somebody else keeps.
@MainActor @propertyWrapper public struct Binding<Value> {
    private let read: @MainActor () -> Value
    private let write: @MainActor (Value) -> Void

    init(read: @escaping @MainActor () -> Value, write: @escaping @MainActor (Value) -> Void) {
        self.read = read
        self.write = write
    }

    // The framework's own takes closures of any isolation and inherits that of the caller, which is a view's.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.init(read: get, write: set)
    }

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    public var projectedValue: Binding<Value> { self }
}

/// An object whose changes show.
@MainActor @propertyWrapper public struct ObservedObject<ObjectType: ObservableObject> {
    public var wrappedValue: ObjectType

    public init(wrappedValue: ObjectType) {
        self.wrappedValue = wrappedValue
    }
}

/// What the surroundings of a view say.
@MainActor @propertyWrapper public struct Environment<Value> {
    private final class Box {
        var value: Value?
    }

    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let box = Box()

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        self.keyPath = keyPath
    }

    public var wrappedValue: Value { box.value ?? EnvironmentValues()[keyPath: keyPath] }
}

extension Environment: _InstalledProperty {
    func _install(_ environment: EnvironmentValues, _ core: _WindowCore, at path: String) {
        box.value = environment[keyPath: keyPath]
    }
}

/// What views are told by what is around them.
public struct EnvironmentValues {
    public var locale = Locale(identifier: "en")
    public var scenePhase = ScenePhase.background
    public var isEnabled = true
    var buttonStyle: (any ButtonStyle)?
    /// The control that a finger rests on.
    var pressed: String?

    public init() {}
}

/// Where a window stands.
public enum ScenePhase: Comparable, Hashable, Sendable {
    case background
    case inactive
    case active
}
