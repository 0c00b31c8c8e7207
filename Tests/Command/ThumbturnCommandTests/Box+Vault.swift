import Foundation
import Testing
import ThumbturnConsole
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnCommand

extension Box {
    func sql<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let database = try Database(opening: database, format: VaultStore.format)
        defer { database.close() }
        return try body(database)
    }

    /// Puts a file of these bytes in the place of another.
    func replace(_ path: String, _ bytes: [UInt8]) throws {
        try #require(unsafe unlink(path) == 0)
        try Folders.write(bytes, to: path)
    }

    /// Leaves what a making that was cut off leaves: an empty file.
    func leaveUnfinishedVault() throws {
        try FileManager.default.createDirectory(
            atPath: vault,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Folders.write([], to: database)
    }

    /// The id of each wallet, by its name.
    func ids() throws -> [String: Identifier] {
        let wallets = try #require(json(["wallet", "list"], [Box.pin])["wallets"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: wallets.compactMap { wallet in
                guard let name = wallet["name"] as? String, let text = wallet["id"] as? String else { return nil }
                return Identifier(text: text).map { (name, $0) }
            }
        )
    }

    /// Makes a recovery key, and types it back.
    ///
    /// - Parameter place: the options that say where the vault is.
    func recoveryKey(_ place: [String] = []) throws -> String {
        let made = try run(["recovery", "create"] + place, [Box.pin]).standardOutput
        let key = String(try #require(made.split(separator: "\n").first))
        try run(["recovery", "check"] + place, [Box.pin, key]).succeeding()
        return key
    }

    /// Changes the last bit of what the first statement reads of a row, and writes it with the second.
    func flip(_ select: StaticString, _ update: StaticString, _ id: SQLiteValue = .integer(1)) throws {
        try sql { database in
            let bytes = try database.rows(select, id)[0].blob(0)
            let changed = Array(bytes.dropLast() + [bytes.last.map { $0 ^ 1 } ?? 0])
            try database.run(update, .blob(changed), id)
        }
    }

    func damageLabel(of wallet: Identifier) throws {
        let id = SQLiteValue.blob(wallet.bytes)
        try flip("SELECT label FROM wallet WHERE id = ?", "UPDATE wallet SET label = ? WHERE id = ?", id)
    }

    func damageSecret(of wallet: Identifier) throws {
        let id = SQLiteValue.blob(wallet.bytes)
        try flip("SELECT secret FROM wallet WHERE id = ?", "UPDATE wallet SET secret = ? WHERE id = ?", id)
    }
}
