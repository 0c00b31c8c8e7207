import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// The line of a device: whose records follow.
struct AuditDevice {
    private static let algorithm = "ecdsa-p256-sha256"

    let deviceId: Identifier
    let epoch: Identifier
    let publicKey: [UInt8]

    var json: JSON {
        [
            "algorithm": .string(Self.algorithm), "deviceId": .string(deviceId.text),
            "epoch": .string(epoch.text), "publicKey": .base64(publicKey),
        ]
    }

    /// Reads the content of a device's line strictly.
    static func read(_ content: [UInt8]) throws(AuditError) -> AuditDevice {
        let json = try JSON(strictly: content, depthLimit: 1)
        let device = AuditDevice(
            deviceId: try json.identifier("deviceId"),
            epoch: try json.identifier("epoch"),
            publicKey: try json.bytes("publicKey")
        )
        guard device.json.canonicalTexts() == content else { throw .malformed }
        do throws(CryptoError) { try P256.check(publicKey: device.publicKey) } catch { throw .malformed }
        return device
    }
}
