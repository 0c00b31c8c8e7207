import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// Writes a device's export line by line: the header, the device, each record, and the signed head (design section 9).
///
/// It holds every record of one epoch from the first on. All is returned as bytes with their newline, so an export of any
/// length takes the memory of one record.
package struct AuditExport: Sendable {
    private let publicKey: [UInt8]
    private let count: UInt64
    private var chain: AuditChain

    /// Begins an export.
    ///
    /// - Parameters:
    ///   - publicKey: the device's, SubjectPublicKeyInfo in DER.
    ///   - count: how many records will follow, at least one.
    /// - Throws: `.malformed` for a key of another form, and for no records or more than 2^53 − 1.
    package init(deviceId: Identifier, epoch: Identifier, publicKey: [UInt8], count: UInt64) throws(AuditError) {
        do throws(CryptoError) { try P256.check(publicKey: publicKey) } catch { throw .malformed }
        guard count > 0, count <= JSON.wholeNumbers.upperBound else { throw .malformed }
        (self.publicKey, self.count) = (publicKey, count)
        chain = AuditChain(deviceId: deviceId, epoch: epoch, publicKey: publicKey)
    }

    /// The lines before the records.
    package func beginning() throws(AuditError) -> [UInt8] {
        let device = AuditDevice(deviceId: chain.deviceId, epoch: chain.epoch, publicKey: publicKey)
        return AuditLine.header.bytes(try AuditHeader.json(count: count).canonicalBytes())
            + AuditLine.device.bytes(device.json.canonicalTexts())
    }

    /// The line of the next record.
    ///
    /// - Throws: a finding for a record that isn't the next of this chain: nothing is exported that fails.
    package mutating func line(of record: AuditRecord) throws(AuditFinding) -> [UInt8] {
        guard chain.next < count else { throw .recordUncounted(chain.next) }
        try chain.take(record)
        return AuditLine.record.bytes(record.line)
    }

    /// What is to be signed once all records are written.
    ///
    /// - Parameters:
    ///   - at: the device's clock.
    ///   - nonce: 16 random bytes.
    /// - Throws: `.malformed` for another number of records than was announced, and for another nonce.
    package func head(at: Milliseconds, nonce: [UInt8]) throws(AuditError) -> AuditHead {
        guard chain.next == count, nonce.count == AuditHead.nonceByteCount else { throw .malformed }
        return AuditHead(
            deviceId: chain.deviceId,
            epoch: chain.epoch,
            seq: count - 1,
            hash: chain.head,
            at: at,
            nonce: nonce
        )
    }

    /// The last line.
    ///
    /// - Parameter signature: the device's over `head.message()`, in DER.
    package func end(_ head: AuditHead, signature: [UInt8]) throws(AuditError) -> [UInt8] {
        AuditLine.head.bytes(try head.json(signature: signature).canonicalBytes())
    }
}
