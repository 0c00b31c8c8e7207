import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

struct ServiceTrust: Sendable {
    /// The contents of the authority's PEM file; `nil` for the system's authorities.
    let authority: [UInt8]?
    /// The SHA-256 of the public key that the service must have; `nil` for any key.
    let pin: [UInt8]?

    private static let mostBytes = 1 << 20

    init(authority path: String?, pin text: String?) throws(VaultError) {
        pin = try text.map { (text) throws(VaultError) in
            guard let pin = TextCode.base64.decode(Array(text.utf8)), pin.count == SHA256.byteCount else {
                throw VaultError(.usage, "a pin that is not the base64 of 32 bytes")
            }
            return pin
        }
        authority = try path.map { (path) throws(VaultError) in
            guard let pem = try? Descriptor.contents(ofSystemFile: path, upTo: Self.mostBytes) else {
                throw VaultError(.usage, "an authority's file that can't be read")
            }
            let certificates = Self.certificates(in: pem)
            guard !certificates.isEmpty, certificates.allSatisfy({ Self.publicKeyInfo(of: $0) != nil }) else {
                throw VaultError(.usage, "an authority's file without a certificate")
            }
            return pem
        }
    }

    /// Returns the certificates of a PEM file in DER; empty if one of them can't be read.
    static func certificates(in pem: [UInt8]) -> [[UInt8]] { PEM.contents(labelled: "CERTIFICATE", in: pem) }

    /// Returns whether a certificate (DER) has the pinned key.
    func accepts(_ certificate: [UInt8]) -> Bool {
        guard let pin else { return true }
        return Self.publicKeyInfo(of: certificate).map { SHA256.digest(Array($0)) == pin } ?? false
    }

    /// Returns the SubjectPublicKeyInfo of a certificate (RFC 5280 §4.1) unchanged; `nil` if it is not a certificate.
    static func publicKeyInfo(of certificate: [UInt8]) -> ArraySlice<UInt8>? {
        let (sequence, version) = (UInt8(0x30), UInt8(0xA0))
        guard let whole = element(in: certificate[...], kind: sequence)?.content,
            var fields = element(in: whole, kind: sequence)?.content
        else { return nil }
        if let field = element(in: fields, kind: version) { fields = fields[field.whole.endIndex...] }
        // Skip serial number, signature, issuer, validity and subject.
        for kind in [0x02, sequence, sequence, sequence, sequence] {
            guard let field = element(in: fields, kind: kind) else { return nil }
            fields = fields[field.whole.endIndex...]
        }
        return element(in: fields, kind: sequence)?.whole
    }

    /// Returns the first DER element, if it has this kind and is complete.
    private static func element(
        in bytes: ArraySlice<UInt8>,
        kind: UInt8
    ) -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
        guard bytes.count >= 2, bytes.first == kind else { return nil }
        var (start, length) = (bytes.startIndex + 2, Int(bytes[bytes.startIndex + 1]))
        if length >= 0x80 {
            let digits = bytes[start...].prefix(length - 0x80)
            guard (1...3).contains(length - 0x80), digits.count == length - 0x80 else { return nil }
            start = digits.endIndex
            length = digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard bytes.endIndex - start >= length else { return nil }
        return (bytes[bytes.startIndex..<start + length], bytes[start..<start + length])
    }
}
