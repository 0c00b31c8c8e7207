import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Counters in the keychain, one row for each device secret.
///
/// Restoring the app's files leaves them where they are. Who shares the access group shares them, and raises them by
/// comparing and changing in one step of the keychain.
struct AppleAnchor: Anchor {
    let keychain: Keychain

    /// How often others may get ahead of one rise before it is given up.
    private static let maximumTries = 64

    func value(for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        try await keychain.run { () throws(DeviceRefusal) in try stored(row(secret)).map(Self.count) }
    }

    @discardableResult
    func raise(to value: UInt64, for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        try await keychain.run { () throws(DeviceRefusal) in
            let row = row(secret)
            for _ in 0..<Self.maximumTries {
                let former = try stored(row)
                let count = former.map(Self.count)
                if let count, count >= value { return count }
                guard try move(row, from: former, to: Self.bytes(value)) else { continue }
                return count
            }
            throw .unavailable
        }
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try await keychain.run { () throws(DeviceRefusal) in try keychain.erase(row(secret)) }
    }

    private func row(_ secret: ItemName) -> Keychain.Row { Keychain.Row(kind: .anchor, name: secret.text) }

    private func stored(_ row: Keychain.Row) throws(DeviceRefusal) -> Data? {
        try keychain.confirming { () throws(KeychainFailure) in try keychain.value(of: row) }
    }

    /// Makes or changes the counter; false when somebody else did so meanwhile.
    private func move(_ row: Keychain.Row, from former: Data?, to new: Data) throws(DeviceRefusal) -> Bool {
        do {
            if let former {
                try keychain.replace(former, by: new, in: row)
            } else {
                let value = unsafe SecretBytes(byteCount: new.count) { buffer in unsafe buffer.copyBytes(from: new) }
                try keychain.add(value, as: row, mark: new)
            }
        } catch {
            guard error.isNotFound || error.isDuplicate else { throw DeviceRefusal(error) }
            return false
        }
        // A change was seen to fail without a word.
        guard let count = try stored(row).map(Self.count), count >= Self.count(new) else { throw .unavailable }
        return true
    }

    private static func bytes(_ count: UInt64) -> Data {
        var writer = ByteWriter()
        writer.writeUInt64(count)
        return Data(writer.bytes)
    }

    /// A row of another length is none of ours; it reads as the highest count, which only adds demands.
    private static func count(_ bytes: Data) -> UInt64 {
        var reader = ByteReader(Array(bytes))
        guard bytes.count == 8, let count = try? reader.readUInt64() else { return .max }
        return count
    }
}
