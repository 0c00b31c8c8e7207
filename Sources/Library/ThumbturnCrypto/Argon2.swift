#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The cost of one Argon2id run (RFC 9106, version 19), always with one lane.
package struct Argon2Parameters: Hashable, Sendable {
    /// The memory one run fills, in KiB.
    package let memoryKiB: UInt32
    /// The number of passes over that memory.
    package let passes: UInt32

    /// Creates a cost; only `Argon2Limits.validate(_:)` says whether it is acceptable.
    package init(memoryKiB: UInt32, passes: UInt32) {
        self.memoryKiB = memoryKiB
        self.passes = passes
    }
}

/// The range of costs that we run, regardless of what a file requests.
public struct Argon2Limits: Equatable, Sendable {
    /// The cost of new envelopes.
    package let `default`: Argon2Parameters
    /// Below either value an attacker guesses too fast, and may have lowered the cost in our file.
    package let floor: Argon2Parameters
    /// Above either value an unlock may never end; an attacker may have raised it.
    package let ceiling: Argon2Parameters

    /// 64 MiB and 3 passes by default (memory and passes as in the second choice of RFC 9106 §4, in one lane), at least 19 MiB
    /// and 2, at most 256 MiB and 10.
    public static let standard = Argon2Limits(
        default: Argon2Parameters(memoryKiB: 65_536, passes: 3),
        floor: Argon2Parameters(memoryKiB: 19_456, passes: 2),
        ceiling: Argon2Parameters(memoryKiB: 262_144, passes: 10)
    )

    /// Chooses a cost for an app part with little memory, such as an extension; never below the floor of `standard`.
    ///
    /// An app and its extensions must choose the same cost: an app with a higher one seals the PIN's slot again at its own
    /// at the next unlock. The app itself keeps the ceiling, so that it can open a vault of a higher cost.
    ///
    /// - Parameters:
    ///   - memoryMiB: the memory of one run for a new slot, in MiB; at least 19, at most 256.
    ///   - passes: at least 2, at most 10.
    ///   - ceilingMiB: the memory of one run for a stored slot, in MiB; one that needs more is refused before memory is
    ///     taken. Not below `memoryMiB`, and at most 256.
    public init(memoryMiB: Int, passes: Int = 3, ceilingMiB: Int = 256) {
        let (least, most) = (Self.standard.floor, Self.standard.ceiling)
        func memory(_ mebibytes: Int) -> UInt32 {
            min(max(UInt32(clamping: mebibytes), least.memoryKiB / 1_024), most.memoryKiB / 1_024) * 1_024
        }
        let cost = Argon2Parameters(
            memoryKiB: memory(memoryMiB),
            passes: min(max(UInt32(clamping: passes), least.passes), most.passes)
        )
        let ceiling = Argon2Parameters(memoryKiB: max(memory(ceilingMiB), cost.memoryKiB), passes: most.passes)
        self.init(default: cost, floor: least, ceiling: ceiling)
    }

    private init(default: Argon2Parameters, floor: Argon2Parameters, ceiling: Argon2Parameters) {
        self.default = `default`
        self.floor = floor
        self.ceiling = ceiling
    }

    /// The same range with new envelopes at its floor, for the thousands of runs in tests of a debug build's command.
    package static let cheapest = Argon2Limits(
        default: standard.floor,
        floor: standard.floor,
        ceiling: standard.ceiling
    )

    /// The cost of a new account password: the default, and never less than a service accepts.
    package var forAccounts: Argon2Parameters {
        let least = Self.standard.floor
        return Argon2Parameters(
            memoryKiB: max(self.default.memoryKiB, least.memoryKiB),
            passes: max(self.default.passes, least.passes)
        )
    }

    /// 8 KiB and one pass: protects nothing, but lets a test make hundreds of envelopes.
    @_spi(InsecureTestParameters) public static let insecureTest = Argon2Limits(
        default: Argon2Parameters(memoryKiB: 8, passes: 1),
        floor: Argon2Parameters(memoryKiB: 8, passes: 1),
        ceiling: standard.ceiling
    )

    /// The same with a slightly higher cost for new envelopes, so that envelopes made with `insecureTest` must be
    /// sealed again.
    @_spi(InsecureTestParameters) public static let insecureTestStronger = Argon2Limits(
        default: Argon2Parameters(memoryKiB: 8, passes: 2),
        floor: insecureTest.floor,
        ceiling: standard.ceiling
    )

    /// Throws for a cost outside the limits, before anything is allocated.
    ///
    /// - Throws: `CryptoError.parametersOutOfRange`.
    package func validate(_ parameters: Argon2Parameters) throws(CryptoError) {
        guard !areExceeded(by: parameters), parameters.memoryKiB >= floor.memoryKiB, parameters.passes >= floor.passes
        else { throw .parametersOutOfRange }
    }

    /// Whether a cost is above the ceiling; a separate question, so that the owner can be told why.
    package func areExceeded(by parameters: Argon2Parameters) -> Bool {
        parameters.memoryKiB > ceiling.memoryKiB || parameters.passes > ceiling.passes
    }
}

/// Argon2id itself, which only `StretchedSecret` calls.
enum Argon2id {
    static let saltByteCount = Int(crypto_pwhash_SALTBYTES)

    /// Derives `byteCount` bytes from `secret`; the caller has checked the parameters.
    static func derive(
        from secret: borrowing SecretBytes,
        salt: [UInt8],
        parameters: Argon2Parameters,
        byteCount: Int = 32
    ) throws(CryptoError) -> SecretBytes {
        guard salt.count == saltByteCount else { throw .parametersOutOfRange }
        #if DEBUG
        let parameters = WeakArgon2.isInUse ? Argon2Limits.insecureTest.default : parameters
        #endif
        guard let derived = SecretBytes(uninitializedByteCount: byteCount) else { throw .outOfMemory }
        let output = unsafe derived.start.assumingMemoryBound(to: UInt8.self)
        let input = unsafe secret.start.assumingMemoryBound(to: CChar.self)
        let status = withCleanStack(.deep) {
            unsafe crypto_pwhash(
                output,
                UInt64(byteCount),
                input,
                UInt64(secret.byteCount),
                salt,
                UInt64(parameters.passes),
                Int(parameters.memoryKiB) * 1024,
                crypto_pwhash_ALG_ARGON2ID13
            )
        }
        guard status == 0 else { throw errno == ENOMEM ? .outOfMemory : .backendFailed }
        return derived
    }
}

#if DEBUG
/// For tests that derive thousands of keys and are about something else: a debug build then derives with 8 KiB and one
/// pass, regardless of the requested and validated cost.
package enum WeakArgon2 {
    @TaskLocal package static var isInUse = false
}
#endif
