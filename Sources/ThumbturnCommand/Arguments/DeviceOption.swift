import Thumbturn

/// What `--device` may name.
enum DeviceOption: String, Hashable, Sendable, CaseIterable {
    /// A TPM where one can be used, else files.
    case linux
    /// Files, whatever else there is.
    case files
    case simulated

    /// What a vault on it says that it was made on.
    var kind: DeviceKind { self == .simulated ? .simulated : .linux }
}
