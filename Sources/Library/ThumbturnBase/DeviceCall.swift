/// What a device was asked for: the same refusal means different things for different calls.
package enum DeviceCall: Hashable, Sendable {
    /// A call that involves no person, such as an anchor; its name is for the log.
    case errand(String)
    /// Creating a device secret.
    case makeDeviceSecret
    /// Using a device secret for a PIN.
    case useDeviceSecret
    /// Storing the intermediate secret of a finger or face.
    case storeBiometricSecret
    /// Storing the intermediate secret of system mode.
    case storeSystemSecret
    /// Erasing a former app's data.
    case eraseLegacy
    /// Reading the key of credentials.
    case readCredentials
    /// Storing the key of credentials, and reading it back.
    case storeCredentials
}
