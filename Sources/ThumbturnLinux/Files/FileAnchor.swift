import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// Counters in files, one for each device secret: they are rolled back with the folder (A8).
public struct FileAnchor: Anchor {
    let folder: PrivateFolder
    let thread: WorkThread
    /// What names the machine: another one's counter was never made here.
    let home: [UInt8]

    /// Reads a counter.
    public func value(for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in try count(folder, file) }
    }

    /// Raises a counter.
    @discardableResult
    public func raise(to value: UInt64, for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in
            let former = try count(folder, file)
            if let former, former >= value { return former }
            var writer = ByteWriter()
            writer.writeUInt64(value)
            let record = ItemRecord(kind: .anchor, home: home)
            try folder.replace(file, by: record.file(named: file, tail: SecretBytes(record: writer.bytes)))
            return former
        }
    }

    /// Removes a counter.
    public func remove(for secret: ItemName) async throws(DeviceRefusal) {
        _ = try await onFile(of: secret) { folder, file throws(DeviceRefusal) in
            try folder.remove(file)
            return nil
        }
    }

    private func count(
        _ folder: borrowing PrivateFolder.Opened,
        _ file: String
    ) throws(DeviceRefusal) -> UInt64? {
        guard let found = try folder.item(file) else { return nil }
        guard found.record.kind == .anchor, found.tail.byteCount == 8 else { throw .unavailable }
        guard found.record.home == home else { return nil }
        return found.tail.bytes(0..<8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func onFile(
        of secret: ItemName,
        _ body: @escaping @Sendable (borrowing PrivateFolder.Opened, String) throws(DeviceRefusal) -> UInt64?
    ) async throws(DeviceRefusal) -> UInt64? {
        let file = "anchor." + (try secret.newFileName())
        return try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in try body(folder, file) }
        }
    }
}
