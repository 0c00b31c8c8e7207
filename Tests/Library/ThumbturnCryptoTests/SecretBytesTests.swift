import Testing

@testable import ThumbturnCrypto

@Suite struct SecretBytesTests {
    private struct Refusal: Error {}

    @Test(arguments: [0, 1, 15, 32, 4095, 4096, 4097, 1 << 20])
    func `what goes in comes out, at any length`(count: Int) {
        let bytes = RandomBytes.make(count)
        let secret = SecretBytes(bytes)
        #expect(secret.byteCount == count)
        #expect(secret.exposed == bytes)
        #expect(secret.copy().exposed == bytes)
        let copied = secret.withBytes { SecretBytes(copying: $0) }
        #expect(copied.exposed == bytes)
    }

    @Test func `memory starts as zeros`() {
        let secret = unsafe SecretBytes(byteCount: 64) { _ in }
        #expect(secret.exposed == [UInt8](repeating: 0, count: 64))
    }

    @Test func `an initialisation that throws frees its memory`() {
        // The kernel's limit on mappings would stop us near 16,000 if each attempt leaked one.
        for _ in 0..<20_000 {
            #expect(throws: Refusal.self) {
                _ = try unsafe SecretBytes(byteCount: 1) { (_) throws(Refusal) in throw Refusal() }
            }
        }
    }

    @Test func `secrets join and shorten`() {
        let joined = SecretBytes.concatenating(SecretBytes([1, 2]), SecretBytes([3]))
        #expect(joined.exposed == [1, 2, 3])
        #expect(SecretBytes.concatenating(SecretBytes([]), SecretBytes([])).byteCount == 0)
        #expect(joined.prefix(2).exposed == [1, 2])
        #expect(SecretBytes([1]).prefix(9).exposed == [1])
        #expect(SecretBytes([1]).prefix(-1).byteCount == 0)
    }

    @Test func `comparison sees every bit and the length`() {
        let bytes = RandomBytes.make(32)
        let secret = SecretBytes(bytes)
        #expect(SecretBytes.constantTimeEqual(secret, SecretBytes(bytes)) == true)
        for bit in 0..<256 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(SecretBytes.constantTimeEqual(secret, SecretBytes(flipped)) == false)
        }
        #expect(SecretBytes.constantTimeEqual(secret, SecretBytes(bytes + [0])) == false)
        #expect(SecretBytes.constantTimeEqual(secret, SecretBytes([])) == false)
        #expect(SecretBytes.constantTimeEqual(SecretBytes([]), SecretBytes([])) == true)
    }

    @Test(.holds("A52")) func `a description, dump or mirror of an owner shows nothing of the bytes`() {
        final class Owner {
            let secret = SecretBytes(Array("sentinel-72c1".utf8))
        }
        let owner = Owner()
        var shown = String(describing: owner) + String(reflecting: owner) + "\(owner)"
        dump(owner, to: &shown)
        for child in Mirror(reflecting: owner).children {
            shown += "\(child.label ?? "") \(child.value)"
            dump(child.value, to: &shown)
        }
        // As text, in hexadecimal, and as the list of numbers that an array would print.
        for sentinel in ["sentinel-72c1", "73656e74", "115, 101, 110"] {
            #expect(!shown.contains(sentinel))
        }
        #expect(shown.contains("Owner"))
    }

    @Test func `random secrets differ`() {
        #expect(SecretBytes.random(byteCount: 32).exposed != SecretBytes.random(byteCount: 32).exposed)
        #expect(RandomBytes.make(16) != RandomBytes.make(16))
        #expect(RandomBytes.make(0).isEmpty)
    }
}
