import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// Where the machine's name comes from, to which key files are bound.
package enum MachineNaming: String, Hashable, Sendable {
    /// The system names it (machine-id(5)).
    case system
    /// The system has none; the key files are bound to a name kept beside them.
    case own
    /// The system's name exists but can't be read.
    case unreadable

    /// The system file with the machine's name.
    package static let systemFile = "/etc/machine-id"

    /// Finds out what names this machine; creates nothing.
    static func look(_ file: String) -> MachineNaming {
        do { return try SystemName(file)?.isName == true ? .system : .own } catch { return .unreadable }
    }
}

/// What binds the records of a folder to a machine: the system's name for it, or else a name that is kept in the
/// folder.
///
/// Only the system's name distinguishes a copy of the folder from the original: a name in the folder is copied with it.
struct MachineHome: Sendable {
    /// The name that a new record is bound to.
    let home: [UInt8]
    /// The names that a record of this machine may be bound to: the system may have gained or lost its name since.
    private let homes: [[UInt8]]
    /// The refusal for a record bound to any other name; nil if it certainly belongs to another machine.
    private let doubt: DeviceRefusal?

    private static let file = "machine"

    /// Finds the name of this machine, and creates one on the disk if there is none.
    ///
    /// - Parameter path: the system's file, at most 16 KiB.
    /// - Throws: `.unavailable` when neither name can be read, or none can be created.
    init(naming path: String, in folder: PrivateFolder) throws(DeviceRefusal) {
        let system = try SystemName(path)
        let isNamedBySystem = system?.isName == true
        var own: [UInt8]?
        var isDamaged = false
        do throws(DeviceRefusal) {
            own = try folder.withFiles { files throws(DeviceRefusal) in try Self.own(files) }
        } catch {
            guard error == .damaged else { throw error }
            isDamaged = true
        }
        if own == nil, !isNamedBySystem {
            own = try folder.withLock { files throws(DeviceRefusal) in
                // A damaged name is not replaced while files made here still record it.
                if isDamaged, let told = try Self.told(by: files) { return told }
                if !isDamaged, let made = try Self.own(files) { return made }
                return try Self.makeOwn(files)
            }
        }
        homes = [system?.home, own].compactMap(\.self)
        doubt = isDamaged ? .damaged : isNamedBySystem ? nil : .unavailable
        guard let first = isNamedBySystem ? system?.home : own else { throw .unavailable }
        home = first
    }

    /// Whether a record was made here.
    ///
    /// - Throws: `.unavailable` if the system names no machine now, though it may have when the record was made (A25);
    ///   `.damaged` if the folder's own name for the machine is.
    func isHome(of record: ItemRecord) throws(DeviceRefusal) -> Bool {
        if homes.contains(record.home) { return true }
        if let doubt { throw doubt }
        return false
    }

    /// Returns the name that most of the folder's files are bound to; nil if there are none.
    private static func told(by files: borrowing PrivateFolder.Opened) throws(DeviceRefusal) -> [UInt8]? {
        var homes: [[UInt8]: Int] = [:]
        for name in try files.names() {
            if let home = try? files.item(name)?.record.home { homes[home, default: 0] += 1 }
        }
        return homes.max {
            $0.value == $1.value ? $0.key.lexicographicallyPrecedes($1.key) : $0.value < $1.value
        }?.key
    }

    private static func own(_ files: borrowing PrivateFolder.Opened) throws(DeviceRefusal) -> [UInt8]? {
        guard let found = try files.item(file) else { return nil }
        guard found.record.kind == .machine, found.record.home.count == SHA256.byteCount else { throw .damaged }
        return found.record.home
    }

    private static func makeOwn(_ files: borrowing PrivateFolder.Opened) throws(DeviceRefusal) -> [UInt8] {
        let name = Identifier.make().bytes + Identifier.make().bytes
        try files.replace(file, by: ItemRecord(kind: .machine, home: name).file(named: file, tail: .none()))
        return name
    }
}

/// The contents of the system's file.
private struct SystemName {
    let home: [UInt8]
    /// Whether that is a name: before its first boot a system says `uninitialized`, and so does every copy of it.
    let isName: Bool

    /// Reads the file; nil if it is missing or empty, as in containers, or a sandbox hides it behind `/dev/null`.
    init?(_ path: String) throws(DeviceRefusal) {
        let bytes: [UInt8]
        do {
            bytes = try Descriptor.contents(ofSystemFile: path, upTo: 16_384)
        } catch {
            guard error == .absent || Self.isHidden(path) else { throw .unavailable }
            return nil
        }
        let name = bytes.machineName
        if name.isEmpty { return nil }
        home = SHA256.digest(Array("thumbturn.v1.linux-machine\0".utf8), name)
        isName = !name.starts(with: Array("uninitialized".utf8))
    }

    private static func isHidden(_ path: String) -> Bool { (try? FileStatus(of: path))?.isCharacterDevice ?? false }
}

extension [UInt8] {
    /// The name with exactly one line end, as the system writes it (machine-id(5)): an editor or an image tool may
    /// leave the line end out or use another.
    var machineName: [UInt8] {
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        guard let last = lastIndex(where: { !isEnd($0) }) else { return [] }
        return self[...last] + [UInt8(ascii: "\n")]
    }
}
