import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// The file of a simulated device is NOT protected: it contains its secrets unencrypted, for every reader of the file.
// It is a simulation, for demos and tests, and says so in its name, in `Assurance.simulated` and in every status.

/// The stored form: `TTSIMDEV` · version · fields in the order below · SHA-256 of all before it.
///
/// The digest detects damage, not forgery. Names are sorted, so that each state has one form.
extension SimulatedState {
    private static let magic = Array("TTSIMDEV".utf8)
    private static let version: UInt8 = 1
    /// With one more field, so that a state has this version only while the app is in the background.
    private static let laterVersion: UInt8 = 2
    private static let longestWord = 100

    func encoded() throws(CryptoError) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(Self.magic)
        writer.writeUInt8(isAppInBackground ? Self.laterVersion : Self.version)
        writer.writeFixed(installation.bytes)
        writer.writeInt64(clock.wallOffset.count)
        writer.writeInt64(clock.boottimeOffset.count)
        writer.writeFixed(clock.bootID.bytes)
        try writer.writeString(sensor.rawValue, maximum: Self.longestWord)
        for fact in [isPermissionGranted, hasPasscode, isDeviceLocked, isLockedOut] { writer.writeUInt8(fact ? 1 : 0) }
        writer.writeUInt32(UInt32(clamping: mismatchesInARow))
        try writer.writeList(fingers) { writer, finger in writer.writeFixed(finger.bytes) }
        try writer.writeList(touches.map(\.rawValue), Self.writeWord)
        try writer.writeList(faults.map(\.rawValue), Self.writeWord)
        try writer.writeList(items.sorted { $0.key < $1.key }) { writer, row throws(CryptoError) in
            try Self.writeWord(&writer, row.key)
            try row.value.encode(into: &writer)
        }
        try writer.writeList(revokedNames.sorted(), Self.writeWord)
        try writer.writeList(anchors.sorted { $0.key < $1.key }) { writer, row throws(CryptoError) in
            try Self.writeWord(&writer, row.key)
            writer.writeFixed(row.value.bytes)
        }
        try writer.writeList(deletedNames.sorted(), Self.writeWord)
        if isAppInBackground { writer.writeUInt8(1) }
        return writer.bytes + SHA256.digest(writer.bytes)
    }

    /// Whether bytes are an intact state, of any version.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        SHA256.digest(Array(bytes.dropLast(SHA256.byteCount))).elementsEqual(bytes.suffix(SHA256.byteCount))
    }

    /// Creates a new device in place of a damaged one; the same bytes always give the same device.
    init(besideDamaged bytes: [UInt8]) {
        let digest = SHA256.digest(Array("thumbturn/simulated-damage/v1".utf8), bytes)
        if let name = Identifier(bytes: Array(digest[..<16])), let boot = Identifier(bytes: Array(digest[16...])) {
            (installation, clock, fingers) = (name, SimulatedClock(bootID: boot), [boot])
        }
        isBesideDamage = true
    }

    init(decoding bytes: [UInt8]) throws(CryptoError) {
        guard Self.isWhole(bytes) else { throw .malformed }
        let body = Array(bytes.dropLast(SHA256.byteCount))
        var reader = ByteReader(body)
        guard try reader.readFixed(Self.magic.count) == Self.magic else { throw .malformed }
        let version = try reader.readUInt8()
        guard version == Self.version || version == Self.laterVersion else { throw .malformed }
        installation = try reader.readIdentifier()
        let (wall, boottime) = (Milliseconds(try reader.readInt64()), Milliseconds(try reader.readInt64()))
        clock = SimulatedClock(wallOffset: wall, boottimeOffset: boottime, bootID: try reader.readIdentifier())
        sensor = try reader.readWord()
        isPermissionGranted = try reader.readFact()
        hasPasscode = try reader.readFact()
        isDeviceLocked = try reader.readFact()
        isLockedOut = try reader.readFact()
        mismatchesInARow = Int(try reader.readUInt32())
        fingers = try reader.readList { reader throws(CryptoError) in try reader.readIdentifier() }
        touches = try reader.readList { reader throws(CryptoError) in try reader.readWord() }
        faults = try reader.readList { reader throws(CryptoError) in try reader.readWord() }
        for _ in 0..<(try reader.readUInt32()) {
            items[try reader.readString(maximum: Self.longestWord)] = try Item(from: &reader)
        }
        for _ in 0..<(try reader.readUInt32()) {
            revokedNames.insert(try reader.readString(maximum: Self.longestWord))
        }
        for _ in 0..<(try reader.readUInt32()) {
            anchors[try reader.readString(maximum: Self.longestWord)] = try LedgerPosition(from: &reader)
        }
        for _ in 0..<(try reader.readUInt32()) {
            deletedNames.insert(try reader.readString(maximum: Self.longestWord))
        }
        isAppInBackground = version == Self.laterVersion
        if isAppInBackground { guard try reader.readFact() else { throw .malformed } }
        try reader.finish()
    }

    private static func writeWord(_ writer: inout ByteWriter, _ word: String) throws(CryptoError) {
        try writer.writeString(word, maximum: longestWord)
    }
}

extension SimulatedState.Item {
    /// The longest secret in a file; slots have 32 bytes.
    fileprivate static let longestSecret = 64 * 1024

    fileprivate func encode(into writer: inout ByteWriter) throws(CryptoError) {
        writer.writeUInt8(kind.rawValue)
        writer.writeUInt8(access.rawValue)
        writer.writeUInt8(staysOnDevice ? 1 : 0)
        writer.writeOptional(enrolledSet) { writer, digest in writer.writeFixed(digest) }
        // Exposed: the file contains the secret unencrypted, so temporary arrays may too.
        let plain = secret.bytes.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
        try writer.writeBytes(plain, maximum: Self.longestSecret)
    }

    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        guard let kind = Kind(rawValue: try reader.readUInt8()),
            let access = AccessControl(rawValue: try reader.readUInt8())
        else { throw .malformed }
        self.kind = kind
        self.access = access
        staysOnDevice = try reader.readFact()
        enrolledSet = try reader.readOptional { reader throws(CryptoError) in
            try reader.readFixed(SHA256.byteCount)
        }
        secret = HeldSecret(SecretBytes(exposed: try reader.readBytes(maximum: Self.longestSecret)))
    }
}

extension ByteWriter {
    fileprivate mutating func writeList<Element>(
        _ elements: [Element],
        _ body: (inout ByteWriter, Element) throws(CryptoError) -> Void
    ) throws(CryptoError) {
        guard let count = UInt32(exactly: elements.count) else { throw .parametersOutOfRange }
        writeUInt32(count)
        for element in elements { try body(&self, element) }
    }
}

extension ByteReader {
    /// Reads a count and that many elements; a wrong count fails at the end of the input, without allocating for it.
    fileprivate mutating func readList<Element>(
        _ body: (inout ByteReader) throws(CryptoError) -> Element
    ) throws(CryptoError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<(try readUInt32()) { elements.append(try body(&self)) }
        return elements
    }

    fileprivate mutating func readIdentifier() throws(CryptoError) -> Identifier {
        guard let identifier = Identifier(bytes: try readFixed(16)) else { throw .malformed }
        return identifier
    }

    fileprivate mutating func readFact() throws(CryptoError) -> Bool {
        switch try readUInt8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    fileprivate mutating func readWord<Word: RawRepresentable<String>>() throws(CryptoError) -> Word {
        guard let word = Word(rawValue: try readString(maximum: 100)) else { throw .malformed }
        return word
    }
}
