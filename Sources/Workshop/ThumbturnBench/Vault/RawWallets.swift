import COpenSSL
import CSQLite
import ThumbturnConsole

/// The wallets of a file, read by SQLite and OpenSSL: the least for a command that checks all rows against the head.
@safe final class RawWallets {
    private let evp = RawEVP()
    private let digest = unsafe EVP_MD_fetch(nil, "SHA256", nil)
    private var handle: OpaquePointer?
    private var rows: OpaquePointer?
    private static let associatedData = [UInt8](repeating: 3, count: 35)

    /// Opens the file of a closed vault, and seals its labels anew under a key that protects nothing, keeping their
    /// length.
    init(opening path: String) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        guard unsafe sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { throw BenchError(what: path) }
        let box = try evp.seal([UInt8](repeating: 4, count: 25), associatedData: Self.associatedData)
        let labels = "UPDATE wallet SET label = x'\(box.map(Self.hexadecimal).joined())'"
        guard unsafe sqlite3_exec(handle, labels, nil, nil, nil) == SQLITE_OK,
            unsafe sqlite3_prepare_v2(handle, "SELECT id, tag, label, secret FROM wallet", -1, &rows, nil) == SQLITE_OK
        else { throw BenchError(what: "SQLite has no wallets in \(path)") }
    }

    deinit {
        unsafe sqlite3_finalize(rows)
        unsafe sqlite3_close(handle)
        unsafe EVP_MD_free(digest)
    }

    /// Reads every row, computes the digests for the head, and opens the labels.
    ///
    /// - Returns: the number of rows.
    @discardableResult
    func scan() throws -> Int {
        var digests: [UInt8] = []
        // Id and tag, the digests of both columns, then the digest of these four.
        var row = [UInt8](repeating: 0, count: 128)
        defer { unsafe sqlite3_reset(rows) }
        while unsafe sqlite3_step(rows) == SQLITE_ROW {
            unsafe row.withUnsafeMutableBytes { row in
                unsafe row.copyMemory(from: column(0))
                unsafe UnsafeMutableRawBufferPointer(rebasing: row[16...]).copyMemory(from: column(1))
                unsafe hash(column(2), into: row, at: 32)
                unsafe hash(column(3), into: row, at: 64)
                unsafe hash(UnsafeRawBufferPointer(rebasing: row[..<96]), into: row, at: 96)
            }
            digests += row[96...]
            unsafe try evp.open(Array(column(2)), associatedData: Self.associatedData)
        }
        var all = [UInt8](repeating: 0, count: 32)
        unsafe digests.withUnsafeBytes { bytes in
            unsafe all.withUnsafeMutableBytes { unsafe hash(bytes, into: $0, at: 0) }
        }
        return digests.count / 32
    }

    private func column(_ index: Int32) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(
            start: sqlite3_column_blob(rows, index),
            count: Int(sqlite3_column_bytes(rows, index))
        )
    }

    private func hash(_ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, at offset: Int) {
        let start = unsafe output.baseAddress?.advanced(by: offset).assumingMemoryBound(to: UInt8.self)
        _ = unsafe EVP_Digest(bytes.baseAddress, bytes.count, start, nil, digest, nil)
    }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
