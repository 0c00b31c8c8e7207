/// A private key on a token, by its URI: `pkcs11:token=…;object=…?module-path=…&pin-source=…` (RFC 7512).
///
/// It names the key and not a slot: numbers of slots change.
package struct PKCS11URI: Sendable, Hashable {
    /// The token that has the key.
    let token: PKCS11Token
    /// The key's label (`CKA_LABEL`).
    let object: [UInt8]?
    /// The key's identifier (`CKA_ID`).
    let id: [UInt8]?
    /// The path of the module.
    let modulePath: String
    /// The path of a file with the PIN.
    let pinSource: String?

    /// Parses what stands behind `pkcs11:`.
    ///
    /// `token`, `module-path`, and `object` or `id` are required. `serial`, `model` and `manufacturer` may tell tokens
    /// apart; `type` may be `private`.
    package init(_ text: String) throws(SignerLocationError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        let path = try Self.attributes(
            parts[0],
            ";",
            ["token", "object", "id", "serial", "model", "manufacturer", "type"]
        )
        let query = try parts.dropFirst().first.map { query throws(SignerLocationError) in
            try Self.attributes(query, "&", ["module-path", "pin-source", "pin-value"])
        }
        guard query?["pin-value"] == nil else { throw .pinInside }
        guard path["type"] ?? Array("private".utf8) == Array("private".utf8) else { throw .malformed }
        guard let label = path["token"], path["object"] ?? path["id"] != nil, let module = query?["module-path"] else {
            throw .incomplete
        }
        token = PKCS11Token(
            label: label,
            serial: path["serial"],
            model: path["model"],
            manufacturer: path["manufacturer"]
        )
        (object, id) = (path["object"], path["id"])
        modulePath = try Self.absolutePath(module)
        pinSource = try query?["pin-source"].map(Self.absolutePath)
    }

    /// Reads attributes between separators, each at most once; none may be empty.
    private static func attributes(
        _ text: Substring.UTF8View,
        _ separator: Unicode.Scalar,
        _ known: Set<String>
    ) throws(SignerLocationError) -> [String: [UInt8]] {
        var attributes: [String: [UInt8]] = [:]
        guard !text.isEmpty else { return attributes }
        for attribute in text.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false) {
            guard let equals = attribute.firstIndex(of: UInt8(ascii: "=")) else { throw .malformed }
            let name = String(decoding: attribute[..<equals], as: UTF8.self)
            guard known.contains(name), attributes[name] == nil else { throw .unknownAttribute }
            let value = try decoded(attribute[attribute.index(after: equals)...])
            guard !value.isEmpty else { throw .malformed }
            attributes[name] = value
        }
        return attributes
    }

    /// Decodes `%` and two hexadecimal digits; other characters that RFC 7512 does not allow are refused.
    private static func decoded(_ text: Substring.UTF8View) throws(SignerLocationError) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                guard allowed.contains(byte) else { throw .malformed }
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                throw .malformed
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    private static let allowed = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:[]@!$'()*+,=&/?|".utf8
    )

    /// Returns the path in a value: from the root, with or without `file:` before it.
    private static func absolutePath(_ value: [UInt8]) throws(SignerLocationError) -> String {
        let text = String(decoding: value, as: UTF8.self)
        let path = text.rest(behind: "file://") ?? text.rest(behind: "file:") ?? text
        guard path.hasPrefix("/"), !value.contains(0), text.utf8.elementsEqual(value) else { throw .relativePath }
        return path
    }
}

/// What a token says of itself; what is `nil` may be anything.
struct PKCS11Token: Sendable, Hashable {
    let label: [UInt8]
    let serial: [UInt8]?
    let model: [UInt8]?
    let manufacturer: [UInt8]?

    /// Whether a token that says so fits.
    func fits(_ token: PKCS11Token) -> Bool {
        label == token.label
            && [(serial, token.serial), (model, token.model), (manufacturer, token.manufacturer)]
                .allSatisfy { $0 == nil || $0 == $1 }
    }
}
