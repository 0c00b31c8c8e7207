import ThumbturnCrypto

/// A checkpoint with signatures (C2SP signed-note): its text, an empty line, and a line for each signature,
/// `— name base64(keyId ‖ signature)`.
///
/// Lines of keys that are not known are kept, and mean nothing.
package struct AuditNote: Equatable, Sendable {
    /// The most signatures of a note.
    package static let maximumSignatureCount = 16
    /// The most bytes of a note.
    package static let maximumByteCount = 8_192
    /// The length of a key's id.
    package static let keyIdByteCount = 4

    /// The line of a signature.
    package struct Signature: Sendable {
        /// The key's name: UTF-8 without spaces, control characters and `+`; of a log's own key the log's origin.
        package let name: String
        /// What tells one key of a name from another, 4 bytes.
        package let keyId: [UInt8]
        /// The signature, in whatever form the key has; at least one byte.
        package let bytes: [UInt8]

        /// Creates a line.
        ///
        /// - Throws: `.malformed` for another name, another length of the id, and for no signature.
        package init(name: String, keyId: [UInt8], bytes: [UInt8]) throws(AuditError) {
            guard Self.accepts(name: name), keyId.count == AuditNote.keyIdByteCount, !bytes.isEmpty else {
                throw .malformed
            }
            (self.name, self.keyId, self.bytes) = (name, keyId, bytes)
        }

        private static func accepts(name: String) -> Bool {
            !name.isEmpty
                && name.unicodeScalars.allSatisfy {
                    $0.value > 0x20 && $0.value != 0x7F && $0 != "+" && !$0.properties.isWhitespace
                }
        }
    }

    /// What is signed.
    package let checkpoint: AuditCheckpoint
    /// The signatures, in their order.
    package let signatures: [Signature]
    /// The whole note.
    package let text: [UInt8]

    /// Creates a note.
    ///
    /// - Parameter signatures: 1 to 16, no two of one key.
    /// - Throws: `.malformed` for others, and for more than 8 KiB.
    package init(_ checkpoint: AuditCheckpoint, signatures: [Signature]) throws(AuditError) {
        guard (1...Self.maximumSignatureCount).contains(signatures.count) else { throw .malformed }
        for (index, signature) in signatures.enumerated() {
            guard !signatures[..<index].contains(where: signature.isOfSameKey) else { throw .malformed }
        }
        (self.checkpoint, self.signatures) = (checkpoint, signatures)
        text = signatures.reduce(checkpoint.text + [UInt8(ascii: "\n")]) { $0 + $1.line }
        guard text.count <= Self.maximumByteCount else { throw .malformed }
    }

    /// Reads a note strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// No signature is verified.
    ///
    /// - Throws: `.malformed`.
    package init(reading text: [UInt8]) throws(AuditError) {
        guard text.count <= Self.maximumByteCount else { throw .malformed }
        let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // Three lines, the empty one, those of signatures, and nothing behind the last newline.
        guard lines.count >= 6, lines.count <= 5 + Self.maximumSignatureCount else { throw .malformed }
        var signatures: [Signature] = []
        for line in lines[4..<(lines.count - 1)] { signatures.append(try Signature(reading: line)) }
        let checkpoint = try AuditCheckpoint(reading: lines[..<3].flatMap { $0 + [UInt8(ascii: "\n")] })
        try self.init(checkpoint, signatures: signatures)
        guard self.text == text else { throw .malformed }
    }
}

extension AuditNote.Signature: Equatable {
    private static let beginning = Array("— ".utf8)

    /// The line with its newline.
    fileprivate var line: [UInt8] {
        Self.beginning + Array(name.utf8) + [UInt8(ascii: " ")] + TextCode.base64.encode(keyId + bytes)
            + [UInt8(ascii: "\n")]
    }

    /// Reads a line without its newline; whether it is in its one form shows when it is written again.
    fileprivate init(reading line: ArraySlice<UInt8>) throws(AuditError) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, let code = TextCode.base64.decode(Array(words[2])) else { throw .malformed }
        try self.init(
            name: String(decoding: words[1], as: UTF8.self),
            keyId: Array(code.prefix(AuditNote.keyIdByteCount)),
            bytes: Array(code.dropFirst(AuditNote.keyIdByteCount))
        )
    }

    /// Whether two lines are one key's.
    fileprivate func isOfSameKey(as other: Self) -> Bool { isOf(name: other.name, keyId: other.keyId) }

    /// Whether a line is this key's; names are compared byte by byte, since Swift takes texts of other bytes for equal.
    func isOf(name: String, keyId: [UInt8]) -> Bool { self.keyId == keyId && self.name.utf8.elementsEqual(name.utf8) }

    /// Compares bytes.
    package static func == (a: Self, b: Self) -> Bool { a.isOfSameKey(as: b) && a.bytes == b.bytes }
}
