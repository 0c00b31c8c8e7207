import ThumbturnCrypto

/// The head of a log (C2SP tlog-checkpoint): its origin, its size and its root, in three lines and no more.
package struct AuditCheckpoint: Equatable, Sendable {
    /// The most bytes of an origin.
    package static let maximumOriginByteCount = 512

    /// The log's name: a text that `accepts(origin:)` takes.
    package let origin: String
    /// The number of leaves.
    package let size: UInt64
    /// The tree's root, 32 bytes.
    package let root: [UInt8]

    /// Whether a log may have this name: 1 to 512 printable ASCII characters without space and `+`, since it names the
    /// log's key too (C2SP signed-note).
    package static func accepts(origin: String) -> Bool {
        (1...maximumOriginByteCount).contains(origin.utf8.count)
            && origin.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "+") }
    }

    /// Creates a checkpoint.
    ///
    /// - Throws: `.malformed` for another origin, and for a root that is not of 32 bytes.
    package init(origin: String, size: UInt64, root: [UInt8]) throws(AuditError) {
        guard Self.accepts(origin: origin), root.count == SHA256.byteCount else { throw .malformed }
        (self.origin, self.size, self.root) = (origin, size, root)
    }

    /// Reads a checkpoint strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// - Throws: `.malformed`.
    package init(reading text: [UInt8]) throws(AuditError) {
        let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, let size = UInt64(String(decoding: lines[1], as: UTF8.self)),
            let root = TextCode.base64.decode(Array(lines[2]))
        else { throw .malformed }
        try self.init(origin: String(decoding: lines[0], as: UTF8.self), size: size, root: root)
        guard self.text == text else { throw .malformed }
    }

    /// The three lines, each with its newline: what is signed.
    package var text: [UInt8] {
        Array("\(origin)\n\(size)\n".utf8) + TextCode.base64.encode(root) + [UInt8(ascii: "\n")]
    }
}
