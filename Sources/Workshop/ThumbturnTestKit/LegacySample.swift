/// A mnemonic sealed by another program, from `Tests/Vectors/legacy`, and the expected result.
package struct LegacySample: Decodable, Sendable {
    /// What is special about it.
    package let id: String
    /// The PIN it was sealed under.
    package let pin: String
    /// The error code of opening it with its PIN; `nil` if it opens.
    package let error: String?
    private let file: HexBytes
    private let entropy: HexBytes?

    /// The bytes of the file or item.
    package var bytes: [UInt8] { file.bytes }
    /// The entropy of its mnemonic; `nil` if it does not open.
    package var mnemonic: [UInt8]? { entropy?.bytes }

    /// Returns the samples made by OpenSSL's command line.
    package static func openSSL() throws -> [LegacySample] { try load("legacy/openssl.json") }

    /// Returns the samples made with Argon2id.
    package static func argon2() throws -> [LegacySample] { try load("legacy/argon2.json") }

    /// Returns the sample with an id.
    package static func named(_ id: String) throws -> LegacySample {
        guard let sample = try (openSSL() + argon2()).first(where: { $0.id == id }) else {
            throw VectorError.wrongCount(id, expected: 1, found: 0)
        }
        return sample
    }

    private static func load(_ path: String) throws -> [LegacySample] { try VectorFile<LegacySample>.load(path).tests }
}
