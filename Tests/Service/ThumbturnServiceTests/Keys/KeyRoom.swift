import Testing
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnService

/// A store with its service keys, and rows to seal, for one test.
final class KeyRoom: Sendable {
    let store: StoreRoom
    let file: ServiceKeyFile
    private let folder: TemporaryFolder

    /// What every row of `fill` seals.
    static let verifier = Array("verifier".utf8)
    static let envelope = Array("envelope".utf8)

    /// - Parameter server: the server to use instead of the shared one.
    init(_ backing: Backing, on server: OwnServer? = nil) throws {
        store = try StoreRoom(backing, on: server)
        folder = try TemporaryFolder()
        file = ServiceKeyFile(folder.file("service.key"))
        try file.create()
    }

    var keyPath: String { folder.file("service.key") }
    func keyBytes() throws -> [UInt8] { try folder.read("service.key") }
    func setKeyBytes(_ bytes: [UInt8]) throws { try folder.write(bytes, to: "service.key") }

    /// The store, with a name key and the file's.
    func open() throws -> (store: any Store, keys: ServiceKeys) {
        let store = try store.open()
        let keys = try ServiceKeys(file)
        _ = try NameKey.establish(in: store, keys)
        return (store, keys)
    }

    /// Adds accounts, of which every second has an envelope, and for each a token and a handshake.
    static func fill(_ numbers: ClosedRange<UInt8>, _ store: any Store, _ keys: ServiceKeys, epoch: Int64 = 3) throws {
        for number in numbers {
            try store.transaction { transaction throws(StoreError) in
                let sealer = try keys.sealer(in: transaction)
                try transaction.addAccount(number, epoch, sealer)
                try transaction.addToken(number, epoch, sealer)
                try transaction.addHandshake(number, epoch, sealer)
                try transaction.addDevice(number, sealer)
            }
        }
    }

    /// Opens all that `fill` sealed.
    static func check(_ count: Int, _ store: any Store, _ keys: ServiceKeys, epoch: Int64 = 3) throws {
        let boxes = try store.reading { transaction throws(StoreError) in try transaction.sealedValues() }
        #expect(boxes.filter { $0.cell.column == "accounts.verifier" }.count == count)
        for (cell, box) in boxes {
            let value = try keys.open(box, cell).withBytes { Array(copying: $0) }
            switch cell {
            case .verifier(_, let found): #expect(value == verifier && found == epoch)
            case .envelope(_, let found): #expect(value == envelope && found == epoch)
            case .name(let account): #expect(value == account)
            case .sessionKey(let token, _, _, _, _): #expect(value == token)
            case .handshakeSecret(let handshake, _, _): #expect(value == handshake)
            case .contactKey(let device, _): #expect(value == device)
            case .nameKey: #expect(value.count == 32)
            }
        }
    }
}

extension StoreTransaction {
    func addAccount(_ number: UInt8, _ epoch: Int64, _ sealer: Sealer) throws(StoreError) {
        let account = [UInt8](repeating: number, count: 16)
        let envelope =
            number % 2 == 0 ? try sealer.seal(KeyRoom.envelope, .envelope(account: account, epoch: epoch)) : nil
        try run(
            """
            INSERT INTO accounts (user_id, name_hash, name, srp_group, salt, memory_kib, passes, verifier, envelope, epoch,
                password_changed_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
            """,
            .blob(account),
            .blob([number]),
            .blob(try sealer.seal(account, .name(account: account))),
            .text("rfc5054-3072"),
            .blob([1]),
            .integer(65_536),
            .integer(3),
            .blob(try sealer.seal(KeyRoom.verifier, .verifier(account: account, epoch: epoch))),
            .optional(envelope),
            .integer(epoch),
            .integer(1),
            .integer(1)
        )
    }

    func addToken(_ number: UInt8, _ epoch: Int64, _ sealer: Sealer) throws(StoreError) {
        let (account, token) = ([UInt8](repeating: number, count: 16), [UInt8](repeating: number, count: 32))
        let cell = SealedCell.sessionKey(token: token, account: account, epoch: epoch, loginAt: 5, expiresAt: 9)
        try run(
            """
            INSERT INTO tokens (hash, user_id, epoch, login_at, expires_at, session_key)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .blob(token),
            .blob(account),
            .integer(epoch),
            .integer(5),
            .integer(9),
            .blob(try sealer.seal(token, cell))
        )
    }

    func addHandshake(_ number: UInt8, _ epoch: Int64, _ sealer: Sealer) throws(StoreError) {
        let (account, id) = ([UInt8](repeating: number, count: 16), [UInt8](repeating: number ^ 0xFF, count: 16))
        let cell = SealedCell.handshakeSecret(handshake: id, account: account, epoch: epoch)
        try run(
            """
            INSERT INTO handshakes
                (id, name_hash, network, user_id, epoch, srp_group, client_value, server_value, secret, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            .blob(id),
            .blob(id),
            .blob([1]),
            .blob(account),
            .integer(epoch),
            .text("rfc5054-3072"),
            .blob([2]),
            .blob([3]),
            .blob(try sealer.seal(id, cell)),
            .integer(9)
        )
    }

    func addDevice(_ number: UInt8, _ sealer: Sealer) throws(StoreError) {
        let (account, id) = ([UInt8](repeating: number, count: 16), [UInt8](repeating: number ^ 0xF0, count: 16))
        try run(
            """
            INSERT INTO devices (device_id, user_id, public_key, algorithm, created_at, contact_key)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .blob(id),
            .blob(account),
            .blob([1]),
            .text("ecdsa-p256-sha256"),
            .integer(1),
            .blob(try sealer.seal(id, .contactKey(device: id, account: account)))
        )
    }

    /// All sealed values, with their cells as the rows around them say.
    func sealedValues() throws(StoreError) -> [(cell: SealedCell, box: [UInt8])] {
        var values: [(cell: SealedCell, box: [UInt8])] = []
        for row in try rows("SELECT user_id, epoch, name, verifier, envelope FROM accounts") {
            let (account, epoch) = (try row.blob(0), try row.integer(1))
            values.append((.name(account: account), try row.blob(2)))
            values.append((.verifier(account: account, epoch: epoch), try row.blob(3)))
            if let envelope = try row.optionalBlob(4) {
                values.append((.envelope(account: account, epoch: epoch), envelope))
            }
        }
        for row in try rows("SELECT hash, user_id, epoch, login_at, expires_at, session_key FROM tokens") {
            let cell = SealedCell.sessionKey(
                token: try row.blob(0),
                account: try row.blob(1),
                epoch: try row.integer(2),
                loginAt: try row.integer(3),
                expiresAt: try row.integer(4)
            )
            values.append((cell, try row.blob(5)))
        }
        for row in try rows("SELECT id, user_id, epoch, secret FROM handshakes") {
            let cell = SealedCell.handshakeSecret(
                handshake: try row.blob(0),
                account: try row.blob(1),
                epoch: try row.integer(2)
            )
            values.append((cell, try row.blob(3)))
        }
        for row in try rows("SELECT device_id, user_id, contact_key FROM devices") {
            let cell = SealedCell.contactKey(device: try row.blob(0), account: try row.blob(1))
            values.append((cell, try row.blob(2)))
        }
        if let row = try row("SELECT value FROM keys WHERE purpose = 'name'") {
            values.append((.nameKey, try row.blob(0)))
        }
        return values
    }
}

/// A store that fails at the n-th transaction, once before it ran or once behind it.
final class FailingStore: Store {
    private let store: any Store
    private var left: Int
    private let isStored: Bool

    init(_ store: any Store, at transaction: Int, isStored: Bool) {
        (self.store, left, self.isStored) = (store, transaction, isStored)
    }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        left -= 1
        guard left == 0 else { return try store.transaction(body) }
        if isStored { _ = try store.transaction(body) }
        throw .uncertain
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.reading(body)
    }

    func close() {}
}

/// A store behind whose transactions something happens.
final class FollowedStore: Store {
    private let store: any Store
    private let follow: () -> Void

    init(_ store: any Store, follow: @escaping () -> Void) { (self.store, self.follow) = (store, follow) }

    func transaction<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        defer { follow() }
        return try store.transaction(body)
    }

    func reading<R>(_ body: (any StoreTransaction) throws(StoreError) -> R) throws(StoreError) -> R {
        try store.reading(body)
    }

    func close() {}
}
