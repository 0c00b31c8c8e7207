/// Argon2id with several lanes, for secrets that wallets sealed before they used a vault.
///
/// libsodium, which stretches the vault's own secrets, has only one lane. On Linux `libargon2` is used; on Apple's
/// systems the embedding app passes in the function with which it sealed.
public struct LegacyArgon2id: Sendable {
    /// The cost of one run (RFC 9106, version 19).
    public struct Cost: Hashable, Sendable {
        /// The memory one run fills, in KiB.
        public let memoryKiB: UInt32
        /// The number of passes over that memory.
        public let passes: UInt32
        /// The number of lanes.
        public let lanes: UInt32

        /// Creates a cost.
        package init(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
            self.memoryKiB = memoryKiB
            self.passes = passes
            self.lanes = lanes
        }
    }

    private typealias Function =
        @Sendable (_ password: borrowing SecretBytes, _ salt: [UInt8], _ cost: Cost) throws(CryptoError) -> SecretBytes

    /// The system's implementation; nil on Apple's systems.
    public static var builtIn: LegacyArgon2id? {
        #if canImport(CArgon2)
        LegacyArgon2id(libargon2)
        #else
        nil
        #endif
    }

    static let keyByteCount = 32
    static let mostLanes: UInt32 = 16
    private static let saltByteCounts = 8...64

    private let function: Function

    /// Uses a function of the embedding app.
    ///
    /// - Parameter function: derives 32 bytes from a password and a salt; must neither keep nor copy the password.
    public init(
        _ function:
            @escaping @Sendable (
                _ password: borrowing SecretBytes,
                _ salt: [UInt8],
                _ cost: Cost
            ) throws(CryptoError) -> SecretBytes
    ) {
        self.function = function
    }

    /// Derives 32 bytes.
    ///
    /// - Throws: `CryptoError.parametersOutOfRange`, before anything is allocated, for a cost above the vault's own
    ///   ceiling or below Argon2id's minimum, more than 16 lanes, or a salt that is not 8 to 64 bytes; any error of the
    ///   function; `.backendFailed` when it returns another number of bytes.
    package func derive(
        from password: borrowing SecretBytes,
        salt: [UInt8],
        cost: Cost
    ) throws(CryptoError) -> SecretBytes {
        let ceiling = Argon2Limits.standard.ceiling
        guard (1...Self.mostLanes).contains(cost.lanes), (1...ceiling.passes).contains(cost.passes),
            (8 * cost.lanes...ceiling.memoryKiB).contains(cost.memoryKiB), Self.saltByteCounts.contains(salt.count)
        else { throw .parametersOutOfRange }
        let key = try withCleanStack(.deep) { () throws(CryptoError) in try function(password, salt, cost) }
        guard key.byteCount == Self.keyByteCount else { throw .backendFailed }
        return key
    }
}
