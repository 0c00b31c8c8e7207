import ThumbturnCrypto

/// An object that a TPM made and wrapped: usable by that TPM alone, under its authorisation and policy.
struct SealedObject: Hashable, Sendable {
    /// `TPM2B_PUBLIC` and `TPM2B_PRIVATE`, as the TPM marshals them.
    var publicArea: [UInt8]
    var privateArea: [UInt8]
    /// The authorisation beside the policy: 32 random bytes, or none; not secret, since it is stored beside the blob.
    var authorisation: [UInt8] = []
    /// The policy of an item that a finger guards, or of a PIN's part.
    var policy: ItemPolicy?

    static let maximumByteCount = 1_024

    func write(to writer: inout ByteWriter) {
        writer.writeRun(publicArea)
        writer.writeRun(privateArea)
        writer.writeRun(authorisation)
        writer.writeOptional(policy) { $1.write(to: &$0) }
    }

    init(_ reader: inout ByteReader) throws(CryptoError) {
        publicArea = try reader.readBytes(maximum: Self.maximumByteCount)
        privateArea = try reader.readBytes(maximum: Self.maximumByteCount)
        authorisation = try reader.readBytes(maximum: 32)
        policy = try reader.readOptional { reader throws(CryptoError) in try ItemPolicy(&reader) }
    }

    init(publicArea: [UInt8], privateArea: [UInt8]) {
        self.publicArea = publicArea
        self.privateArea = privateArea
    }
}

/// The conditions under which the TPM opens an item that a finger guards, or a PIN's part; they go into the policy's
/// digest.
struct ItemPolicy: Hashable, Sendable {
    /// The value that the counter (of the vault's fingers, or of the device secret's parts) must still have.
    var epoch: UInt64
    /// The TPM must not have been reset since this count.
    var resetCount: UInt32?
    /// The TPM's clock, in milliseconds, must be below this.
    var deadline: UInt64?

    func write(to writer: inout ByteWriter) {
        writer.writeUInt64(epoch)
        writer.writeOptional(resetCount) { $0.writeUInt32($1) }
        writer.writeOptional(deadline) { $0.writeUInt64($1) }
    }

    init(_ reader: inout ByteReader) throws(CryptoError) {
        epoch = try reader.readUInt64()
        resetCount = try reader.readOptional { reader throws(CryptoError) in try reader.readUInt32() }
        deadline = try reader.readOptional { reader throws(CryptoError) in try reader.readUInt64() }
    }

    init(epoch: UInt64, resetCount: UInt32? = nil, deadline: UInt64? = nil) {
        self.epoch = epoch
        self.resetCount = resetCount
        self.deadline = deadline
    }
}
