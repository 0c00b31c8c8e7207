import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension ItemName {
    /// The file name of the item; nil for a name that no item here can have.
    ///
    /// Lower-case letters, digits, dots and dashes after `thumbturn.` never form a path or a hidden file.
    var fileName: String? {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "."), UInt8(ascii: "-"): true
            default: false
            }
        }
        return isPlain && vault != nil ? text : nil
    }

    /// Returns the file name for a new item.
    ///
    /// - Throws: `.unclassified` for a name of another form, which is our own bug.
    func newFileName() throws(DeviceRefusal) -> String {
        guard let fileName else { throw .unclassified }
        return fileName
    }
}

// Records in the folder.
extension PrivateFolder.Opened {
    /// Reads an item's file; nil when it is confirmed to be missing.
    borrowing func item(_ fileName: String?) throws(DeviceRefusal) -> ItemRecord.File? {
        guard let fileName, let file = try read(fileName) else { return nil }
        return try ItemRecord.parse(file, named: fileName)
    }

    borrowing func add(_ record: ItemRecord, tail: borrowing SecretBytes, as fileName: String) throws(DeviceRefusal) {
        try add(record.file(named: fileName, tail: tail), as: fileName)
    }

    /// Throws if a name is taken, before anything is made for it.
    borrowing func requireFree(_ fileName: String) throws(DeviceRefusal) {
        guard try !contains(fileName) else { throw .unclassified }
    }

    /// Removes an item's file after the parts of its slots: after a crash in between, a later call must still find the
    /// rest.
    borrowing func removeItem(_ fileName: String) throws(DeviceRefusal) {
        for name in try names() where name.hasPrefix(fileName + ".") { try remove(name) }
        try remove(fileName)
    }

    /// Returns the items that a finger guards and that end together with `name`, by file; unreadable ones are left out.
    borrowing func guardedItems(with name: ItemName) throws(DeviceRefusal) -> [String: ItemRecord] {
        var items: [String: ItemRecord] = [:]
        for file in try names() {
            guard let item = ItemName(text: file), item.endsTogether(with: name) else { continue }
            guard let record = try? self.item(file)?.record, record.access == .currentBiometrySet else { continue }
            items[file] = record
        }
        return items
    }
}

extension ItemName {
    /// Whether two items end together when the enrolled set changes: those of one vault, and all credentials of a
    /// folder, whose names have no vault in common.
    func endsTogether(with other: ItemName) -> Bool {
        if purpose == .credential { return other.purpose == .credential }
        return vault != nil && vault == other.vault && other.purpose != .credential
    }
}

extension SecretBytes {
    static func none() -> SecretBytes { unsafe SecretBytes(byteCount: 0) { _ in } }
}
