// expect: requires that 'HostConfiguration' conform to 'AnyArgument'
// for: arm64-apple-ios15.0
public import ExpoModulesCore
import ThumbturnHost

public final class Wrong: Module {
    public func definition() -> ModuleDefinition {
        View(ExpoView.self) {
            Prop("configuration") { (_: ExpoView, _: HostConfiguration) in }
        }
    }
}
