import ThumbturnCrypto
import ThumbturnDevice

/// The description of an item that is readable without opening it: nothing secret, at most sealed data.
///
/// It is added before the item's secret and deleted after it, so a record without its secret is an item that the system
/// removed: the enrolled set has changed.
struct ItemRecord: Hashable, Sendable {
    enum Kind: UInt8 {
        case item = 0
        case deviceSecret = 1
        case deviceKey = 2
    }

    /// The place of the secret.
    enum Place: Hashable, Sendable {
        /// Only the enclave can compute it; an item's secret is sealed in `box` under the enclave's output.
        case enclave(EnclaveKey, box: [UInt8])
        /// In the enclave, which signs with it.
        case signer(EnclaveSigner)
        /// In its own row, behind `Carrier.keychain` or `.simulated`.
        case row(Carrier)
    }

    var kind: Kind
    var access: AccessControl
    var place: Place

    private static let version: UInt8 = 1
    /// The simulated device's limit for one item, and what sealing adds.
    private static let maximumBoxByteCount = 65_536 + AES256GCM.overhead

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
