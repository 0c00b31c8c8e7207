#if canImport(COpenSSL)
import COpenSSL
import ThumbturnTestKit

@testable import ThumbturnCrypto

/// An account, as both sides know it.
struct SRPAccount {
    var group = SRPGroup.bits2048
    var name = Array("alice@example.org".utf8)
    var password = Array("3f5c0de1".utf8)
    var salt: [UInt8] = Array(1...16)
    var encoding = SRPEncoding.minimal

    func verifier() throws(SRPError) -> SecretBytes {
        try SRPVerifier.make(group: group, account: name, password: SecretBytes(password), salt: salt)
    }

    func server() throws(SRPError) -> SRPServerHandshake {
        try SRPServerHandshake(group: group, verifier: verifier(), encoding: encoding)
    }

    func client() throws(SRPError) -> SRPClientHandshake {
        try SRPClientHandshake(group: group, account: name, password: SecretBytes(password), encoding: encoding)
    }

    /// Logs in with what `client` believes, and gives both keys.
    func login(as client: SRPAccount) throws(SRPError) -> (server: [UInt8], client: [UInt8]) {
        let handshake = try client.client()
        let server = try server()
        let clientValue = handshake.publicValue
        let proof = try handshake.answer(salt: client.salt, serverValue: server.publicValue)
        let session = try server.finish(account: name, salt: salt, clientValue: clientValue, proof: proof.proof)
        let serverKey = session.key.exposed
        return (serverKey, try proof.confirm(session.proof).key.exposed)
    }
}

/// Gives the error `body` throws, or `nil`.
func srpError<R: ~Copyable>(_ body: () throws(SRPError) -> R) -> SRPError? {
    do throws(SRPError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

/// The hash of RFC 5054's vectors.
@safe struct SHA1State: ~Copyable, SRPHash {
    static let byteCount = 20
    private let context: OpaquePointer?

    init() {
        unsafe context = EVP_MD_CTX_new()
        unsafe EVP_DigestInit_ex2(context, EVP_sha1(), nil)
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    mutating func finalize(into digest: UnsafeMutableRawBufferPointer) {
        unsafe EVP_DigestFinal_ex(context, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil)
    }
}

/// One value that a peer must refuse.
struct RefusedValue: Decodable {
    let id, group: String
    let value: HexBytes

    /// All of them, each with its group.
    static func all() throws -> [(group: SRPGroup, id: String, bytes: [UInt8])] {
        try VectorFile<RefusedValue>.load("crypto/srp-refused.json").tests.compactMap { value in
            SRPGroup(rawValue: value.group).map { ($0, value.id, value.value.bytes) }
        }
    }
}
#endif
