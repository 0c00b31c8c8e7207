import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct LegacyKeyTests {
    private struct CipherVector: Decodable {
        let id: String
        let key, initializationVector, ciphertext, plaintext: HexBytes
    }

    private struct DigestVector: Decodable {
        let message: String
        let digest: HexBytes
    }

    private static let salt = [UInt8](repeating: 9, count: 8)

    // MARK: The primitives

    @Test func `the specification's AES-256-CBC case opens`() throws {
        for vector in try VectorFile<CipherVector>.load("crypto/aes256cbc.json").tests {
            #expect(
                Self.decrypt(vector.ciphertext.bytes, vector.key.bytes, vector.initializationVector.bytes)
                    == vector.plaintext.bytes
            )
        }
    }

    @Test func `the RFC's MD5 cases hold, in one part and in three`() throws {
        for vector in try VectorFile<DigestVector>.load("crypto/md5-rfc1321.json").tests {
            let message = Array(vector.message.utf8)
            #expect(Self.md5([message]) == vector.digest.bytes)
            let third = message.count / 3
            #expect(
                Self.md5([Array(message.prefix(third)), [], Array(message.dropFirst(third))]) == vector.digest.bytes
            )
        }
    }

    @Test func `the derivation by digest chains three of them`() throws {
        let password = Array("280714".utf8)
        let first = Self.md5([password, Self.salt])
        let second = Self.md5([first, password, Self.salt])
        let third = Self.md5([second, password, Self.salt])
        let key = try LegacyKey(digesting: SecretBytes(password), salt: Self.salt)
        #expect(key.bytes.exposed == first + second + third)
    }

    @Test(arguments: [0, 7, 9, 16])
    func `a salt of another length is refused by the derivation by digest`(count: Int) {
        let error = cryptoError { () throws(CryptoError) in
            try LegacyKey(digesting: SecretBytes([1]), salt: [UInt8](repeating: 0, count: count))
        }
        #expect(error == .parametersOutOfRange)
    }

    @Test(arguments: [0, 15, 17, 32])
    func `an initialisation vector of another length is refused before anything runs`(count: Int) {
        let never = LegacyArgon2id { (_, _, _) throws(CryptoError) in
            Issue.record("ran")
            throw .backendFailed
        }
        let error = cryptoError { () throws(CryptoError) in
            try LegacyKey(
                stretching: SecretBytes([1]),
                salt: Self.salt,
                cost: LegacyArgon2id.Cost(memoryKiB: 64, passes: 1, lanes: 2),
                by: never,
                initializationVector: [UInt8](repeating: 0, count: count)
            )
        }
        #expect(error == .parametersOutOfRange)
    }

    // MARK: Opening

    @Test(arguments: [0, 1, 15, 17, 31, (1 << 20) + 16])
    func `what is not of whole blocks, or too long, is malformed`(count: Int) throws {
        let key = try LegacyKey(digesting: SecretBytes([1]), salt: Self.salt)
        let error = cryptoError { () throws(CryptoError) in try key.open([UInt8](repeating: 0, count: count)) }
        #expect(error == .malformed)
    }

    @Test func `a padding fits with 1 to 16 equal bytes that say their number, and else never`() throws {
        for count in 0...255 {
            var block = [UInt8](repeating: 0x41, count: 16)
            for position in max(0, 16 - count)..<16 { block[position] = UInt8(count) }
            block[15] = UInt8(count)
            let fits = (1...16).contains(count)
            #expect(Self.opened(to: block) == (fits ? Array(block.dropLast(count)) : nil), "\(count)")
            guard fits, count > 1 else { continue }
            for wrong in (16 - count)..<15 {
                var block = block
                block[wrong] ^= 0x20
                #expect(Self.opened(to: block) == nil, "\(count), byte \(wrong)")
            }
        }
    }

    @Test func `the padding is looked for in the last block only`() throws {
        let key = try Self.key(vector: [UInt8](repeating: 0, count: 16))
        // With equal blocks of ciphertext only the first plaintext depends on the initialisation vector.
        let plaintext = Self.decrypt([UInt8](repeating: 7, count: 32), Self.keyBytes, [UInt8](repeating: 0, count: 16))
        var changed = [UInt8](repeating: 7, count: 32)
        changed[15] ^= plaintext[31] ^ 1
        // The last byte of the second block is now 1; the first block is garbage, and stays.
        let opened = try key.open(changed).exposed
        #expect(opened.count == 31)
        #expect(opened == Array(Self.decrypt(changed, Self.keyBytes, [UInt8](repeating: 0, count: 16)).dropLast()))
    }

    // MARK: Helpers

    private static let keyBytes = (0..<32).map { UInt8($0) }

    private static func key(vector: [UInt8]) throws -> LegacyKey {
        let given = LegacyArgon2id { (_, _, _) throws(CryptoError) in SecretBytes(keyBytes) }
        return try LegacyKey(
            stretching: SecretBytes([1]),
            salt: salt,
            cost: LegacyArgon2id.Cost(memoryKiB: 64, passes: 1, lanes: 2),
            by: given,
            initializationVector: vector
        )
    }

    /// Opens a block whose decryption is `block`, by the choice of the initialisation vector; nil when it is refused.
    private static func opened(to block: [UInt8]) -> [UInt8]? {
        let ciphertext = [UInt8](repeating: 3, count: 16)
        let plain = decrypt(ciphertext, keyBytes, [UInt8](repeating: 0, count: 16))
        var result: [UInt8]?
        let error = cryptoError { () throws(CryptoError) in
            guard let key = try? key(vector: zip(plain, block).map { $0 ^ $1 }) else { throw .backendFailed }
            result = try key.open(ciphertext).exposed
        }
        #expect(error == (result == nil ? .authenticationFailed : nil))
        return result
    }

    private static func decrypt(_ ciphertext: [UInt8], _ key: [UInt8], _ vector: [UInt8]) -> [UInt8] {
        let output = unsafe SecretBytes(byteCount: ciphertext.count) { output in
            unsafe ciphertext.withUnsafeBufferPointer { ciphertext in
                unsafe key.withUnsafeBytes { key in
                    unsafe vector.withUnsafeBytes { vector in
                        let opened = unsafe CBCBackend.open(
                            ciphertext,
                            key: key,
                            initializationVector: vector,
                            into: output
                        )
                        #expect(opened)
                    }
                }
            }
        }
        return output.exposed
    }

    private static func md5(_ parts: [[UInt8]]) -> [UInt8] {
        let secrets = parts.flatMap { $0 }
        guard let md5 = MD5State() else { return [] }
        let digest = unsafe SecretBytes(byteCount: 16) { output in
            unsafe secrets.withUnsafeBytes { all in
                var start = 0
                var buffers: [UnsafeRawBufferPointer] = unsafe []
                for part in parts {
                    unsafe buffers.append(UnsafeRawBufferPointer(rebasing: all[start..<start + part.count]))
                    start += part.count
                }
                let computed = unsafe md5.digest(buffers, into: output)
                #expect(computed)
            }
        }
        return digest.exposed
    }
}
