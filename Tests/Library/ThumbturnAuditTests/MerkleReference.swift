import ThumbturnCrypto

@testable import ThumbturnAudit

/// A tree and its proofs as RFC 6962 §2.1 defines them, by recursion, and by nothing of the product's but SHA-256.
final class MerkleReference {
    private struct Span: Hashable {
        let start, end: Int
    }

    let leaves: [[UInt8]]
    private var roots: [Span: [UInt8]] = [:]

    /// Leaves of different lengths, the first one empty.
    init(count: Int) { leaves = (0..<count).map { Array(repeating: UInt8($0 % 251), count: $0 % 7) + Self.bytes($0) } }

    private static func bytes(_ number: Int) -> [UInt8] {
        number == 0 ? [] : [UInt8(number & 0xFF), UInt8(number >> 8 & 0xFF), UInt8(number >> 16 & 0xFF)]
    }

    /// MTH(D[start:end]).
    func root(_ start: Int, _ end: Int) -> [UInt8] {
        let span = Span(start: start, end: end)
        if let root = roots[span] { return root }
        let root =
            switch end - start {
            case 0: SHA256.digest([])
            case 1: SHA256.digest([0] + leaves[start])
            case let count:
                SHA256.digest([1] + self.root(start, start + left(count)) + self.root(start + left(count), end))
            }
        roots[span] = root
        return root
    }

    /// PATH(m, D[start:end]).
    func path(_ m: Int, _ start: Int, _ end: Int) -> [[UInt8]] {
        guard end - start > 1 else { return [] }
        let k = left(end - start)
        return m < k
            ? path(m, start, start + k) + [root(start + k, end)]
            : path(m - k, start + k, end) + [root(start, start + k)]
    }

    /// PROOF(m, D[0:n]).
    func proof(_ m: Int, _ n: Int) -> [[UInt8]] { subproof(m, 0, n, true) }

    private func subproof(_ m: Int, _ start: Int, _ end: Int, _ isWhole: Bool) -> [[UInt8]] {
        guard m < end - start else { return isWhole ? [] : [root(start, end)] }
        let k = left(end - start)
        return m <= k
            ? subproof(m, start, start + k, isWhole) + [root(start + k, end)]
            : subproof(m - k, start + k, end, false) + [root(start, start + k)]
    }

    /// The largest power of two smaller than n.
    private func left(_ n: Int) -> Int {
        var k = 1
        while 2 * k < n { k *= 2 }
        return k
    }

    /// The hash of a complete node, where there is one among all leaves.
    func node(_ node: MerkleNode) -> [UInt8] {
        let (start, count) = (Int(node.index) << Int(node.level), 1 << Int(node.level))
        return root(start, start + count)
    }

    /// The bytes of a tile of a tree of a size.
    func tile(_ tile: MerkleTile, size: Int) -> [UInt8] {
        let level = 8 * Int(tile.level)
        let (start, end) = (Int(tile.number) * 256, min(Int(tile.number + 1) * 256, size >> level))
        return (start..<end).flatMap { node(MerkleNode(level: UInt8(level), index: UInt64($0))) }
    }
}

/// A hash that can't be there.
struct NoNode: Error {}
