import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Anchors in the keychain, one row for each ledger's secret.
///
/// Restoring the app's files leaves them where they are. Who shares the access group shares them, and moves them by comparing
/// and changing in one step of the keychain. A row bears its position as a mark, which a change can ask for; its value is the
/// same bytes.
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
                // A damaged one gives way as one that is not there does; but never to one that no commit has used (A25).
                guard error == .damaged else { throw error }
                guard former == nil, next.isUsed else { return false }
                try keychain.erase(row)
            }
            let moved = try change(row, from: former.map { Data($0.bytes) }, to: Data(next.bytes))
            // A change was seen to fail without a word, and "not found" to be said of what is there.
            let present = try position(row)
            guard moved ? present == next : present != former && present != next else { throw .unavailable }
            return moved
        }
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await keychain.run { () throws(DeviceRefusal) in try keychain.erase(row(secret)) }
    }

    private func row(_ secret: ItemName) -> Keychain.Row { Keychain.Row(kind: .anchor, name: secret.text) }

    /// - Throws: `.damaged` where the keychain says so; `.unavailable` also for a row that is none of ours, or of a later version: nothing is known of that anchor.
    private func position(_ row: Keychain.Row) throws(DeviceRefusal) -> LedgerPosition? {
        let mark = try keychain.confirming { () throws(KeychainFailure) in try keychain.mark(of: row) }
        guard let mark else { return nil }
        guard let position = LedgerPosition(bytes: Array(mark)) else { throw .unavailable }
        return position
    }

    /// Makes or changes a row; false when it was not where it was asked for, or there already.
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
            // What failed in another way may have happened.
            guard error.isNotFound || error.isDuplicate else { throw .unavailable }
            return false
        }
    }
}
