import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What an item's file records: its kind, what it is bound to, and its blob if a TPM sealed it.
///
/// For the bytes see "The Linux device" in `docs/formats.md`. Only a record's `tail` is secret. A record is not
/// authenticated: an attacker who can write the folder can destroy an item, but can't create one that a TPM would load.
struct ItemRecord: Hashable, Sendable {
    enum Kind: UInt8 {
        case item = 0
        case deviceSecret = 1
        /// One slot's part of a device secret.
        case slotSecret = 2
        case anchor = 3
        /// Not an item: the folder's own name for a machine that the system does not name.
        case machine = 4
        case deviceKey = 5
    }

    var kind: Kind
    var access = AccessControl.deviceOnly
    /// The machine's name: the Name of the TPM's primary key, the digest of the machine's id, or the folder's own name.
    var home: [UInt8]
    /// The enrolled set it was made for, if it ends with that set.
    var enrolledSet: [UInt8]?
    /// The object sealed by the TPM; nil for an item of files, whose secret is the tail.
    var sealed: SealedObject?

    private static let magic = Array("TTLINDEV".utf8)
    private static let version: UInt8 = 1
    private static let maximumByteCount = 8_192

    /// A parsed file: the record, and the secret bytes behind it.
    struct File: ~Copyable {
        let record: ItemRecord
        let tail: SecretBytes
    }

    /// Encodes a file: magic · `bytes` record · tail · SHA-256 of all before.
    ///
    /// The record contains the name, so that a file under another item's name is detected.
    func file(named name: String, tail: borrowing SecretBytes) -> SecretBytes {
        let head = head(named: name)
        let digest = withCleanStack {
            var hasher = SHA256.Hasher()
            hasher.update(head)
            tail.withBytes { hasher.update($0) }
            return hasher.finalize()
        }
        return unsafe SecretBytes(byteCount: head.count + tail.byteCount + digest.count) { buffer in
            unsafe buffer.copyBytes(from: head)
            tail.withBytes { tail in
                unsafe tail.withUnsafeBytes { tail in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: tail)
                }
            }
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(head.count + tail.byteCount)...])
                .copyBytes(from: digest)
        }
    }

    /// Reads a file.
    ///
    /// - Throws: `.damaged` for a file that is not intact, or was made under another name; `.unavailable` for an intact
    ///   one of a later version, since the state of that item is unknown (A25).
    static func parse(_ file: borrowing SecretBytes, named name: String) throws(DeviceRefusal) -> File {
        let bodyCount = file.byteCount - SHA256.byteCount
        guard bodyCount >= 0,
            file.bytes(bodyCount..<file.byteCount) == digest(file.secret(0..<bodyCount))
        else { throw .damaged }
        do throws(CryptoError) {
            return try parsed(file, bodyCount, name)
        } catch {
            throw refusal(of: error)
        }
    }

    /// Returns why a record with a correct digest can't be used.
    static func refusal(of error: CryptoError) -> DeviceRefusal {
        error == .authenticationFailed ? .damaged : .unavailable
    }

    private static func parsed(
        _ file: borrowing SecretBytes,
        _ bodyCount: Int,
        _ name: String
    ) throws(CryptoError) -> File {
        let prefix = magic.count + 4
        guard bodyCount >= prefix else { throw .malformed }
        var start = ByteReader(file.bytes(0..<prefix))
        guard try start.readFixed(magic.count) == magic else { throw .malformed }
        let recordCount = Int(try start.readUInt32())
        guard recordCount <= min(maximumByteCount, bodyCount - prefix) else { throw .malformed }
        var reader = ByteReader(file.bytes(0..<prefix + recordCount))
        let record = try ItemRecord(head: &reader, named: name)
        return File(record: record, tail: file.secret(prefix + recordCount..<bodyCount))
    }

    /// Encodes the start of every file: magic · `bytes` record.
    func head(named name: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(Self.magic)
        writer.writeRun(encoded(name))
        return writer.bytes
    }

    /// Decodes the start of a file.
    ///
    /// - Throws: `.authenticationFailed` for another item's record, `.malformed`.
    init(head reader: inout ByteReader, named name: String) throws(CryptoError) {
        guard try reader.readFixed(Self.magic.count) == Self.magic else { throw .malformed }
        var record = ByteReader(try reader.readBytes(maximum: Self.maximumByteCount))
        try self.init(&record, name)
    }

    private static func digest(_ body: borrowing SecretBytes) -> [UInt8] {
        withCleanStack {
            var hasher = SHA256.Hasher()
            body.withBytes { hasher.update($0) }
            return hasher.finalize()
        }
    }

    private func encoded(_ name: String) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(Self.version)
        writer.writeRun(Array(name.utf8))
        writer.writeUInt8(kind.rawValue)
        writer.writeUInt8(access.rawValue)
        writer.writeRun(home)
        writer.writeOptional(enrolledSet) { $0.writeRun($1) }
        writer.writeOptional(sealed) { $1.write(to: &$0) }
        return writer.bytes
    }

    private init(_ reader: inout ByteReader, _ name: String) throws(CryptoError) {
        guard try reader.readUInt8() == Self.version else { throw .malformed }
        guard try reader.readBytes(maximum: 200) == Array(name.utf8) else { throw .authenticationFailed }
        guard let kind = Kind(rawValue: try reader.readUInt8()),
            let access = AccessControl(rawValue: try reader.readUInt8())
        else { throw .malformed }
        self.kind = kind
        self.access = access
        home = try reader.readBytes(maximum: 100)
        enrolledSet = try reader.readOptional { reader throws(CryptoError) in try reader.readBytes(maximum: 100) }
        sealed = try reader.readOptional { reader throws(CryptoError) in try SealedObject(&reader) }
        guard reader.remaining == 0, (access == .currentBiometrySet) == (enrolledSet != nil) else { throw .malformed }
    }

    init(kind: Kind, home: [UInt8], enrolledSet: [UInt8]? = nil, sealed: SealedObject? = nil) {
        self.kind = kind
        self.access = enrolledSet == nil ? .deviceOnly : .currentBiometrySet
        self.home = home
        self.enrolledSet = enrolledSet
        self.sealed = sealed
    }
}

extension ByteWriter {
    /// Writes a length and a run that is short by construction.
    mutating func writeRun(_ run: [UInt8]) {
        writeUInt32(UInt32(run.count))
        writeFixed(run)
    }
}

extension SecretBytes {
    /// Copies a range that is not secret.
    borrowing func bytes(_ range: Range<Int>) -> [UInt8] {
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0[range]) } }
    }

    borrowing func secret(_ range: Range<Int>) -> SecretBytes {
        withBytes { bytes in SecretBytes(copying: bytes.extracting(range)) }
    }
}
