import ThumbturnJSON
package import ThumbturnRules

/// What the service itself enters into a log.
package enum LedgerEntry: Equatable, Sendable {
    /// A device was enrolled, with the SHA-256 of its public key (SubjectPublicKeyInfo in DER), 32 bytes.
    case deviceEnrolled(device: Identifier, user: Identifier, publicKeySha256: [UInt8])
    /// A device was revoked.
    case deviceRevoked(device: Identifier, user: Identifier)
    /// An account's password changed, which raised its epoch to this number.
    case passwordChanged(user: Identifier, policyEpoch: UInt64)
    /// A chain went on in two ways from `seq` on; the SHA-256 of the upload's body that came second, 32 bytes.
    case fork(device: Identifier, epoch: Identifier, seq: UInt64, user: Identifier, bodySha256: [UInt8])
    /// An upload was refused for good with a code; the SHA-256 of its body, 32 bytes.
    case rejected(device: Identifier, user: Identifier, bodySha256: [UInt8], code: String)
    /// The log has one more key, named by its id and the SHA-256 of its SubjectPublicKeyInfo, 32 bytes.
    case keyRotated(keyId: String, publicKeySha256: [UInt8])
    /// This log began in place of another, whose last head is named.
    case restored(formerOrigin: String, size: UInt64, root: [UInt8])
}

extension LedgerEntry {
    /// The entry without its time, canonical: what waits until the log takes it.
    ///
    /// Numbers are clamped to 2^53 − 1.
    package var content: [UInt8] { JSON.object(members(at: nil)).canonicalTexts() }

    /// The leaf: the entry with its time, canonical.
    ///
    /// - Parameter tsServer: clamped to years of four digits.
    package func leaf(at tsServer: Milliseconds) -> [UInt8] { JSON.object(members(at: tsServer)).canonicalTexts() }

    /// Reads content strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// - Throws: `.malformed`.
    package init(reading content: [UInt8]) throws(AuditError) {
        self = try Self.entry(try JSON(strictly: content, depthLimit: 1))
        guard self.content == content else { throw .malformed }
    }

    /// Reads a leaf strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// - Throws: `.malformed`.
    package static func read(leaf: [UInt8]) throws(AuditError) -> (entry: LedgerEntry, tsServer: Milliseconds) {
        let json = try JSON(strictly: leaf, depthLimit: 1)
        let (entry, tsServer) = (try entry(json), try json.time("tsServer"))
        guard entry.leaf(at: tsServer) == leaf else { throw .malformed }
        return (entry, tsServer)
    }

    private static let version: UInt64 = 1

    /// What it is, as `entryType` names it.
    package var type: String {
        switch self {
        case .deviceEnrolled: "DEVICE_ENROLLED"
        case .deviceRevoked: "DEVICE_REVOKED"
        case .passwordChanged: "PASSWORD_CHANGED"
        case .fork: "CHAIN_FORK"
        case .rejected: "REJECTED"
        case .keyRotated: "KEY_ROTATED"
        case .restored: "LOG_RESTORED"
        }
    }

    private func members(at tsServer: Milliseconds?) -> [(String, JSON)] {
        let time = tsServer.map { [("tsServer", JSON.string($0.utcText))] } ?? []
        return [("entryType", .string(type)), ("v", .number(Self.version))] + time + ownMembers
    }

    /// The members that this type has beside the common ones.
    private var ownMembers: [(String, JSON)] {
        switch self {
        case .deviceEnrolled(let device, let user, let publicKeySha256):
            [
                ("deviceId", .string(device.text)), ("publicKeySha256", .hexadecimal(publicKeySha256)),
                ("userId", .string(user.text)),
            ]
        case .deviceRevoked(let device, let user):
            [("deviceId", .string(device.text)), ("userId", .string(user.text))]
        case .passwordChanged(let user, let policyEpoch):
            [("policyEpoch", Self.clamped(policyEpoch)), ("userId", .string(user.text))]
        case .fork(let device, let epoch, let seq, let user, let bodySha256):
            [
                ("bodySha256", .hexadecimal(bodySha256)), ("deviceId", .string(device.text)),
                ("epoch", .string(epoch.text)), ("seq", Self.clamped(seq)), ("userId", .string(user.text)),
            ]
        case .rejected(let device, let user, let bodySha256, let code):
            [
                ("bodySha256", .hexadecimal(bodySha256)), ("code", .string(code)), ("deviceId", .string(device.text)),
                ("userId", .string(user.text)),
            ]
        case .keyRotated(let keyId, let publicKeySha256):
            [("keyId", .string(keyId)), ("publicKeySha256", .hexadecimal(publicKeySha256))]
        case .restored(let formerOrigin, let size, let root):
            [
                ("formerOrigin", .string(formerOrigin)), ("formerRoot", .hexadecimal(root)),
                ("formerSize", Self.clamped(size)),
            ]
        }
    }

    private static func clamped(_ number: UInt64) -> JSON {
        .integer(min(Int64(clamping: number), JSON.wholeNumbers.upperBound))
    }

    /// Reads the members of a type; whether there are others shows when it is written again.
    private static func entry(_ json: JSON) throws(AuditError) -> LedgerEntry {
        switch try json.text("entryType") {
        case "DEVICE_ENROLLED":
            .deviceEnrolled(
                device: try json.identifier("deviceId"),
                user: try json.identifier("userId"),
                publicKeySha256: try json.digest("publicKeySha256")
            )
        case "DEVICE_REVOKED":
            .deviceRevoked(device: try json.identifier("deviceId"), user: try json.identifier("userId"))
        case "PASSWORD_CHANGED":
            .passwordChanged(user: try json.identifier("userId"), policyEpoch: try json.number("policyEpoch"))
        case "CHAIN_FORK":
            .fork(
                device: try json.identifier("deviceId"),
                epoch: try json.identifier("epoch"),
                seq: try json.number("seq"),
                user: try json.identifier("userId"),
                bodySha256: try json.digest("bodySha256")
            )
        case "REJECTED":
            .rejected(
                device: try json.identifier("deviceId"),
                user: try json.identifier("userId"),
                bodySha256: try json.digest("bodySha256"),
                code: try json.word("code")
            )
        case "KEY_ROTATED":
            .keyRotated(keyId: try json.keyId("keyId"), publicKeySha256: try json.digest("publicKeySha256"))
        case "LOG_RESTORED":
            .restored(
                formerOrigin: try json.origin("formerOrigin"),
                size: try json.number("formerSize"),
                root: try json.digest("formerRoot")
            )
        default: throw .malformed
        }
    }
}

extension JSON {
    fileprivate func keyId(_ name: String) throws(AuditError) -> String {
        let text = try text(name)
        guard AuditKey.accepts(id: text) else { throw .malformed }
        return text
    }

    fileprivate func origin(_ name: String) throws(AuditError) -> String {
        let text = try text(name)
        guard AuditCheckpoint.accepts(origin: text) else { throw .malformed }
        return text
    }
}
