import ThumbturnCrypto

/// The hashes of a log's tree (RFC 6962 §2.1, RFC 9162 §2.1.1), each 32 bytes.
package enum MerkleTree {
    /// The root of a tree without leaves: SHA-256 of nothing.
    package static let emptyRoot = SHA256.digest([])

    private static let leafPrefix: [UInt8] = [0]
    static let nodePrefix: [UInt8] = [1]

    /// The hash of a leaf: SHA-256(0x00 ‖ `bytes`).
    package static func leaf(_ bytes: [UInt8]) -> [UInt8] {
        var hasher = SHA256.Hasher()
        hasher.update(leafPrefix)
        hasher.update(bytes)
        return hasher.finalize()
    }

    /// The hash of a node: SHA-256(0x01 ‖ `left` ‖ `right`).
    package static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        var hasher = SHA256.Hasher()
        hasher.update(nodePrefix)
        hasher.update(left)
        hasher.update(right)
        return hasher.finalize()
    }
}
