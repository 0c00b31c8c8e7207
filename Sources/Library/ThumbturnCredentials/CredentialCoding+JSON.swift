// Programs with their own coding are built without this file: Foundation would be a third of their size.
#if !WITHOUT_FOUNDATION
import ThumbturnCrypto
import ThumbturnRules

// The one file of the library that uses Foundation's coders; Scripts/lint.sh allows it here alone.
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CredentialCoding where Credentials: Codable & Sendable {
    /// Encodes credentials as JSON.
    ///
    /// `Codable` needs a coder that works in ordinary memory. The buffers that we can reach are wiped; copies made by
    /// the coder, and the credentials themselves, stay in the app's and the runtime's memory until it is reused.
    static var json: CredentialCoding {
        CredentialCoding(
            encode: { (credentials) throws(VaultError) in try data(credentials) },
            decode: { (bytes) throws(VaultError) in try credentials(bytes) }
        )
    }

    private static func data(_ credentials: Credentials) throws(VaultError) -> SecretBytes {
        var data: Data
        do { data = try JSONEncoder().encode(credentials) } catch {
            // Not the coder's error, which may quote the input.
            throw VaultError(.credentialsNotStored, "encoding")
        }
        defer { data.resetBytes(in: 0..<data.count) }
        guard data.count <= CredentialRecord.maximumEncoded else { throw VaultError(.secretSizeWrong) }
        return unsafe SecretBytes(byteCount: data.count) { buffer in
            _ = unsafe data.copyBytes(to: buffer)
        }
    }

    private static func credentials(_ bytes: borrowing SecretBytes) throws(VaultError) -> Credentials {
        var data = bytes.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Data($0) } }
        defer { data.resetBytes(in: 0..<data.count) }
        do { return try JSONDecoder().decode(Credentials.self, from: data) } catch {
            throw VaultError(.credentialsNotRead, "decoding")
        }
    }
}
#endif
