import COpenSSL
import Testing
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

@testable import ThumbturnService

/// A device with a key of its own, which signs by OpenSSL.
@safe final class TestDevice {
    let id: String
    private let key: OpaquePointer?

    init(id: String = Identifier.make().text) {
        self.id = id
        let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { unsafe EVP_PKEY_CTX_free(context) }
        unsafe EVP_PKEY_keygen_init(context)
        unsafe EVP_PKEY_CTX_set_group_name(context, "P-256")
        var key: OpaquePointer?
        unsafe EVP_PKEY_generate(context, &key)
        unsafe self.key = unsafe key
    }

    private init(id: String, sharing key: OpaquePointer?) {
        unsafe EVP_PKEY_up_ref(key)
        self.id = id
        unsafe self.key = unsafe key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    /// Another device with the same key.
    func again() -> TestDevice { unsafe TestDevice(id: Identifier.make().text, sharing: key) }

    /// SubjectPublicKeyInfo.
    var publicKey: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 91)
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            _ = unsafe i2d_PUBKEY(key, &start)
        }
        return bytes
    }

    /// The body with which it is listed.
    var enrolment: JSON {
        ["deviceId": .string(id), "publicKey": .string(publicKey.base64), "algorithm": "ecdsa-p256-sha256"]
    }

    /// The body of a contact, signed.
    func contact(
        at time: ServiceTime,
        origin: String = ServiceRoom.origin,
        label: String = "thumbturn.contact.v1\n"
    ) -> JSON {
        let nonce = Identifier.make().bytes.base64
        // Members in the order of RFC 8785.
        let text = #"{"deviceId":"\#(id)","nonce":"\#(nonce)","origin":"\#(origin)","sentAt":"\#(time.text)"}"#
        let signature = sign(Array(label.utf8) + Array(text.utf8))
        return ["nonce": .string(nonce), "sentAt": .string(time.text), "signature": .string(signature.base64)]
    }

    func sign(_ message: [UInt8]) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 72)
        var count = signature.count
        unsafe EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil)
        unsafe EVP_DigestSign(context, &signature, &count, message, message.count)
        return Array(signature.prefix(count))
    }
}

extension TestClient {
    @discardableResult
    func enrol(_ device: TestDevice, _ token: String?) throws -> Reply {
        try send(.post, "/v1/devices", device.enrolment, token: token)
    }

    func contact(_ device: TestDevice, origin: String = ServiceRoom.origin) throws -> Reply {
        try send(.post, "/v1/devices/\(device.id)/contact", device.contact(at: clock.now, origin: origin))
    }

    /// The same for an answer that a login's key has to prove (design section 9).
    @discardableResult
    func contact(_ device: TestDevice, provedBy login: borrowing LoggedIn) throws -> Reply {
        let body = device.contact(at: clock.now)
        let reply = try send(.post, "/v1/devices/\(device.id)/contact", body)
        let head = "thumbturn.contact.answer.v1\n\(body["nonce"]?.text ?? "")\n\(reply.status)\n"
        let key = try HKDFSHA256.derive(from: login.key, salt: [], info: Array("thumbturn.v1.contact".utf8))
        let proof = HMACSHA256.tag(Array(head.utf8) + reply.body, key: key)
        #expect(reply.header("Thumbturn-Contact") == proof.base64)
        return reply
    }
}
