import Testing

@testable import ThumbturnService

@Suite("The location of a signer") struct PKCS11URITests {
    private static func uri(_ text: String) throws -> PKCS11URI {
        guard case .pkcs11(let uri) = try SignerLocation(parsing: text) else { throw SignerLocationError.scheme }
        return uri
    }

    @Test func `names a file, or a key on a token with its module and its PIN's file`() throws {
        #expect(try SignerLocation(parsing: "file:keys/a.pem") == .file("keys/a.pem"))
        let uri = try Self.uri(
            "pkcs11:token=audit%20log;object=a-2026;id=%01%ff;serial=1;model=M;manufacturer=A+B;type=private"
                + "?module-path=/usr/lib/p11.so&pin-source=file:/run/pin"
        )
        #expect(uri.token.label == Array("audit log".utf8) && uri.object == Array("a-2026".utf8))
        #expect(uri.id == [1, 0xFF] && uri.modulePath == "/usr/lib/p11.so" && uri.pinSource == "/run/pin")
        #expect(uri.token.serial == Array("1".utf8) && uri.token.model == Array("M".utf8))
        #expect(uri.token.manufacturer == Array("A+B".utf8))
    }

    @Test(arguments: [
        ("pkcs11:token=a;object=b?module-path=/m", nil), ("pkcs11:object=b;token=a?pin-source=/p&module-path=/m", "/p"),
        ("pkcs11:token=a;id=b?module-path=/m&pin-source=file:///p", "/p"),
        ("pkcs11:token=%61;object=%C3%a9%3b%26%3F?module-path=%2Fm&pin-source=/p%20q", "/p q"),
        ("pkcs11:token=a;object=b?module-path=/m?x|y", nil),
    ])
    func `has attributes in any order, of which some may be missing`(text: String, pin: String?) throws {
        let uri = try Self.uri(text)
        #expect(uri.token.label == Array("a".utf8) && uri.pinSource == pin && uri.modulePath.hasPrefix("/m"))
    }

    @Test(
        arguments: [
            ("", SignerLocationError.scheme), ("a.pem", .scheme), ("file:", .scheme), ("PKCS11:token=a", .scheme),
            ("https://a", .scheme),
            ("pkcs11:", .incomplete), ("pkcs11:token=a", .incomplete), ("pkcs11:token=a;object=b", .incomplete),
            ("pkcs11:token=a?module-path=/m", .incomplete), ("pkcs11:object=b?module-path=/m", .incomplete),
            ("pkcs11:token=a;object=b?", .incomplete), ("pkcs11:?module-path=/m", .incomplete),
            ("pkcs11:token=a;object=b?module-path=/m&pin-value=1234", .pinInside),
            ("pkcs11:token=a;object=b?module-path=m", .relativePath),
            ("pkcs11:token=a;object=b?module-path=/m&pin-source=pin", .relativePath),
            ("pkcs11:token=a;object=b?module-path=/m&pin-source=|/bin/cat", .relativePath),
            ("pkcs11:token=a;object=b?module-path=/m&pin-source=file://host/pin", .relativePath),
            ("pkcs11:token=a;object=b?module-path=/m%00n", .relativePath),
            ("pkcs11:token=a;object=b?module-path=/m%ff", .relativePath),
            ("pkcs11:token=a;object=b;slot-id=0?module-path=/m", .unknownAttribute),
            ("pkcs11:token=a;object=b;token=c?module-path=/m", .unknownAttribute),
            ("pkcs11:token=a;object=b?module-path=/m&module-name=x", .unknownAttribute),
            ("pkcs11:token=a;object=b;module-path=/m", .unknownAttribute),
            ("pkcs11:token=a;object=b?module-path=/m&token=c", .unknownAttribute),
            ("pkcs11:token=a;object=b;type=public?module-path=/m", .malformed),
            ("pkcs11:token=a;object=b;?module-path=/m", .malformed),
            ("pkcs11:token=a;;object=b?module-path=/m", .malformed),
            ("pkcs11:token=a;object?module-path=/m", .malformed),
            ("pkcs11:token=;object=b?module-path=/m", .malformed),
            ("pkcs11:token=a;object=%4?module-path=/m", .malformed),
            ("pkcs11:token=a;object=%zz?module-path=/m", .malformed),
            ("pkcs11:token=a b;object=c?module-path=/m", .malformed),
            ("pkcs11:token=é;object=c?module-path=/m", .malformed),
            ("pkcs11:token=a;object=c?module-path=/m&", .malformed),
        ]
    )
    func `is refused in any other form`(text: String, error: SignerLocationError) {
        #expect(throws: error) { try SignerLocation(parsing: text) }
    }

    @Test func `of a witness is a file`() throws {
        #expect(try WitnessLocation(parsing: "file:/w.pem").path == "/w.pem")
        for text in ["", "file:", "/w.pem", "pkcs11:token=a;object=b?module-path=/m"] {
            #expect(throws: SignerLocationError.scheme) { try WitnessLocation(parsing: text) }
        }
    }
}
