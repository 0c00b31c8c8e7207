// expect: sending 'self' risks causing data races
// for: arm64-apple-ios15.0
public import ExpoModulesCore

public final class Wrong: Module {
    private var tickets: Set<Double> = []

    public func definition() -> ModuleDefinition {
        Function("cancel") { (ticket: Double) -> Void in Task { @MainActor in self.tickets.remove(ticket) } }
    }
}
