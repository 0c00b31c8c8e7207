/// The group of a login, identified only by its name: RFC 5054 appendix A, which took the larger two from RFC 3526.
///
/// Each modulus N is a safe prime, and each generator g generates all numbers below N. A group sent by a peer is never
/// used: an attacker could construct one in which passwords are easily found.
package enum SRPGroup: String, CaseIterable, Sendable {
    case bits2048 = "rfc5054-2048"
    case bits3072 = "rfc5054-3072"
    case bits4096 = "rfc5054-4096"

    /// The default group of an account: about as strong as the 128-bit level of AES and SHA-256 here.
    package static let standard = SRPGroup.bits3072

    /// The length in bytes of N, of public values and of verifiers.
    package var byteCount: Int {
        switch self {
        case .bits2048: 256
        case .bits3072: 384
        case .bits4096: 512
        }
    }

    /// The mathematics in this group, prepared once.
    var mathematics: SRP6a<SHA256State> {
        switch self {
        case .bits2048: Self.mathematics2048
        case .bits3072: Self.mathematics3072
        case .bits4096: Self.mathematics4096
        }
    }

    private static let mathematics2048 = SRP6a<SHA256State>(N: bytes(prime2048), g: 2)
    private static let mathematics3072 = SRP6a<SHA256State>(N: bytes(primePrefix + prime3072), g: 5)
    private static let mathematics4096 = SRP6a<SHA256State>(N: bytes(primePrefix + prime4096), g: 5)

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        guard let bytes = TextCode.hexadecimal.decode(Array(hexadecimal.utf8)) else {
            preconditionFailure("a prime is misspelt")
        }
        return bytes
    }

    private static let prime2048 = """
        ac6bdb41324a9a9bf166de5e1389582faf72b6651987ee07fc3192943db56050a37329cbb4a099ed8193e0757767a13d\
        d52312ab4b03310dcd7f48a9da04fd50e8083969edb767b0cf6095179a163ab3661a05fbd5faaae82918a9962f0b93b8\
        55f97993ec975eeaa80d740adbf4ff747359d041d5c33ea71d281e446b14773bca97b43a23fb801676bd207a436c6481\
        f1d2b9078717461a5b9d32e688f87748544523b524b0d57d5ea77a2775d2ecfa032cfbdbf52fb3786160279004e57ae6\
        af874e7303ce53299ccc041c7bc308d82a5698f3a8d0c38271ae35f8e9dbfbb694b5c803d89f7ae435de236d525f5475\
        9b65e372fcd68ef20fa7111f9e4aff73
        """

    // The larger two start with the same binary digits of pi.
    private static let primePrefix = """
        ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd\
        ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed\
        ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f\
        83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b\
        e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa0510\
        15728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7\
        abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c
        """

    private static let prime3072 = """
        bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
        """

    private static let prime4096 = """
        bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a92108011a723c12a787e6d7\
        88719a10bdba5b2699c327186af4e23c1a946834b6150bda2583e9ca2ad44ce8dbbbc2db04de8ef92e8efc141fbecaa6\
        287c59474e6bc05d99b2964fa090c3a2233ba186515be7ed1f612970cee2d7afb81bdd762170481cd0069127d5b05aa9\
        93b4ea988d8fddc186ffb7dc90a6c08f4df435c934063199ffffffffffffffff
        """
}
