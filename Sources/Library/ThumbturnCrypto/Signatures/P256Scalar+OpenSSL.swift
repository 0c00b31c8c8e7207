#if canImport(COpenSSL)
import COpenSSL

/// Computations with a private key in OpenSSL; the scalar is in range.
///
/// OpenSSL gets the scalar as a number, not as DER: its decoders free their copy unwiped.
enum P256Scalar {
    // EVP_PKEY_KEYPAIR, a macro that Swift can't import.
    private static let keyPair =
        OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_OTHER_PARAMETERS
        | OSSL_KEYMGMT_SELECT_PUBLIC_KEY | OSSL_KEYMGMT_SELECT_PRIVATE_KEY

    /// Returns the public point in X9.63 form, 65 bytes; nil when OpenSSL has no memory.
    static func point(of scalar: borrowing SecretBytes) -> [UInt8]? {
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        defer { unsafe EC_GROUP_free(group) }
        guard let point = unsafe EC_POINT_new(group), let number = unsafe BN_new() else { return nil }
        defer {
            unsafe EC_POINT_free(point)
            unsafe BN_clear_free(number)
        }
        unsafe BN_set_flags(number, BN_FLG_CONSTTIME)
        var bytes = [UInt8](repeating: 0, count: 65)
        let start = unsafe scalar.start.assumingMemoryBound(to: UInt8.self)
        guard unsafe BN_bin2bn(start, Int32(scalar.byteCount), number) != nil,
            unsafe EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
            unsafe EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
                == bytes.count
        else { return nil }
        return bytes
    }

    /// Returns a DER signature of the SHA-256 of `message`; nil when OpenSSL has no memory or no random numbers.
    static func signature(of message: [UInt8], by scalar: borrowing SecretBytes) -> [UInt8]? {
        guard let key = unsafe key(scalar) else { return nil }
        defer { unsafe EVP_PKEY_free(key) }  // wipes the scalar
        guard let context = unsafe EVP_MD_CTX_new() else { return nil }
        defer { unsafe EVP_MD_CTX_free(context) }
        var (signature, count) = ([UInt8](repeating: 0, count: 72), 72)
        guard unsafe EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { return nil }
        return Array(signature.prefix(count))
    }

    private static func key(_ scalar: borrowing SecretBytes) -> OpaquePointer? {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        // OpenSSL expects a number in the machine's own byte order, little-endian.
        let digits = unsafe SecretBytes(byteCount: scalar.byteCount) { digits in
            unsafe digits.copyBytes(from: scalar.mutableBytes.reversed())
        }
        var key: OpaquePointer?
        var curve = Array("P-256".utf8CString)
        // Every name must live until the call: a parameter only points at it.
        let isMade = unsafe OSSL_PKEY_PARAM_GROUP_NAME.withCString { group in
            unsafe OSSL_PKEY_PARAM_PRIV_KEY.withCString { number in
                unsafe curve.withUnsafeMutableBufferPointer { curve in
                    let start = unsafe digits.start.assumingMemoryBound(to: UInt8.self)
                    var parameters = unsafe [
                        OSSL_PARAM_construct_utf8_string(group, curve.baseAddress, 0),
                        OSSL_PARAM_construct_BN(number, start, digits.byteCount), OSSL_PARAM_construct_end(),
                    ]
                    return unsafe EVP_PKEY_fromdata_init(context) == 1
                        && EVP_PKEY_fromdata(context, &key, keyPair, &parameters) == 1
                }
            }
        }
        return isMade ? unsafe key : nil
    }
}
#endif
