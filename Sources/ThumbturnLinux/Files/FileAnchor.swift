import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// Anchors in files, one for each ledger's secret: they are rolled back with the folder (A8).
package struct FileAnchor: Anchor {
    let folder: PrivateFolder
    let thread: WorkThread
    /// What names the machine: another one's anchor was never made here.
    let machine: MachineHome

    /// Reads an anchor.
    package func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in try position(folder, file) }
    }

    /// Moves an anchor.
    package func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in
            guard LedgerPosition.mayMove(try position(folder, file), from: former, to: next) else { return false }
            let record = ItemRecord(kind: .anchor, home: machine.home)
            try folder.replace(file, by: record.file(named: file, tail: SecretBytes(record: next.bytes)))
            return true
        }
    }

    /// Removes an anchor.
    package func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in try folder.remove(file) }
    }

    private func position(
        _ folder: borrowing PrivateFolder.Opened,
        _ file: String
    ) throws(DeviceRefusal) -> LedgerPosition? {
        guard let found = try folder.item(file) else { return nil }
        let size = found.tail.byteCount
        guard found.record.kind == .anchor, let position = LedgerPosition(bytes: found.tail.bytes(0..<size)) else {
            throw .unavailable
        }
        return try machine.isHome(of: found.record) ? position : nil
    }

    private func onFile<Result: Sendable>(
        of secret: ItemName,
        _ body: @escaping @Sendable (borrowing PrivateFolder.Opened, String) throws(DeviceRefusal) -> Result
    ) async throws(DeviceRefusal) -> Result {
        let file = "anchor." + (try secret.newFileName())
        return try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in try body(folder, file) }
        }
    }
}
