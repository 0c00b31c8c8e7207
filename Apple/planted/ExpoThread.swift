// expect: main actor-isolated property 'value' can not be referenced from a nonisolated context
// for: arm64-apple-ios15.0
public import ExpoModulesCore

public final class Wrong: Module, @unchecked Sendable {
    @MainActor private var value: String?

    public func definition() -> ModuleDefinition {
        Function("fields") { () -> String? in self.value }
    }
}
