import ThumbturnCrypto
import ThumbturnRules

// The one file of the library that uses Foundation's coders; Scripts/lint.sh allows it here alone.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Credentials as JSON in memory that is wiped, and back.
///
/// `Codable` wants a coder that works in ordinary memory. What can be reached of it is wiped; what the coder copies
/// on its way, and the credentials themselves, are the app's and the runtime's memory until it is used again.
enum CredentialCoding {
    /// Writes credentials.
    ///
    /// - Throws: `.credentialsNotStored` when they can't be encoded, `.secretSizeWrong` above 1 MiB.
    static func encode(_ credentials: some Encodable) throws(VaultError) -> SecretBytes {
        var data: Data
        do { data = try JSONEncoder().encode(credentials) } catch {
            // Not the coder's error: it may quote what it met.
            throw VaultError(.credentialsNotStored, "encoding")
        }
        defer { data.resetBytes(in: 0..<data.count) }
        guard data.count <= CredentialRecord.maximumEncoded else { throw VaultError(.secretSizeWrong) }
        return unsafe SecretBytes(byteCount: data.count) { buffer in
            _ = unsafe data.copyBytes(to: buffer)
        }
    }

    /// Reads credentials.
    ///
    /// - Throws: `.credentialsNotRead` for bytes that are not of this type.
    static func decode<Credentials: Decodable>(
        _ type: Credentials.Type,
        from bytes: borrowing SecretBytes
    ) throws(VaultError) -> Credentials {
        var data = bytes.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
        defer { data.resetBytes(in: 0..<data.count) }
        do { return try JSONDecoder().decode(type, from: data) } catch {
            throw VaultError(.credentialsNotRead, "decoding")
        }
    }
}
