import Testing
import ThumbturnTestKit

@testable import ThumbturnCrypto

@Suite struct AES256GCMTests {
    private struct Vector: Decodable {
        let id: String
        let key, nonce, associatedData, plaintext, ciphertext, tag: HexBytes
    }

    private struct Group: WycheproofGroup {
        struct Case: Decodable {
            let tcId: Int
            let key, iv, aad, msg, ct, tag: HexBytes
            let result: String
        }
        let ivSize, keySize, tagSize: Int
        let tests: [Case]
    }

    @Test func `the GCM specification's AES-256 cases seal and open`() throws {
        for vector in try VectorFile<Vector>.load("crypto/aes256gcm.json").tests {
            let key = SecretBytes(vector.key.bytes)
            let box = try AES256GCM.seal(
                vector.plaintext.bytes,
                key: key,
                associatedData: vector.associatedData.bytes,
                nonce: vector.nonce.bytes
            )
            #expect(box == vector.nonce.bytes + vector.ciphertext.bytes + vector.tag.bytes, "\(vector.id)")
            let opened = try AES256GCM.open(box, key: key, associatedData: vector.associatedData.bytes)
            #expect(opened.exposed == vector.plaintext.bytes, "\(vector.id)")
            let text = try Self.openText(box, key: key, associatedData: vector.associatedData.bytes)
            #expect(text == vector.plaintext.bytes, "\(vector.id)")
        }
    }

    private static func openText(
        _ box: [UInt8],
        key: borrowing SecretBytes,
        associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        let box = ContiguousArray(box)
        return try unsafe AES256GCM.TextOpening(key: key).open(box.span.bytes, associatedData: associatedData)
    }

    /// One key is expanded once for many boxes: a box that does not open leaves nothing behind for the next.
    @Test func `texts that were sealed under one key open one after the other, and each changed bit is refused`() throws
    {
        let key = SecretBytes.random(byteCount: 32)
        let texts = ["", "Savings", String(repeating: "n", count: 200)].map { Array($0.utf8) }
        let boxes = try texts.map { try AES256GCM.seal($0, key: key, associatedData: $0) }
        let opening = try AES256GCM.TextOpening(key: key)
        for (text, box) in zip(texts, boxes) {
            for bit in 0..<(box.count * 8) {
                var changed = ContiguousArray(box)
                changed[bit / 8] ^= 1 << (bit % 8)
                let error = cryptoError { () throws(CryptoError) in
                    try unsafe opening.open(changed.span.bytes, associatedData: text)
                }
                #expect(error == .authenticationFailed)
            }
            let whole = ContiguousArray(box)
            #expect(try unsafe opening.open(whole.span.bytes, associatedData: text) == text)
            let other = cryptoError { () throws(CryptoError) in
                try unsafe opening.open(whole.span.bytes, associatedData: text + [0])
            }
            #expect(other == .authenticationFailed)
            let short = cryptoError { () throws(CryptoError) in
                try unsafe opening.open(ContiguousArray(box.prefix(27)).span.bytes, associatedData: text)
            }
            #expect(short == .malformed)
        }
    }

    @Test(.enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"))
    func `Wycheproof agrees on all 66 cases with our sizes`() throws {
        let groups = try WycheproofFile<Group>.load("aes_gcm_test.json", count: 316).testGroups
            .filter { $0.keySize == 256 && $0.ivSize == 96 && $0.tagSize == 128 }
        #expect(groups.reduce(0) { $0 + $1.tests.count } == 66)
        for test in groups.flatMap(\.tests) {
            let key = SecretBytes(test.key.bytes)
            let box = test.iv.bytes + test.ct.bytes + test.tag.bytes
            if test.result == "valid" {
                let sealed = try AES256GCM.seal(
                    test.msg.bytes,
                    key: key,
                    associatedData: test.aad.bytes,
                    nonce: test.iv.bytes
                )
                #expect(sealed == box, "case \(test.tcId)")
                let opened = try AES256GCM.open(box, key: key, associatedData: test.aad.bytes)
                #expect(opened.exposed == test.msg.bytes, "case \(test.tcId)")
            } else {
                let error = cryptoError { () throws(CryptoError) in
                    try AES256GCM.open(box, key: key, associatedData: test.aad.bytes)
                }
                #expect(error == .authenticationFailed, "case \(test.tcId)")
            }
        }
    }

    @Test func `any flipped bit of box, key or associated data fails`() throws {
        let key = (0..<32).map { UInt8($0) }
        let data = Array("slot 1".utf8)
        let box = try AES256GCM.seal(Array("a secret".utf8), key: SecretBytes(key), associatedData: data)
        for input in 0..<3 {
            let original = [box, key, data][input]
            for bit in 0..<(original.count * 8) {
                var inputs = [box, key, data]
                inputs[input][bit / 8] ^= 1 << (bit % 8)
                let error = cryptoError { () throws(CryptoError) in
                    try AES256GCM.open(inputs[0], key: SecretBytes(inputs[1]), associatedData: inputs[2])
                }
                #expect(error == .authenticationFailed, "input \(input), bit \(bit)")
            }
        }
    }

    @Test(.holds("A60")) func `sealing the same plaintext twice gives two nonces and two ciphertexts`() throws {
        let key = SecretBytes.random(byteCount: 32)
        let plaintext = [UInt8](repeating: 7, count: 32)
        let first = try AES256GCM.seal(plaintext, key: key)
        let second = try AES256GCM.seal(plaintext, key: key)
        #expect(first.prefix(12) != second.prefix(12))
        #expect(first.dropFirst(12).prefix(32) != second.dropFirst(12).prefix(32))
    }

    @Test(arguments: [0, 1, 27])
    func `a box too short for nonce and tag is malformed`(count: Int) {
        let error = cryptoError { () throws(CryptoError) in
            try AES256GCM.open([UInt8](repeating: 0, count: count), key: .random(byteCount: 32), associatedData: [])
        }
        #expect(error == .malformed)
    }

    @Test(arguments: [0, 16, 31, 33])
    func `a key of another length is refused`(count: Int) {
        let key = SecretBytes.random(byteCount: count)
        #expect(cryptoError { () throws(CryptoError) in try AES256GCM.seal([1], key: key) } == .parametersOutOfRange)
        let box = [UInt8](repeating: 0, count: 29)
        let error = cryptoError { () throws(CryptoError) in try AES256GCM.open(box, key: key, associatedData: []) }
        #expect(error == .parametersOutOfRange)
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096, 1 << 20])
    func `what was sealed opens, at any length`(count: Int) throws {
        let key = SecretBytes.random(byteCount: 32)
        let plaintext = RandomBytes.make(count)
        let box = try AES256GCM.seal(plaintext, key: key, associatedData: [1, 2, 3])
        #expect(box.count == count + AES256GCM.overhead)
        #expect(try AES256GCM.open(box, key: key, associatedData: [1, 2, 3]).exposed == plaintext)
    }
}
