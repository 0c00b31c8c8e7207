/// SHA-256 (FIPS 180-4), for input that is not secret.
package enum SHA256 {
    /// The length of a digest in bytes.
    package static let byteCount = 32

    /// Computes the digest of the concatenated `parts`.
    ///
    /// There are no separators: the caller makes lengths unambiguous.
    package static func digest(_ parts: [UInt8]...) -> [UInt8] {
        var hasher = Hasher()
        for part in parts {
            hasher.update(part)
        }
        return hasher.finalize()
    }

    /// Computes the digest of `bytes`.
    package static func digest(_ bytes: RawSpan) -> [UInt8] {
        var hasher = Hasher()
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// A digest without a heap allocation: an index stores one for each of thousands of rows.
    package struct Digest: Equatable, Sendable {
        private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        fileprivate init(ending state: inout SHA256State) {
            unsafe withUnsafeMutableBytes(of: &words) { unsafe state.finalize(into: $0) }
        }

        /// Restores a digest from 32 stored bytes.
        package init(_ bytes: RawSpan) {
            precondition(bytes.byteCount == SHA256.byteCount)
            unsafe withUnsafeMutableBytes(of: &words) { words in
                unsafe bytes.withUnsafeBytes { unsafe words.copyMemory(from: $0) }
            }
        }

        /// Appends the 32 bytes, in memory order.
        package func append(to list: inout [UInt64]) {
            list.append(words.0)
            list.append(words.1)
            list.append(words.2)
            list.append(words.3)
        }

        package static func == (a: Digest, b: Digest) -> Bool { a.words == b.words }
    }

    /// A digest in progress, for input in several pieces.
    package struct Hasher: ~Copyable {
        private var state = SHA256State()

        /// Starts a digest.
        package init() {}

        /// Appends `bytes` to the input.
        package mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe state.update($0) } }

        /// Appends `bytes` to the input.
        package mutating func update(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe state.update($0) } }

        /// Returns the digest of `bytes` alone; the hasher must be at the start of a digest.
        package mutating func digest(of bytes: RawSpan) -> Digest {
            update(bytes)
            return digest()
        }

        /// Ends the digest, and starts the next.
        package mutating func digest() -> Digest {
            let digest = Digest(ending: &state)
            state.restart()
            return digest
        }

        /// Ends the digest, writes its 32 bytes over those of `bytes` from `offset` on, and starts the next.
        package mutating func write(into bytes: inout ContiguousArray<UInt8>, at offset: Int) {
            precondition(offset >= 0 && offset <= bytes.count - SHA256.byteCount, "no room for a digest")
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe state.finalize(into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + 32)]))
            }
            state.restart()
        }

        /// Ends the digest; returns 32 bytes.
        package consuming func finalize() -> [UInt8] {
            var state = state
            return unsafe [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { digest, count in
                unsafe state.finalize(into: UnsafeMutableRawBufferPointer(digest))
                count = SHA256.byteCount
            }
        }
    }
}
