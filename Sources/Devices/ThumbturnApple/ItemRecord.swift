import ThumbturnCrypto
import ThumbturnDevice

/// What is known of an item without opening it: nothing secret, at most something sealed.
///
/// It is added before the item's secret and deleted after it, so a record without its secret is an item that the system took
/// away: the set of fingers or faces has changed.
struct ItemRecord: Hashable, Sendable {
    enum Kind: UInt8 {
        case item = 0
        case deviceSecret = 1
        case deviceKey = 2
    }

    /// Where the secret is.
    enum Place: Hashable, Sendable {
        /// Only the enclave can compute it; an item's is sealed in `box` under what the key computes.
        case enclave(EnclaveKey, box: [UInt8])
        /// In the enclave, which signs with it.
        case signer(EnclaveSigner)
        /// In a row of its own, behind `Carrier.keychain` or `.simulated`.
        case row(Carrier)
    }

    var kind: Kind
    var access: AccessControl
    var place: Place

    private static let version: UInt8 = 1
    /// As much as the simulated device keeps in one item, and what sealing adds.
    private static let maximumBoxByteCount = 65_536 + AES256GCM.overhead

    /// The record as its row keeps it.
    var bytes: [UInt8] {
        get throws(CryptoError) {
            var writer = ByteWriter()
            writer.writeUInt8(Self.version)
            writer.writeUInt8(kind.rawValue)
            writer.writeUInt8(access.rawValue)
            switch place {
            case .enclave(let key, let box):
                writer.writeUInt8(Carrier.enclave.rawValue)
                try writer.writeBytes(key.sealedKey, maximum: EnclaveKey.maximumKeyByteCount)
                writer.writeFixed(key.peer)
                try writer.writeBytes(box, maximum: Self.maximumBoxByteCount)
            case .signer(let signer):
                writer.writeUInt8(Carrier.enclave.rawValue)
                try writer.writeBytes(signer.sealedKey, maximum: EnclaveKey.maximumKeyByteCount)
            case .row(let carrier):
                writer.writeUInt8(carrier.rawValue)
            }
            return writer.bytes
        }
    }

    init(kind: Kind, access: AccessControl, place: Place) {
        self.kind = kind
        self.access = access
        self.place = place
    }

    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard try reader.readUInt8() == Self.version, let kind = Kind(rawValue: try reader.readUInt8()),
            let access = AccessControl(rawValue: try reader.readUInt8()),
            let carrier = Carrier(rawValue: try reader.readUInt8())
        else { throw .malformed }
        self.kind = kind
        self.access = access
        switch carrier {
        case .enclave:
            let sealedKey = try reader.readBytes(maximum: EnclaveKey.maximumKeyByteCount)
            guard kind != .deviceKey else {
                place = .signer(EnclaveSigner(sealedKey: sealedKey))
                break
            }
            let key = EnclaveKey(sealedKey: sealedKey, peer: try reader.readFixed(EnclaveKey.peerByteCount))
            place = .enclave(key, box: try reader.readBytes(maximum: Self.maximumBoxByteCount))
        case .keychain, .simulated:
            place = .row(carrier)
        }
        try reader.finish()
    }

    var carrier: Carrier {
        switch place {
        case .enclave, .signer: .enclave
        case .row(let carrier): carrier
        }
    }
}
