/// The session key, and the proofs by which each side shows that it has it.
struct SRPProofs: ~Copyable {
    /// K = H(S).
    let K: SecretBytes
    /// The client's: M1 = H(H(N) xor H(g) | H(I) | s | A | B | K).
    let M1: SecretBytes
    /// The server's: M2 = H(A | M1 | K).
    let M2: SecretBytes
}

extension SRP6a where Hash: ~Copyable {
    /// Derives key and proofs; `encoding` determines how numbers are encoded.
    func proofs(
        I: [UInt8],
        s: [UInt8],
        A: [UInt8],
        B: [UInt8],
        S: borrowing SecretBytes,
        encoding: SRPEncoding
    ) -> SRPProofs {
        let group = groupDigest(encoding)
        let name = Hash.digest { hash in hash.update(I) }
        let K = Hash.digest { hash in hash.update(S, encoding) }
        let M1 = Hash.digest { hash in
            hash.update(group)
            // `srptools` treats this digest as a number too.
            hash.update(name, encoding == .minimalUnpaddedG ? .minimal : .padded)
            hash.update(s)
            hash.update(A, encoding)
            hash.update(B, encoding)
            hash.update(K)
        }
        let M2 = Hash.digest { hash in
            hash.update(A, encoding)
            hash.update(M1)
            hash.update(K)
        }
        return SRPProofs(K: K, M1: M1, M2: M2)
    }

    /// H(N) xor H(g).
    private func groupDigest(_ encoding: SRPEncoding) -> SecretBytes {
        let padding = encoding == .minimalUnpaddedG ? 0 : N.count - 1
        let modulus = Hash.digest { hash in hash.update(N) }
        let generator = Hash.digest { hash in hash.update([UInt8](repeating: 0, count: padding) + [g]) }
        return unsafe SecretBytes(byteCount: Hash.byteCount) { bytes in
            for index in 0..<Hash.byteCount {
                unsafe bytes[index] = modulus.mutableBytes[index] ^ generator.mutableBytes[index]
            }
        }
    }
}

extension SRPHash where Self: ~Copyable {
    fileprivate mutating func update(_ number: [UInt8], _ encoding: SRPEncoding) {
        unsafe number.withUnsafeBytes { unsafe update($0, encoding) }
    }

    fileprivate mutating func update(_ number: borrowing SecretBytes, _ encoding: SRPEncoding) {
        unsafe update(UnsafeRawBufferPointer(number.mutableBytes), encoding)
    }

    private mutating func update(_ number: UnsafeRawBufferPointer, _ encoding: SRPEncoding) {
        guard encoding != .padded, let first = unsafe number.firstIndex(where: { $0 != 0 }) else {
            return unsafe update(number)
        }
        unsafe update(UnsafeRawBufferPointer(rebasing: number[first...]))
    }
}

extension SecretBytes {
    /// Whether a received proof equals this one; compares the length first, then in constant time.
    borrowing func isProof(_ proof: [UInt8]) -> Bool {
        guard proof.count == byteCount else { return false }
        let proof = unsafe SecretBytes(byteCount: byteCount) { unsafe $0.copyBytes(from: proof) }
        return SecretBytes.constantTimeEqual(self, proof)
    }
}
