import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// Where a chain of records stands: the place and the link of the next.
package struct AuditChain: Equatable, Sendable {
    /// The device that writes it.
    package let deviceId: Identifier
    /// The chain's name.
    package let epoch: Identifier
    /// The `seq` of the next record; so many there are.
    package private(set) var next: UInt64
    /// The `previous` of the next record, 32 bytes.
    package private(set) var head: [UInt8]

    /// Begins a chain.
    ///
    /// - Parameter publicKey: the device's, SubjectPublicKeyInfo in DER.
    package init(deviceId: Identifier, epoch: Identifier, publicKey: [UInt8]) {
        let genesis = Self.genesis(device: deviceId, epoch: epoch, publicKey: publicKey)
        self.init(deviceId: deviceId, epoch: epoch, next: 0, head: genesis)
    }

    /// Goes on with a chain.
    package init(deviceId: Identifier, epoch: Identifier, next: UInt64, head: [UInt8]) {
        (self.deviceId, self.epoch, self.next, self.head) = (deviceId, epoch, next, head)
    }

    /// The link of a first record, which binds a chain to the device's key: SHA-256(`thumbturn.audit.genesis.v1\n` ‖
    /// JCS{deviceId, devicePublicKeySha256, epoch}), 32 bytes.
    ///
    /// - Parameter publicKey: SubjectPublicKeyInfo in DER.
    package static func genesis(device: Identifier, epoch: Identifier, publicKey: [UInt8]) -> [UInt8] {
        let members: JSON = [
            "deviceId": .string(device.text), "devicePublicKeySha256": .hexadecimal(SHA256.digest(publicKey)),
            "epoch": .string(epoch.text),
        ]
        return SHA256.digest(Array("thumbturn.audit.genesis.v1\n".utf8), members.canonicalTexts())
    }

    /// Goes on by one record (A42).
    ///
    /// - Throws: a finding that names the record; the chain stays where it was.
    package mutating func take(_ record: AuditRecord) throws(AuditFinding) {
        guard record.deviceId == deviceId, record.epoch == epoch else { throw .recordForeign(next) }
        guard record.seq <= next else { throw .recordsMissing(from: next, through: record.seq - 1) }
        guard record.seq == next else { throw .recordRepeated(record.seq, before: next) }
        guard record.previous == head else { throw .recordUnchained(next) }
        next += 1
        head = record.hash
    }
}
