import COpenSSL
import CSQLite
import Glibc
import Synchronization
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnJSON
import ThumbturnRules
import ThumbturnService

/// The least that uploads need, on as many threads as there are cores: the check of each signature by OpenSSL, our reader
/// of JSON and one SHA-256 for each record, and the rows that keep them, in one durable commit for a batch.
///
/// Each device's key is parsed once, and no upload is received or answered.
final class BareUploads: Sendable {
    // One of each thread.
    private let checks: [BareCheck]
    private let rows: Mutex<RawRows>
    private let next = Atomic<Int>(0)

    /// - Parameters:
    ///   - devices: their keys are in the order of the places that uploads name.
    ///   - file: is created, with the service's tables.
    init(_ devices: [BenchDevice], in file: String) throws {
        checks = (0..<coreCount).map { _ in BareCheck(devices.map(\.publicKey)) }
        try StoreLocation.sqlite(SQLiteFile(file)).open().close()
        rows = Mutex(try RawRows(file))
    }

    /// Takes uploads.
    ///
    /// - Parameter batch: how many come into one commit.
    /// - Returns: the seconds until all are stored.
    func take(_ uploads: [SignedUpload], batch: Int) throws -> Double {
        next.store(0, ordering: .relaxed)
        return try timed {
            try onThreads(coreCount) { [self] thread in
                while case let start = next.add(batch, ordering: .relaxed).oldValue, start < uploads.count {
                    let part = uploads[start..<min(start + batch, uploads.count)]
                    for upload in part { try checks[thread].check(upload) }
                    try rows.withLock { try $0.insert(part) }
                }
            }
        }
    }
}

/// The bare checks of uploads, on one thread.
@safe final class BareCheck: @unchecked Sendable {
    // Safe to send: one thread at a time uses it.
    private let keys: [[UInt8]]
    private let digest = unsafe EVP_MD_fetch(nil, "SHA256", nil)
    /// Of each device, once it has sent something.
    private var contexts: [OpaquePointer?]
    private var hash = [UInt8](repeating: 0, count: 32)

    /// - Parameter keys: SubjectPublicKeyInfo in DER.
    init(_ keys: [[UInt8]]) {
        self.keys = keys
        unsafe contexts = Array(repeating: nil, count: keys.count)
    }

    deinit {
        for index in keys.indices { unsafe EVP_PKEY_CTX_free(contexts[index]) }
        unsafe EVP_MD_free(digest)
    }

    func check(_ upload: SignedUpload) throws {
        try verify(upload.signature, of: upload.message, key: upload.device)
        for line in upload.lines { try read(line) }
    }

    func read(_ line: [UInt8]) throws {
        _ = try JSON(reading: line, byteLimit: line.count)
        sum(line)
    }

    func verify(_ signature: [UInt8], of message: [UInt8], key: Int) throws {
        sum(message)
        guard unsafe EVP_PKEY_verify(try context(key), signature, signature.count, hash, hash.count) == 1 else {
            throw BenchError(what: "a signature is wrong")
        }
    }

    private func sum(_ bytes: [UInt8]) { _ = unsafe EVP_Digest(bytes, bytes.count, &hash, nil, digest, nil) }

    private func context(_ index: Int) throws -> OpaquePointer? {
        if let context = unsafe contexts[index] { return unsafe context }
        let key = unsafe keys[index].withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return unsafe d2i_PUBKEY(nil, &start, bytes.count)
        }
        defer { unsafe EVP_PKEY_free(key) }
        unsafe contexts[index] = EVP_PKEY_CTX_new(key, nil)
        guard unsafe EVP_PKEY_verify_init(contexts[index]) == 1 else { throw BenchError(what: "OpenSSL refused") }
        return unsafe contexts[index]
    }
}

/// The rows of uploads by plain SQLite: records, uploads, and where each chain stands.
private final class RawRows: @unchecked Sendable {
    // Safe to send: one thread at a time uses it.
    private let database: RawSQLite
    private let leaf: RawStatement
    private let upload: RawStatement
    private let chain: RawStatement
    private var size: Int64 = 0

    init(_ file: String) throws {
        database = try RawSQLite(file)
        leaf = try database.prepare("INSERT INTO leaves (log, idx, leaf) VALUES (0, ?, ?)")
        upload = try database.prepare(
            """
            INSERT INTO uploads (log, first_idx, device_id, epoch, first_seq, record_count, header, signature, ts)
            VALUES (0, ?, ?, ?, ?, ?, ?, ?, 0)
            """
        )
        chain = try database.prepare(
            """
            INSERT INTO chains (log, device_id, epoch, user_id, public_key, next_seq, head, ended)
            VALUES (0, ?, ?, zeroblob(16), zeroblob(91), ?, ?, 0)
            ON CONFLICT DO UPDATE SET next_seq = excluded.next_seq, head = excluded.head
            """
        )
    }

    func insert(_ uploads: ArraySlice<SignedUpload>) throws {
        try database.run("BEGIN IMMEDIATE")
        for item in uploads {
            let (device, epoch) = (item.upload.deviceId.bytes, item.upload.epoch.bytes)
            try upload.run(
                .number(size),
                .bytes(device),
                .bytes(epoch),
                .number(Int64(item.upload.firstSeq)),
                .number(Int64(item.lines.count)),
                .bytes(item.upload.header),
                .bytes(item.signature)
            )
            for line in item.lines {
                try leaf.run(.number(size), .bytes(line))
                size += 1
            }
            try chain.run(
                .bytes(device),
                .bytes(epoch),
                .number(Int64(item.upload.lastSeq) + 1),
                .bytes(item.upload.headHash)
            )
        }
        try database.run("COMMIT")
    }
}
