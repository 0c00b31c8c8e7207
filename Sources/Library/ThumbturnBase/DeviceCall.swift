/// What a device was asked for: one refusal means another thing at each.
package enum DeviceCall: Hashable, Sendable {
    /// What needs nobody, such as an anchor; its name is for the log.
    case errand(String)
    /// To make a device secret.
    case makeDeviceSecret
    /// To use a device secret for a PIN.
    case useDeviceSecret
    /// To store the intermediate secret of a finger or face.
    case storeBiometricSecret
    /// To store the intermediate secret of system mode.
    case storeSystemSecret
    /// To erase what a former app left.
    case eraseLegacy
    /// To read the key of credentials.
    case readCredentials
    /// To store the key of credentials, and read it back.
    case storeCredentials
}
