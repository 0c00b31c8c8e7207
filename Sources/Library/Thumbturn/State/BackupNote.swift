import ThumbturnBase
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// What is remembered of backups, in its own file beside the vault: a hint that no decision reads.
///
/// Any process that can write to the folder can change or remove it. A session verifies it with its master key.
struct BackupNote: Equatable {
    private static let fileName = "backup.note"
    private static let draftName = fileName + ".new"
    private static let format: UInt8 = 1
    private static let mostBytes = 1_024

    let vault: Identifier
    /// The id of the master key.
    let key: Identifier
    /// The recovery slot of the newest backup.
    let recoverySlot: Identifier?
    /// The hash of the wallet index in the newest backup.
    let walletIndexHash: [UInt8]
    let madeAt: Milliseconds
    /// When a backup of these wallets was last opened completely.
    var verifiedAt: Milliseconds?

    init(of head: Head, madeAt: Milliseconds, verifiedAt: Milliseconds? = nil) {
        (vault, key, walletIndexHash) = (head.vault, head.key, head.walletIndexHash)
        recoverySlot = head.slot(.recovery)?.id
        (self.madeAt, self.verifiedAt) = (madeAt, verifiedAt)
    }

    /// Returns whether the note describes the head's current wallets, and a backup that the current recovery key opens.
    func isCurrent(for head: Head) -> Bool {
        vault == head.vault && key == head.key && walletIndexHash == head.walletIndexHash
            && recoverySlot == head.slot(.recovery)?.id
    }

    /// Reads the note in a folder, unverified.
    ///
    /// - Returns: the note and its MAC; nil when there is none that can be read.
    static func read(in folder: String) -> (note: BackupNote, mac: [UInt8])? {
        guard let file = try? Descriptor(opening: folder + "/" + fileName, Demands(.file)),
            let bytes = try? file.contents(upTo: mostBytes), bytes.count > 32,
            let note = try? BackupNote(ByteReader(Array(bytes.dropLast(32))))
        else { return nil }
        return (note, Array(bytes.suffix(32)))
    }

    /// Reads the note in a folder, if the session verifies it.
    static func read(in folder: String, for session: Session) -> BackupNote? {
        guard let (note, mac) = read(in: folder), session.vouches(for: mac, of: note.macInput) else { return nil }
        return note
    }

    /// Replaces the note; does not flush, since a power loss can only warn the owner once too often.
    func write(in folder: String, for session: Session) throws(VaultError) {
        let bytes = try bytes + session.tag(of: macInput)
        do throws(FileError) {
            try OpenFolder(folder, draft: Self.draftName).replace(Self.fileName, bytes)
        } catch {
            throw VaultError("write", error)
        }
    }

    /// Removes the note, and an incomplete one that a crash left.
    static func remove(in folder: String) {
        for name in [fileName, draftName] { PlainFile.remove(folder + "/" + name) }
    }

    /// The label keeps the note's MAC from being used for another message.
    private var macInput: [UInt8] { Array("thumbturn.v1.backup-note".utf8) + bytes }

    private var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(Self.format)
        writer.writeFixed(vault.bytes)
        writer.writeFixed(key.bytes)
        writer.writeOptional(recoverySlot) { writer, slot in writer.writeFixed(slot.bytes) }
        writer.writeFixed(walletIndexHash)
        writer.writeInt64(madeAt.count)
        writer.writeOptional(verifiedAt) { writer, at in writer.writeInt64(at.count) }
        return writer.bytes
    }

    private init(_ reader: consuming ByteReader) throws(CryptoError) {
        guard try reader.readUInt8() == Self.format else { throw .malformed }
        vault = try reader.readIdentifier()
        key = try reader.readIdentifier()
        recoverySlot = try reader.readOptional { (reader) throws(CryptoError) in try reader.readIdentifier() }
        walletIndexHash = try reader.readFixed(32)
        madeAt = Milliseconds(try reader.readInt64())
        verifiedAt = try reader.readOptional { (reader) throws(CryptoError) in Milliseconds(try reader.readInt64()) }
        try reader.finish()
    }
}

extension OpenFolder {
    fileprivate borrowing func replace(_ name: String, _ bytes: [UInt8]) throws(FileError) {
        try bytes.lent { (bytes) throws(FileError) in try replaceUnflushed(name, by: bytes) }
    }
}
