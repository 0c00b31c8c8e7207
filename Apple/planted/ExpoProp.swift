// expect: call to main actor-isolated instance method 'show' in a synchronous nonisolated context
// for: arm64-apple-ios15.0
public import ExpoModulesCore

public final class Field: ExpoView {
    func show(_ kind: String) {}
}

public final class Wrong: Module {
    public func definition() -> ModuleDefinition {
        View(Field.self) {
            Prop("kind") { (view: Field, kind: String) in view.show(kind) }
        }
    }
}
