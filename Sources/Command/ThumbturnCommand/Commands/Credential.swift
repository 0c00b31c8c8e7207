import ThumbturnConsole
import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// A line of text or bytes, as the `Codable` value that a credential vault stores.
///
/// Unlike a wallet's secret it stays in ordinary memory until the process ends.
enum Credential: Codable, Hashable, Sendable {
    case text(String)
    case bytes([UInt8])

    init(_ line: borrowing SecretBytes) {
        let bytes = line.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        let text = String(decoding: bytes, as: UTF8.self)
        self = text.utf8.elementsEqual(bytes) ? .text(text) : .bytes(bytes)
    }

    /// The line, as secret bytes for the code that writes it.
    var secret: SecretBytes {
        let bytes: [UInt8]
        switch self {
        case .text(let text): bytes = Array(text.utf8)
        case .bytes(let stored): bytes = stored
        }
        return unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}

extension CredentialCoding<Credential> {
    /// Reads and writes the JSON of Foundation's coders without Foundation, which would be a third of the command's
    /// size.
    static let lines = CredentialCoding(
        encode: { (credential) throws(VaultError) in
            switch credential {
            case .text:
                let quoted = credential.secret.withBytes { SecretText(quoting: $0) }
                return .concatenating(.concatenating(SecretBytes(#"{"text":{"_0":"#), quoted.bytes), SecretBytes("}}"))
            case .bytes(let bytes):
                let numbers = bytes.map { String($0) }.joined(separator: ",")
                return SecretBytes(#"{"bytes":{"_0":["# + numbers + "]}}")
            }
        },
        decode: { (bytes) throws(VaultError) in
            let read = bytes.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
            let stored: JSON
            do { stored = try JSON(reading: read, byteLimit: read.count) } catch {
                throw VaultError(.credentialsNotRead, "decoding")
            }
            if case .string(let text) = stored["text"]?["_0"] { return .text(text) }
            guard case .array(let numbers) = stored["bytes"]?["_0"] else {
                throw VaultError(.credentialsNotRead, "decoding")
            }
            return .bytes(
                try numbers.map { (number) throws(VaultError) in
                    guard case .integer(let value) = number, let byte = UInt8(exactly: value) else {
                        throw VaultError(.credentialsNotRead, "decoding")
                    }
                    return byte
                }
            )
        }
    )
}

extension SecretBytes {
    fileprivate init(_ text: String) {
        self = unsafe SecretBytes(byteCount: text.utf8.count) { unsafe $0.copyBytes(from: text.utf8) }
    }
}
