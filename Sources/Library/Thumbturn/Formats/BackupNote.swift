import ThumbturnBase
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// What is remembered of backups, in a file of its own beside the vault: a hint that no decision reads.
///
/// Whoever can write in the folder can change it, or take it away. A session holds it against its master key.
struct BackupNote: Equatable {
    private static let fileName = "backup.note"
    private static let draftName = fileName + ".new"
    private static let format: UInt8 = 1
    private static let mostBytes = 1_024

    let vault: Identifier
    /// The master key's name.
    let key: Identifier
    /// The way in of the newest backup, which is the recovery key's.
    let recoverySlot: Identifier?
    /// The hash of the wallet index that the newest backup was made of.
    let walletIndexHash: [UInt8]
    let madeAt: Milliseconds
    /// When a backup of these wallets was last opened whole.
    var verifiedAt: Milliseconds?

    init(of head: Head, madeAt: Milliseconds, verifiedAt: Milliseconds? = nil) {
        (vault, key, walletIndexHash) = (head.vault, head.key, head.walletIndexHash)
        recoverySlot = head.slot(.recovery)?.id
        (self.madeAt, self.verifiedAt) = (madeAt, verifiedAt)
    }

    /// Whether it is about the wallets of a head, as they are, and a backup that its recovery key opens.
    func isCurrent(for head: Head) -> Bool {
        vault == head.vault && key == head.key && walletIndexHash == head.walletIndexHash
            && recoverySlot == head.slot(.recovery)?.id
    }

    /// Reads the note in a folder; nothing of it is verified.
    ///
    /// - Returns: the note and its tag; nil where there is none that can be read.
    static func read(in folder: String) -> (note: BackupNote, mac: [UInt8])? {
        guard let file = try? Descriptor(opening: folder + "/" + fileName, Demands(.file)),
            let bytes = try? file.contents(upTo: mostBytes), bytes.count > 32,
            let note = try? BackupNote(ByteReader(Array(bytes.dropLast(32))))
        else { return nil }
        return (note, Array(bytes.suffix(32)))
    }

    /// Reads the note in a folder, where the session vouches for it.
    static func read(in folder: String, for session: Session) -> BackupNote? {
        guard let (note, mac) = read(in: folder), session.vouches(for: mac, of: note.macInput) else { return nil }
        return note
    }

    /// Writes it in the place of the one before; no flush waits for the disk, since all that power loss can do is to have the owner
    /// warned once too often.
    func write(in folder: String, for session: Session) throws(VaultError) {
        let bytes = try bytes + session.tag(of: macInput)
        do throws(FileError) {
            try OpenFolder(folder, draft: Self.draftName).replace(Self.fileName, bytes)
        } catch {
            throw VaultError("write", error)
        }
    }

    /// Takes it away, with what a crash left of one that was being written.
    static func remove(in folder: String) {
        for name in [fileName, draftName] { FileCopy.remove(folder + "/" + name) }
    }

    /// The label keeps its MAC from passing for anything else's.
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
