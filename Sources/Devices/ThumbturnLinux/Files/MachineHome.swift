import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// Where the name of a machine comes from that files with keys are bound to.
package enum MachineNaming: String, Hashable, Sendable {
    /// The system names it (machine-id(5)).
    case system
    /// The system does not; such files lie beside a name of their own.
    case own
    /// The system's name is there and can't be read.
    case unreadable

    /// Looks what names this machine, and makes nothing.
    static func look(_ file: String) -> MachineNaming {
        do { return try SystemName(file)?.isName == true ? .system : .own } catch { return .unreadable }
    }
}

/// What binds the records of a folder to a machine: the system's name for it, else one that is kept in the folder.
///
/// Only the system's name tells a copy of the folder from the original: a name in the folder is copied with it.
struct MachineHome: Sendable {
    /// What a new record is bound to.
    let home: [UInt8]
    /// What a record of this machine is bound to: the system may have named it only later, or no longer.
    private let homes: [[UInt8]]
    /// What is known of a record that names none of these; nil where it is another machine's for certain.
    private let doubt: DeviceRefusal?

    private static let file = "machine"

    /// Finds what names this machine, and where nothing does gives it a name, through to the disk.
    ///
    /// - Parameter path: the system's file, at most 16 KiB.
    /// - Throws: `.unavailable` when neither can be read, or none be made.
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
                // A damaged name is not made anew while what was made here still tells it.
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
    /// - Throws: `.unavailable` where the system names no machine, though it may have when the record was made (A25); `.damaged`
    ///   where the folder's own name for the machine is.
    func isHome(of record: ItemRecord) throws(DeviceRefusal) -> Bool {
        if homes.contains(record.home) { return true }
        if let doubt { throw doubt }
        return false
    }

    /// The name that most of the folder's files are bound to; nil where there are none.
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

/// What the system's file says.
private struct SystemName {
    let home: [UInt8]
    /// Whether that is a name: before its first boot a system says `uninitialized`, and so does every copy of it.
    let isName: Bool

    /// Reads it; nil where there is none, as containers have it, it is empty, or a sandbox hides it behind `/dev/null`.
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

    private static func isHidden(_ path: String) -> Bool {
        (try? FileStatus(of: path))?.isCharacterDevice ?? false
    }
}

extension [UInt8] {
    /// The same name whether or not its file ends its line, as an editor or a tool of images leaves it: always as a line, which is
    /// how the system writes it (machine-id(5)).
    var machineName: [UInt8] {
        let isEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        guard let last = lastIndex(where: { !isEnd($0) }) else { return [] }
        return self[...last] + [UInt8(ascii: "\n")]
    }
}
