import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What a file says of an anchor's chain: which content stands for which position.
///
/// It is no authority: a content is explained by hashes alone, so a writer of the file can leave the chain unexplained, and do
/// no more. The bytes stand in `docs/formats.md`, "The Linux device".
struct AnchorNote: Hashable, Sendable {
    /// One move: what the chain held before, and where the anchor stands with this link.
    struct Link: Hashable, Sendable {
        var former: [UInt8]
        var position: LedgerPosition

        /// What the chain is extended by.
        var digest: [UInt8] { SHA256.digest(Array("thumbturn.v1.linux-anchor\0".utf8), position.bytes) }

        /// What the chain holds then, as a TPM computes it.
        var content: [UInt8] { SHA256.digest(former, digest) }
    }

    /// The link of the present content, and the one that follows, or was to.
    var links: [Link] = []
    /// The chain's random first link, while the chain is being made: with it alone there is no anchor yet.
    var seed: [UInt8]?

    /// What a chain holds that has its first link alone.
    static func content(ofSeed seed: [UInt8]) -> [UInt8] {
        SHA256.digest([UInt8](repeating: 0, count: SHA256.byteCount), seed)
    }

    /// Where an anchor stands whose chain has this content.
    func position(at content: [UInt8]) -> LedgerPosition? { links.last { $0.content == content }?.position }

    /// Where an anchor stands whose chain no file explains: no ledger's row has its mark, and the next move can start there.
    static func unexplained(_ content: [UInt8], near note: AnchorNote?) -> LedgerPosition {
        let digest = SHA256.digest(Array("thumbturn.v1.linux-anchor-unexplained\0".utf8), content)
        func half(_ range: Range<Int>) -> UInt64 { digest[range].reduce(0) { $0 << 8 | UInt64($1) } }
        // A number that was read from nowhere; a file may say any, so room is left to count on. It is never that of an anchor
        // which no commit has used: what stands on that may be deleted.
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
