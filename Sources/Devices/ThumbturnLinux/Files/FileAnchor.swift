import ThumbturnCrypto
package import ThumbturnDevice
import ThumbturnFiles
package import ThumbturnRules

/// Anchors in files, one for each ledger's secret; they roll back together with the folder (A8).
package struct FileAnchor: Anchor {
    let folder: PrivateFolder
    let thread: WorkThread
    /// The machine's name: another machine's anchor reads as never made.
    let machine: MachineHome

    /// Reads an anchor.
    ///
    /// A position that the disk may not have yet is written again before it is returned.
    package func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in try standing(folder, file)?.position }
    }

    /// Moves an anchor.
    package func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in
            do throws(DeviceRefusal) {
                let standing = try standing(folder, file)
                guard LedgerPosition.mayMove(standing?.position, from: former, to: next) else { return false }
                try put(next, in: standing, folder, file)
            } catch {
                // A damaged anchor may be replaced as a missing one may, but never by a position that no commit has
                // used (A25).
                guard error == .damaged else { throw error }
                guard former == nil, next.isUsed else { return false }
                try put(next, in: nil, folder, file)
            }
            return true
        }
    }

    /// Removes an anchor.
    package func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await onFile(of: secret) { folder, file throws(DeviceRefusal) in try folder.remove(file) }
    }

    private func standing(
        _ folder: borrowing PrivateFolder.Opened,
        _ name: String
    ) throws(DeviceRefusal) -> AnchorSlots? {
        guard let bytes = try folder.plainBytes(of: name) else { return nil }
        let slots = try AnchorSlots(bytes, named: name)
        guard try machine.isHome(of: slots.record) else { return nil }
        if !slots.isOnDisk { try put(slots.position, in: slots, folder, name) }
        return slots
    }

    /// Writes an anchor's position through to the disk: in place if possible, else in a new file.
    private func put(
        _ position: LedgerPosition,
        in slots: AnchorSlots?,
        _ folder: borrowing PrivateFolder.Opened,
        _ name: String
    ) throws(DeviceRefusal) {
        let record = ItemRecord(kind: .anchor, home: machine.home)
        if let steps = slots?.steps(to: position, record, named: name), let file = try folder.openInPlace(name) {
            return try run(steps, on: file)
        }
        let new = AnchorSlots.make(position, record, named: name)
        try folder.replace(name, by: SecretBytes(record: new.bytes))
        if let file = try folder.openInPlace(name) { try run([new.noting], on: file) }
    }

    private func run(_ steps: [AnchorSlots.Step], on file: borrowing Descriptor) throws(DeviceRefusal) {
        do throws(FileError) {
            for step in steps {
                switch step {
                case .write(let bytes, let offset): try file.write(bytes, at: offset)
                case .flush: try file.synchronizeBytes()
                }
            }
        } catch {
            throw .unavailable
        }
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
