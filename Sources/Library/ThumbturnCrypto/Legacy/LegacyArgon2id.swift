/// Argon2id with several lanes, for what wallets sealed before there was a vault.
///
/// libsodium, which stretches the vault's own secrets, has one lane only. On Linux `libargon2` fills the gap; on Apple's
/// systems the embedding app hands in the function with which it sealed.
public struct LegacyArgon2id: Sendable {
    /// The cost of one run (RFC 9106, version 19).
    public struct Cost: Hashable, Sendable {
        /// The memory one run fills, in KiB.
        public let memoryKiB: UInt32
        /// How often it passes over that memory.
        public let passes: UInt32
        /// How many lanes the memory has.
        public let lanes: UInt32

        /// Names a cost.
        package init(memoryKiB: UInt32, passes: UInt32, lanes: UInt32) {
            self.memoryKiB = memoryKiB
            self.passes = passes
            self.lanes = lanes
        }
    }

    private typealias Function =
        @Sendable (
            _ password: borrowing SecretBytes,
            _ salt: [UInt8],
            _ cost: Cost
        ) throws(CryptoError) -> SecretBytes

    /// The one that comes with the system; nil on Apple's.
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

    /// Takes the function of the embedding app.
    ///
    /// - Parameter function: derives 32 bytes from a password and a salt; it neither keeps nor copies the password.
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
    /// - Throws: `CryptoError.parametersOutOfRange`, before anything is allocated, for a cost above the vault's own ceiling
    ///   or below what Argon2id can do, more than 16 lanes, or a salt that is not 8 to 64 bytes; else what the function
    ///   throws, and `.backendFailed` when it gives another number of bytes.
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
