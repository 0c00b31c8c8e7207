import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The file of an anchor's chain: it maps the chain's contents to positions.
///
/// The file has no authority: a content is explained by hashes alone, so an attacker who writes the file can only leave
/// the chain unexplained. For the bytes see "The Linux device" in `docs/formats.md`.
struct AnchorNote: Hashable, Sendable {
    /// One move: the chain's content before it, and the anchor's position after it.
    struct Link: Hashable, Sendable {
        var former: [UInt8]
        var position: LedgerPosition

        /// The digest that extends the chain.
        var digest: [UInt8] { SHA256.digest(Array("thumbturn.v1.linux-anchor\0".utf8), position.bytes) }

        /// The chain's content after this link, as a TPM computes it.
        var content: [UInt8] { SHA256.digest(former, digest) }
    }

    /// The link of the present content, and the link that followed or was to follow.
    var links: [Link] = []
    /// The chain's random first link, while the chain is being made: with that link alone there is no anchor yet.
    var seed: [UInt8]?

    /// The content of a chain that has only its first link.
    static func content(ofSeed seed: [UInt8]) -> [UInt8] {
        SHA256.digest([UInt8](repeating: 0, count: SHA256.byteCount), seed)
    }

    func position(at content: [UInt8]) -> LedgerPosition? { links.last { $0.content == content }?.position }

    /// Returns the position for a content that no file explains: no ledger row has its mark, and the next move can
    /// start there.
    static func unexplained(_ content: [UInt8], near note: AnchorNote?) -> LedgerPosition {
        let digest = SHA256.digest(Array("thumbturn.v1.linux-anchor-unexplained\0".utf8), content)
        func half(_ range: Range<Int>) -> UInt64 { digest[range].reduce(0) { $0 << 8 | UInt64($1) } }
        // The number comes from a file that may name any, so it is capped to leave room for counting. It is never 0,
        // the number of an anchor which no commit has used: a ledger on such an anchor may be deleted.
        let number = max(1, note?.links.map(\.position.sequence).max() ?? 1)
        let mark = Identifier(high: half(0..<8), low: half(8..<16))
        return LedgerPosition(sequence: min(number, .max / 2), mark: mark)
    }
}

// In a file.
extension AnchorNote {
    static let maximumLinks: UInt32 = 2

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeOptional(seed) { $0.writeFixed($1) }
        writer.writeUInt32(UInt32(links.count))
        for link in links {
            writer.writeFixed(link.former)
            writer.writeFixed(link.position.bytes)
        }
        return writer.bytes
    }

    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        seed = try reader.readOptional { reader throws(CryptoError) in try reader.readFixed(SHA256.byteCount) }
        let count = try reader.readUInt32()
        guard count <= Self.maximumLinks else { throw .malformed }
        for _ in 0..<count {
            let former = try reader.readFixed(SHA256.byteCount)
            links.append(Link(former: former, position: try LedgerPosition(from: &reader)))
        }
        guard reader.remaining == 0 else { throw .malformed }
    }
}

/// What an anchor's chain and file said together, and what the file said.
struct AnchorLook {
    struct Standing {
        var chain: TPMChain?
        /// Nil if there is no chain, or one without a link.
        var content: [UInt8]?
        var position: LedgerPosition?
    }

    let file: String
    let note: AnchorNote?
    let standing: Standing
}
