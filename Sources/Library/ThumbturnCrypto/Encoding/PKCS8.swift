import ThumbturnRules

/// Private keys in PKCS#8 (RFC 5958) as PEM (RFC 7468 §10), which OpenSSL and others read and write.
///
/// They are read here rather than by OpenSSL, whose decoders free their copies unwiped. A key is not encrypted: the
/// mode of its file protects it.
package enum PKCS8 {
    /// Why a text has no usable key.
    package enum Fault: Error, Hashable, Sendable {
        /// It is cut short or damaged, or its public half is another key's.
        case malformed
        /// It has a key of another kind, or one that is encrypted or in another form.
        case otherKind
    }

    /// The two kinds of keys that sign.
    enum Kind {
        /// RFC 5915: ECDSA on P-256.
        case p256
        /// RFC 8410.
        case ed25519
    }

    /// Many more than a key has, with whatever text a tool puts around it.
    package static let maximumByteCount = 8_192
    private static let label = "PRIVATE KEY"
    private static let secretByteCount = 32
}

// Reading.
extension PKCS8 {
    /// What a key consists of.
    struct Content: ~Copyable {
        /// The scalar or the seed, 32 bytes.
        let secret: SecretBytes
        /// The point in X9.63 form, or the public key, where the file has it.
        let publicKey: [UInt8]?
    }

    /// Reads the one key of a text; what stands outside is ignored.
    static func content(_ kind: Kind, in text: RawSpan) throws(Fault) -> Content {
        try contents(of: text).withBytes { bytes throws(Fault) in
            var (outer, version) = (DER(0..<bytes.byteCount), 0..<0)
            guard let whole = outer.remove(.sequence, from: bytes), outer.isEmpty else { throw .malformed }
            var inner = DER(whole)
            guard let number = inner.remove(.integer, from: bytes),
                let algorithm = inner.remove(.sequence, from: bytes),
                let key = inner.remove(.octets, from: bytes)
            else { throw .malformed }
            version = number
            _ = inner.remove(.attributes, from: bytes)
            let publicKey = inner.remove(.publicKey, from: bytes)
            guard inner.isEmpty, version.count == 1, bytes.byte(at: version.lowerBound) <= 1 else { throw .malformed }
            guard array(bytes.extracting(algorithm)) == kind.algorithm else { throw .otherKind }
            switch kind {
            case .p256: return try pointed(key, bytes)
            case .ed25519: return try seeded(key, publicKey, bytes)
            }
        }
    }

    /// RFC 5915 §3: version, scalar, then the curve once more and the public key, both optional.
    private static func pointed(_ key: Range<Int>, _ bytes: RawSpan) throws(Fault) -> Content {
        var outer = DER(key)
        guard let whole = outer.remove(.sequence, from: bytes), outer.isEmpty else { throw .malformed }
        var inner = DER(whole)
        guard let version = inner.remove(.integer, from: bytes), array(bytes.extracting(version)) == [1],
            let scalar = inner.remove(.octets, from: bytes), scalar.count == secretByteCount
        else { throw .malformed }
        if let curve = inner.remove(.attributes, from: bytes) {
            guard !curve.isEmpty, bytes.byte(at: curve.lowerBound) == 0x06 else { throw .malformed }
        }
        var point: [UInt8]?
        if let tagged = inner.remove(.point, from: bytes) {
            var bits = DER(tagged)
            guard let range = bits.remove(.bits, from: bytes), bits.isEmpty, range.count == 66,
                bytes.byte(at: range.lowerBound) == 0
            else { throw .malformed }
            point = array(bytes.extracting(droppingFirst: range.lowerBound + 1).extracting(first: 65))
        }
        guard inner.isEmpty else { throw .malformed }
        return Content(secret: SecretBytes(copying: bytes.extracting(scalar)), publicKey: point)
    }

    /// RFC 8410 §7: the seed as octets within the octets, and the public key behind both, which is optional.
    private static func seeded(
        _ key: Range<Int>,
        _ publicKey: Range<Int>?,
        _ bytes: RawSpan
    ) throws(Fault) -> Content {
        var outer = DER(key)
        guard let seed = outer.remove(.octets, from: bytes), outer.isEmpty, seed.count == secretByteCount
        else { throw .malformed }
        let known = publicKey.map { array(bytes.extracting($0)) }
        guard known?.count ?? 33 == 33 else { throw .malformed }
        let secret = SecretBytes(copying: bytes.extracting(seed))
        return Content(secret: secret, publicKey: known.map { Array($0.dropFirst()) })
    }

    /// Decodes what stands between the two lines with the label.
    private static func contents(of text: RawSpan) throws(Fault) -> SecretBytes {
        var count = 0
        let characters = unsafe try SecretBytes(byteCount: text.byteCount) { characters throws(Fault) in
            var (isInside, isFound, hasOther, start) = (false, false, false, 0)
            while start < text.byteCount {
                var end = start
                while end < text.byteCount, !isLineEnd(text.byte(at: end)) { end += 1 }
                let line = text.extracting(start..<end)
                start = end + 1
                if begins(line, "-----") {
                    let isBegin = isEqual(line, "-----BEGIN \(label)-----")
                    let isEnd = isEqual(line, "-----END \(label)-----")
                    guard !(isBegin && (isInside || isFound)), isEnd == isInside || isBegin else { throw .malformed }
                    if isEnd { isFound = true }
                    isInside = isBegin
                    hasOther = hasOther || !isBegin && !isEnd
                } else if isInside {
                    for index in 0..<line.byteCount where line.byte(at: index) != 0x20 && line.byte(at: index) != 0x09 {
                        unsafe characters[count] = line.byte(at: index)
                        count += 1
                    }
                }
            }
            guard isFound, !isInside else { throw hasOther && !isInside ? .otherKind : .malformed }
        }
        var length: Int?
        let decoded = unsafe SecretBytes(byteCount: text.byteCount) { bytes in
            length = characters.withBytes { unsafe TextCode.base64.decode($0.extracting(first: count), into: bytes) }
        }
        guard let length else { throw .malformed }
        return decoded.prefix(length)
    }

    private static func array(_ bytes: RawSpan) -> [UInt8] { unsafe bytes.withUnsafeBytes { unsafe Array($0) } }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func begins(_ line: RawSpan, _ text: String) -> Bool {
        line.byteCount >= text.utf8.count && isEqual(line.extracting(first: text.utf8.count), text)
    }

    private static func isEqual(_ line: RawSpan, _ text: String) -> Bool {
        line.byteCount == text.utf8.count
            && text.utf8.enumerated().allSatisfy { line.byte(at: $0.offset) == $0.element }
    }
}

// Writing, in the bytes that OpenSSL writes.
extension PKCS8 {
    static func text(_ kind: Kind, secret: RawSpan, publicKey: [UInt8]) -> SecretBytes {
        let (head, tail) = (kind.head, kind.tail(publicKey))
        let contents = unsafe SecretBytes(byteCount: head.count + secret.byteCount + tail.count) { bytes in
            unsafe bytes.copyBytes(from: head)
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[head.count...])
            unsafe secret.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
            unsafe UnsafeMutableRawBufferPointer(rebasing: place[secret.byteCount...]).copyBytes(from: tail)
        }
        return contents.withBytes { TextCode.base64.encode($0) }.withBytes { characters in
            unsafe SecretBytes(byteCount: PEM.byteCount(characters.byteCount, labelled: label)) { text in
                unsafe PEM.write(characters, labelled: label, into: text)
            }
        }
    }
}

extension PKCS8.Kind {
    /// The contents of `AlgorithmIdentifier`.
    fileprivate var algorithm: [UInt8] {
        switch self {
        case .p256:
            [0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]
        case .ed25519: [0x06, 3, 0x2b, 0x65, 0x70]
        }
    }

    /// The bytes before the secret.
    fileprivate var head: [UInt8] {
        switch self {
        case .p256:
            [0x30, 0x81, 135, 0x02, 1, 0, 0x30, 19] + algorithm + [0x04, 109, 0x30, 107, 0x02, 1, 1, 0x04, 32]
        case .ed25519: [0x30, 46, 0x02, 1, 0, 0x30, 5] + algorithm + [0x04, 34, 0x04, 32]
        }
    }

    /// The bytes behind it.
    fileprivate func tail(_ publicKey: [UInt8]) -> [UInt8] {
        switch self {
        case .p256: [0xa1, 68, 0x03, 66, 0] + publicKey.suffix(65)
        case .ed25519: []
        }
    }
}

/// What is left to read of elements in DER, as positions in bytes that stay where they are.
private struct DER {
    enum Tag: UInt8 {
        case integer = 0x02
        case bits = 0x03
        case octets = 0x04
        case sequence = 0x30
        case publicKey = 0x81
        case attributes = 0xa0
        case point = 0xa1
    }

    private var rest: Range<Int>

    init(_ rest: Range<Int>) { self.rest = rest }

    var isEmpty: Bool { rest.isEmpty }

    /// Removes the next element if it has this tag; returns where its contents are.
    mutating func remove(_ tag: Tag, from bytes: RawSpan) -> Range<Int>? {
        guard rest.count >= 2, bytes.byte(at: rest.lowerBound) == tag.rawValue else { return nil }
        var (start, count) = (rest.lowerBound + 2, Int(bytes.byte(at: rest.lowerBound + 1)))
        if count >= 0x80 {
            // No key is longer than two bytes can say.
            let width = count - 0x80
            guard (1...2).contains(width), width <= rest.upperBound - start else { return nil }
            count = (0..<width).reduce(0) { $0 << 8 | Int(bytes.byte(at: start + $1)) }
            start += width
            guard count >= (width == 1 ? 0x80 : 0x100) else { return nil }
        }
        guard count <= rest.upperBound - start else { return nil }
        rest = start + count..<rest.upperBound
        return start..<start + count
    }
}
