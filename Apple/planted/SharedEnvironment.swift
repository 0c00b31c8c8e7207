// expect: sending 'environment' risks causing data races
import LocalAuthentication

@available(iOS 18, macOS 15, *)
actor Watcher {
    func watch(_ environment: sending LAEnvironment) {}
}

@available(iOS 18, macOS 15, *)
func watch(_ environment: LAEnvironment, by watcher: Watcher) async {
    await watcher.watch(environment)
}
