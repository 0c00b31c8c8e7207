import CTSS2
import ThumbturnCrypto

/// An object that a TPM made and wrapped: of use to that TPM alone, under its authorisation and policy.
struct SealedObject: Hashable, Sendable {
    /// `TPM2B_PUBLIC` and `TPM2B_PRIVATE`, as the TPM marshals them.
    var publicArea: [UInt8]
    var privateArea: [UInt8]
    /// What opens it with the policy: 32 random bytes, or none; no secret, since it lies beside the blob.
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

/// What the TPM demands before it opens an item that a finger guards, or a PIN's part: values that go into the policy's digest.
struct ItemPolicy: Hashable, Sendable {
    /// The counter, of the vault's fingers or the device secret's parts, stands where it stood.
    var epoch: UInt64
    /// The TPM has not been reset since.
    var resetCount: UInt32?
    /// The TPM's clock, in milliseconds, is before this.
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

    /// Whether the clock leaves it open.
    func isOpen(at clock: TPMClock) -> Bool {
        resetCount.map { $0 == clock.resetCount } ?? true && deadline.map { clock.milliseconds < $0 } ?? true
    }
}
