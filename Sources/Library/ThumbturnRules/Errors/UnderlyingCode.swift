/// The number with which a system below refused a call, and whose number it is.
///
/// It can hold nothing else: no text, no name and no secret fit into a `BitwiseCopyable` value of two numbers. It is for a
/// log or a report; decide by the error's `code`, because a system may give one number many meanings.
public struct UnderlyingCode: Hashable, Sendable, BitwiseCopyable {
    /// Whose number it is.
    @nonexhaustive
    public enum Domain: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
        /// Apple's Security framework: an `OSStatus`, such as -25300.
        case osStatus
        /// Apple's LocalAuthentication: an `LAError.Code`, such as -4.
        case localAuthentication
        /// A system call: `errno`, such as 28.
        case errno
        /// SQLite: an extended result code, such as 3850.
        case sqlite
        /// A TPM 2.0 and its software stack: a response code, such as 0x921.
        case tpm

        /// The name in JSON and logs, such as `osStatus`.
        public var name: String {
            switch self {
            case .osStatus: "osStatus"
            case .localAuthentication: "localAuthentication"
            case .errno: "errno"
            case .sqlite: "sqlite"
            case .tpm: "tpm"
            }
        }
    }

    /// Whose number it is.
    public let domain: Domain
    /// The number, as the system below returned it.
    public let number: Int64

    /// Creates a code.
    public init(_ domain: Domain, _ number: some BinaryInteger) {
        self.domain = domain
        self.number = Int64(clamping: number)
    }
}
