import Foundation
import Thumbturn
import ThumbturnAccount
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

// The log of a scene's account. What its service was sent lies in the scene's folder, and no stop of this device changes it.
extension CrashScene {
    /// What the service knows: its log follows from that.
    private struct Records: Codable {
        /// The key of each device.
        var devices: [String: [UInt8]] = [:]
        /// The uploads, in the order in which they came.
        var uploads: [Upload] = []
        /// How many records there are before the transition.
        var count: UInt64 = 0
    }

    private struct Upload: Codable {
        let path: String
        let fields: [String: String]
        let body: [UInt8]
    }

    private var logFile: String { root + "/log" }

    var hasLog: Bool { FileManager.default.fileExists(atPath: logFile) }

    private func records() throws -> Records {
        guard hasLog else { return Records() }
        return try JSONDecoder().decode(Records.self, from: Data(contentsOf: URL(fileURLWithPath: logFile)))
    }

    private func set(_ records: Records) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try encoder.encode(records).write(to: URL(fileURLWithPath: logFile))
    }

    /// The keys, which are the same for every scene.
    private static let empty = Result { try TestLog() }

    /// The log after all that was sent.
    private func log(of records: Records) throws -> TestLog {
        let log = try TestLog()
        log.kept = try Self.empty.get().kept
        for (name, key) in records.devices { if let device = Identifier(text: name) { log.enrol(device, key) } }
        for upload in records.uploads { _ = log.receive(upload.path, upload.fields, upload.body) }
        return log
    }

    /// Lists a vault's device at the service, by the key that it has now.
    func list(_ vault: Vault) async throws {
        guard let account = await vault.account else { throw PartyError() }
        var records = try records()
        records.devices[account.device.text] = try await vault.publicKey(of: account.deviceKey)
        try set(records)
    }

    /// Tells a vault of the log; what it has by now is what the transition is about.
    func beginLog(_ vault: Vault) async throws {
        var records = try records()
        try await vault.learn(log(of: records).audit)
        records.count = await vault.undeliveredEvents
        try set(records)
    }

    /// Delivers a vault's trail.
    ///
    /// - Parameters:
    ///   - most: after how many uploads the service can't be reached any more.
    ///   - losesAnswer: whether the answer to the last of them is lost.
    func deliver(_ vault: Vault, uploads most: Int = .max, losesAnswer: Bool = false) async throws {
        let left = Left(most)
        // Another party may have followed the service to another address.
        guard let service = await vault.account?.service else { throw PartyError() }
        let transport = AccountTransport(origin: service.address) { request throws(TransportFailure) in
            guard let rest = left.take() else { throw .unreachable }
            let upload = Upload(path: request.path, fields: request.fields, body: request.body)
            guard let reply = try? take(upload) else { throw .unreachable }
            if rest == 0, losesAnswer { throw .lost }
            return AccountResponse(
                status: reply.status,
                retryAfter: nil,
                proof: nil,
                body: SecretBytes(text: String(decoding: reply.body, as: UTF8.self))
            )
        }
        switch await AccountVault(vault, over: transport).deliver().end {
        case .complete: break
        case .failed(let error, asked: _), .unreadable(let error): throw error
        case .halted: throw VaultError(.logContradicted)
        }
    }

    private func take(_ upload: Upload) throws -> TestLog.Reply {
        var records = try records()
        let reply = try log(of: records).receive(upload.path, upload.fields, upload.body)
        records.uploads.append(upload)
        try set(records)
        return reply
    }

    /// What log and vault have of the records that there were before the transition, and whether another delivery brings
    /// all, each once.
    func logFacts(of vault: Vault) async throws -> [String] {
        let before = try records()
        let had = try log(of: before).kept.records.count
        let waiting = await vault.undeliveredEvents
        try await deliver(vault)
        let all = try log(of: records()).kept.records
        let known = UInt64(all.count) - min(waiting, UInt64(all.count))
        let isOnce = Set(all.map(\.eventId)).count == all.count
        let left = await vault.undeliveredEvents
        return [
            "the log had \(min(UInt64(had), before.count)) of \(before.count)",
            "the vault knew of \(min(known, before.count))",
            "then it has \(min(UInt64(all.count), before.count)), each once: \(isOnce), and \(left) wait",
        ]
    }
}

/// How many uploads may still be sent.
private final class Left: @unchecked Sendable {
    // Safe to share: one delivery is under way at a time.
    private var count: Int

    init(_ count: Int) { self.count = count }

    /// - Returns: how many are left after this one; nil where none was.
    func take() -> Int? {
        guard count > 0 else { return nil }
        count -= 1
        return count
    }
}
