import Testing

@testable import ThumbturnCrypto

extension SecretBytes {
    /// Makes a secret of bytes that are none: a test's.
    init(_ bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    /// Shows the bytes, as only a test may.
    var exposed: [UInt8] {
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
    }
}

extension AES256GCM {
    static func seal(
        _ plaintext: [UInt8],
        key: borrowing SecretBytes,
        associatedData: [UInt8] = [],
        nonce: [UInt8]? = nil
    ) throws(CryptoError) -> [UInt8] {
        try SecretBytes(plaintext).withBytes { (span) throws(CryptoError) in
            guard let nonce else { return try seal(span, key: key, associatedData: associatedData) }
            return try seal(span, key: key, associatedData: associatedData, nonce: nonce)
        }
    }
}

/// Gives the error `body` throws, or `nil`: values that cannot be copied do not fit the macros.
func cryptoError<R: ~Copyable>(_ body: () throws(CryptoError) -> R) -> CryptoError? {
    do throws(CryptoError) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
