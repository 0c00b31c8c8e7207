import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Anchors in the keychain, one row for each ledger's secret.
///
/// Restoring the app's files does not change them. Apps that share the access group share them, and move them with one
/// atomic compare-and-change in the keychain. A row has its position as a mark, which a change can match; its value is
/// the same bytes.
struct AppleAnchor: Anchor {
    let keychain: Keychain

    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await keychain.run { () throws(DeviceRefusal) in try position(row(secret)) }
    }

    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await keychain.run { () throws(DeviceRefusal) in
            let row = row(secret)
            do throws(DeviceRefusal) {
                guard LedgerPosition.mayMove(try position(row), from: former, to: next) else { return false }
            } catch {
                // A damaged anchor may be replaced as a missing one may, but never by a position that no commit has
                // used (A25).
                guard error == .damaged else { throw error }
                guard former == nil, next.isUsed else { return false }
                try keychain.erase(row)
            }
            let moved = try change(row, from: former.map { Data($0.bytes) }, to: Data(next.bytes))
            // Changes have been seen to fail silently, and to report "not found" for existing rows, so read it back.
            let present = try position(row)
            guard moved ? present == next : present != former && present != next else { throw .unavailable }
            return moved
        }
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await keychain.run { () throws(DeviceRefusal) in try keychain.erase(row(secret)) }
    }

    private func row(_ secret: ItemName) -> Keychain.Row { Keychain.Row(kind: .anchor, name: secret.text) }

    /// - Throws: `.damaged` if the keychain says so; `.unavailable` also for a foreign row or one of a later version,
    ///   since the position of that anchor is unknown.
    private func position(_ row: Keychain.Row) throws(DeviceRefusal) -> LedgerPosition? {
        let mark = try keychain.confirming { () throws(KeychainFailure) in try keychain.mark(of: row) }
        guard let mark else { return nil }
        guard let position = LedgerPosition(bytes: Array(mark)) else { throw .unavailable }
        return position
    }

    /// Creates or changes a row; false if it did not have the position `former`, or exists already.
    private func change(_ row: Keychain.Row, from former: Data?, to next: Data) throws(DeviceRefusal) -> Bool {
        do {
            if let former {
                try keychain.replace(former, by: next, in: row)
            } else {
                let value = unsafe SecretBytes(byteCount: next.count) { buffer in unsafe buffer.copyBytes(from: next) }
                try keychain.add(value, as: row, mark: next)
            }
            return true
        } catch {
            // After any other failure the change may have happened.
            guard error.isNotFound || error.isDuplicate else { throw .unavailable.because(of: error.code) }
            return false
        }
    }
}
