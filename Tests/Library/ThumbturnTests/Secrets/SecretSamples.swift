import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

/// Makes a secret of bytes that are none.
func secret(_ bytes: some Sequence<UInt8>) -> SecretBytes {
    let bytes = Array(bytes)
    return unsafe SecretBytes(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) }
}

/// Makes a secret of a text that is none.
func secret(_ text: String) -> SecretBytes { secret(text.utf8) }

extension SecretBytes {
    /// The bytes in the open.
    borrowing func revealed() -> [UInt8] {
        withBytes { bytes in
            (0..<bytes.byteCount).map { unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) }
        }
    }

    /// The text in the open.
    borrowing func revealedText() -> String { String(decoding: revealed(), as: UTF8.self) }
}

/// The error that `body` ends with; nil when it succeeds.
func failure(of body: () throws(VaultError) -> Void) -> VaultError? {
    do throws(VaultError) {
        try body()
        return nil
    } catch {
        return error
    }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}

/// Bytes as lower-case hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 0xF, radix: 16) }.joined()
}

/// The bytes that hexadecimal digits stand for.
func bytes(ofHexadecimal text: String) throws -> [UInt8] {
    try stride(from: 0, to: text.utf8.count, by: 2).map { offset in
        try #require(UInt8(text.dropFirst(offset).prefix(2), radix: 16))
    }
}

/// A mnemonic and its entropy.
struct MnemonicSample: Decodable, Sendable {
    let entropy: String
    let mnemonic: String
}

/// Vectors of BIP-39.
enum MnemonicSamples {
    private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardizedFileURL

    /// Our own, computed from the definition; fails on an empty file and on a wrong count.
    static func facts() throws -> [MnemonicSample] {
        struct File: Decodable {
            let count: Int
            let rows: [MnemonicSample]
        }
        let url = root.appending(path: "Tests/Vectors/bip39/repeated_byte_entropy.json")
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: url))
        try #require(!file.rows.isEmpty && file.rows.count == file.count)
        return file.rows
    }

    /// The 24 published ones; fails on any other count.
    static func published() throws -> [MnemonicSample] {
        let url = URL(filePath: try #require(VectorFolder.published)).appending(path: "bip39/bip39_english.json")
        let file = try JSONDecoder().decode([String: [[String]]].self, from: Data(contentsOf: url))
        let rows = try #require(file["english"])
        try #require(rows.count == 24)
        return rows.map { MnemonicSample(entropy: $0[0], mnemonic: $0[1]) }
    }
}
