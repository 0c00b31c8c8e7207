/// A mnemonic as another program sealed it, from `Tests/Vectors/legacy`, and what must come of it.
package struct LegacySample: Decodable, Sendable {
    /// What is special about it.
    package let id: String
    /// What it was sealed under.
    package let pin: String
    /// The text of the code that opening it with its PIN ends with; nil when it opens.
    package let error: String?
    private let file: HexBytes
    private let entropy: HexBytes?

    /// The file or item.
    package var bytes: [UInt8] { file.bytes }
    /// The entropy of the mnemonic in it; nil when it does not open.
    package var mnemonic: [UInt8]? { entropy?.bytes }

    /// Those of the command line of OpenSSL.
    package static func openSSL() throws -> [LegacySample] { try load("legacy/openssl.json") }

    /// Those under Argon2id.
    package static func argon2() throws -> [LegacySample] { try load("legacy/argon2.json") }

    /// Finds one by its id.
    package static func named(_ id: String) throws -> LegacySample {
        guard let sample = try (openSSL() + argon2()).first(where: { $0.id == id }) else {
            throw VectorError.wrongCount(id, expected: 1, found: 0)
        }
        return sample
    }

    private static func load(_ path: String) throws -> [LegacySample] {
        try VectorFile<LegacySample>.load(path).tests
    }
}
