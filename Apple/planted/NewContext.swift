// expect: 'domainState' is only available in (iOS 18\.0|macOS 15\.0) or newer
import LocalAuthentication

func state(of context: LAContext) -> Any { context.domainState }
