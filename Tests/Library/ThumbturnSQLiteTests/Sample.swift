import Foundation
import ThumbturnSQLite
import ThumbturnTestKit

extension TemporaryFolder {
    var file: String { folder + "/vault.db" }
    var folder: String { path + "/vault" }

    /// Everything that lies in the vault's folder, by name.
    func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
        }
        return contents
    }

    /// Replaces the vault's folder by one with these files.
    func replaceContents(with files: [String: Data]) throws {
        try? FileManager.default.removeItem(atPath: folder)
        try makeFolder(folder)
        for (name, data) in files { try ThumbturnSQLiteTests.write(data, to: folder + "/" + name) }
    }
}

func makeFolder(_ path: String, mode: Int = 0o700) throws {
    try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: mode]
    )
}

func write(_ data: Data, to path: String) throws {
    guard FileManager.default.createFile(atPath: path, contents: data, attributes: [.posixPermissions: 0o600]) else {
        throw CocoaError(.fileWriteUnknown)
    }
}

/// Two tables that every transaction of the tests changes together, so that half a transaction shows.
enum Sample {
    static let format = Database.Format(
        applicationID: 0x5454_5354,
        version: 3,
        schema: [
            "CREATE TABLE head(id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, note TEXT)",
            "CREATE TABLE envelope(name TEXT PRIMARY KEY, generation INTEGER NOT NULL, body BLOB)",
        ]
    )

    /// Makes a database at generation 0.
    static func create(at path: String, format: Database.Format = format, vfs: String? = nil) throws -> Database {
        let database = try Database(creating: path, format: format, vfs: vfs)
        try database.begin()
        try database.run("INSERT INTO head VALUES (1, 0, 'note')")
        for name in ["first", "second"] {
            try database.run(
                "INSERT INTO envelope VALUES (?, 0, ?)",
                .text(name),
                .blob(Array(repeating: 7, count: 3_000))
            )
        }
        try database.commit()
        return database
    }

    /// Raises the generation in both tables, in one transaction.
    static func advance(_ database: Database) throws {
        try database.begin()
        do {
            let next = try generation(of: database) + 1
            let body = [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: 3_000)
            try database.run("UPDATE head SET generation = ?", .integer(next))
            try database.run("UPDATE envelope SET generation = ?, body = ?", .integer(next), .blob(body))
        } catch {
            database.rollback()
            throw error
        }
        try database.commit()
    }

    /// The generation of every row, provided that all agree; half a transaction is `.corrupt`.
    static func generation(of database: Database) throws -> Int64 {
        let heads = try database.rows("SELECT generation FROM head")
        let envelopes = try database.rows("SELECT generation, body FROM envelope")
        guard heads.count == 1, envelopes.count == 2 else { throw SQLiteError.corrupt }
        let generation = try heads[0].integer(0)
        for row in envelopes {
            let byte = generation == 0 ? 7 : UInt8(truncatingIfNeeded: generation)
            guard try row.integer(0) == generation, try row.blob(1) == Array(repeating: byte, count: 3_000) else {
                throw SQLiteError.corrupt
            }
        }
        return generation
    }
}
