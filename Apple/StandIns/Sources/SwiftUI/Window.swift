public import Foundation

/// A window that shows a view to a test.
///
/// The view is evaluated anew at each look, so that whatever its models say now is what is seen. State, appearing and
/// disappearing follow the places of views in the tree, as in the framework.
@MainActor public final class Window<Root: View> {
    private let root: Root
    private let core = _WindowCore()

    /// Where the window stands; a change is drawn at once, before anybody else hears of it.
    public var phase: ScenePhase { didSet { _ = nodes } }
    /// The language of the words.
    public var locale: Locale { didSet { _ = nodes } }

    public init(_ root: Root, phase: ScenePhase = .active, locale: String = "en") {
        self.root = root
        self.phase = phase
        self.locale = Locale(identifier: locale)
        _ = nodes
    }

    /// What is seen: rows in one line, `[button]`, `{switch: on}`, `<field: text>`, `(picture)`; a sheet below a line.
    public var screen: String { nodes.map { $0.text() }.joined(separator: "\n———\n") }

    /// What is drawn at the instant of a change, before `onChange` or anything else had a chance to act.
    public func drawnFirst(in phase: ScenePhase) -> String {
        core.isFrozen = true
        defer { core.isFrozen = false }
        return evaluate(in: phase).map { $0.text() }.joined(separator: "\n———\n")
    }

    /// What VoiceOver says, element by element.
    public var spoken: [String] { nodes.flatMap(\.spoken) }

    /// What is seen while a finger rests on a button.
    public func screen(pressing button: String) -> String {
        core.pressed = button
        defer { core.pressed = nil }
        return screen
    }

    /// Taps a button or switch, or sends a field; throws where nobody could.
    public func tap(_ name: String) throws {
        let node = try reachable(name) { $0.tap != nil }
        node.tap?()
        _ = nodes
    }

    /// Presses a key of a keyboard.
    public func press(_ key: Character) throws {
        guard let node = touchable.first(where: { $0.shortcut == key && $0.isEnabled }) else {
            throw NotThere(name: "\(key)")
        }
        node.tap?()
        _ = nodes
    }

    /// Writes into a field.
    public func type(_ text: String, into name: String) throws {
        let node = try reachable(name) { $0.write != nil }
        node.write?(text)
        _ = nodes
    }

    /// The controls of our own size that are smaller than a finger, 44 points.
    public var smallControls: [String] {
        touchable.filter { $0.kind != "switch" && (($0.touchHeight < 44) || ($0.write == nil && $0.touchWidth < 44)) }
            .map(\.name)
    }

    /// Takes the view off the screen.
    public func close() { core.end() }

    /// Nobody can tap or type there.
    public struct NotThere: Error {
        public let name: String
    }

    private func reachable(_ name: String, _ isMeant: (_Node) -> Bool) throws -> _Node {
        guard let node = touchable.first(where: { isMeant($0) && $0.name == name && $0.isEnabled }) else {
            throw NotThere(name: name)
        }
        return node
    }

    /// The controls of the layer in front: a sheet hides what is below it.
    private var touchable: [_Node] { nodes.last?.all.filter { $0.tap != nil || $0.write != nil } ?? [] }

    var fields: [_Node] { nodes.flatMap(\.all).filter { $0.write != nil } }
    var marked: [_Node] { nodes.flatMap(\.all).filter(\.isPrivate) }
    var valued: [_Node] { nodes.flatMap(\.all).filter { $0.value != nil } }

    /// Evaluates until nothing appears, disappears or changes any more.
    private var nodes: [_Node] {
        for _ in 0..<20 {
            let nodes = evaluate(in: phase)
            guard core.act() else { return nodes }
        }
        preconditionFailure("the view never comes to rest")
    }

    private func evaluate(in phase: ScenePhase) -> [_Node] {
        core.begin()
        var environment = EnvironmentValues()
        environment.scenePhase = phase
        environment.locale = locale
        environment.pressed = core.pressed
        let node = render(root, _Context(environment: environment, path: "", core: core))
        return [node] + core.sheets
    }
}

/// What a window remembers from one evaluation to the next.
@MainActor final class _WindowCore {
    var sheets: [_Node] = []
    var pressed: String?
    /// While this holds nothing is remembered.
    var isFrozen = false

    private var states: [String: AnyObject] = [:]
    private var values: [String: Any] = [:]
    private var onScreen: [String: () -> Void] = [:]
    private var seen: Set<String> = []
    private var actions: [() -> Void] = []
    private var departures: [String: () -> Void] = [:]

    func begin() {
        sheets = []
        seen = []
        actions = []
        departures = [:]
    }

    /// The state that was kept at a place, or the one that is new there.
    func keep(_ box: AnyObject, at path: String) -> AnyObject {
        seen.insert(path)
        if let kept = states[path] { return kept }
        if !isFrozen { states[path] = box }
        return box
    }

    func see(_ path: String, appear: @escaping () -> Void, disappear: @escaping () -> Void) {
        if onScreen[path] == nil { actions.append(appear) }
        departures[path] = disappear
    }

    func watch<V: Equatable>(_ path: String, _ value: V, _ action: @escaping (V) -> Void) {
        seen.insert(path)
        if let former = values[path] as? V, former != value { actions.append { action(value) } }
        if !isFrozen { values[path] = value }
    }

    /// Does what the last evaluation gave cause for; false when that was nothing.
    func act() -> Bool {
        let gone = onScreen.filter { departures[$0.key] == nil }
        onScreen = departures
        values = values.filter { seen.contains($0.key) }
        let pending = gone.map(\.value) + actions
        for action in pending { action() }
        // A view that has gone may still clear its state while it goes.
        states = states.filter { seen.contains($0.key) }
        return !pending.isEmpty
    }

    func end() {
        for leave in onScreen.values { leave() }
        onScreen = [:]
        states = [:]
        values = [:]
    }
}
