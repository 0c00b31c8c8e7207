internal import ThumbturnCrypto

/// A sealed value in a column: identifier of the service key (8 bytes) ‖ salt (16) ‖ AES-256-GCM box.
struct SealedBox {
    private static let saltByteCount = 16
    private static let headByteCount = ServiceKeyIdentifier.byteCount + saltByteCount

    /// How many bytes a box is longer than its contents.
    static let overhead = headByteCount + AES256GCM.overhead

    /// The key that the box claims to be sealed under.
    let identifier: ServiceKeyIdentifier
    private let bytes: [UInt8]

    /// - Throws: `.tampered` for bytes that are too short to be a box.
    init(_ bytes: [UInt8]) throws(StoreError) {
        guard bytes.count >= Self.overhead,
            let identifier = ServiceKeyIdentifier(Array(bytes.prefix(ServiceKeyIdentifier.byteCount)))
        else { throw .tampered }
        self.identifier = identifier
        self.bytes = bytes
    }

    static func seal(_ value: RawSpan, for cell: SealedCell, under key: ServiceKey) throws(CryptoError) -> [UInt8] {
        let salt = RandomBytes.make(saltByteCount)
        return try AES256GCM.seal(
            value,
            key: key.key(of: cell.column, salt: salt),
            associatedData: cell.associatedData(),
            prefix: key.identifier.bytes + salt
        )
    }

    /// Opens the value.
    ///
    /// - Throws: `.tampered` if it belongs to another cell or was changed.
    func open(_ cell: SealedCell, with key: ServiceKey) throws(StoreError) -> SecretBytes {
        let salt = Array(bytes[ServiceKeyIdentifier.byteCount..<Self.headByteCount])
        do throws(CryptoError) {
            return try AES256GCM.open(
                Array(bytes[Self.headByteCount...]),
                key: key.key(of: cell.column, salt: salt),
                associatedData: cell.associatedData()
            )
        } catch {
            throw error == .outOfMemory ? .unavailable : .tampered
        }
    }
}
