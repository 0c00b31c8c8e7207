// expect: 'LAEnvironment' is only available in (iOS 18\.0|macOS 15\.0) or newer
import LocalAuthentication

func observe(_ environment: LAEnvironment) {}
