import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

extension TestVault {
    /// An account's vault, and the log that its service keeps.
    static func make(
        at log: TestLog,
        of account: TestAccount = TestAccount(),
        biometrics: Bool = false
    ) async throws -> (made: TestVault, account: TestAccount) {
        let made = try await make(of: account, biometrics: biometrics)
        try await made.enrol(at: log)
        try await made.vault.learn(log.audit)
        return (made, account)
    }

    /// Tells the log the device's key, as a login does.
    func enrol(at log: TestLog) async throws {
        let known = try #require(await vault.account)
        log.enrol(known.device, try await vault.publicKey(of: known.deviceKey))
    }

    /// What would be sent next.
    func waiting() async throws -> TrailUpload {
        guard case .upload(let sent) = try await vault.nextUpload() else { throw NothingWaits() }
        return sent
    }

    struct NothingWaits: Error {}

    func halt() async throws -> TrailHalt? {
        guard case .halted(let halt) = try await vault.nextUpload() else { return nil }
        return halt
    }

    func isDone() async throws -> Bool {
        guard case .none = try await vault.nextUpload() else { return false }
        return true
    }

    /// What the log answers to an upload.
    func send(_ sent: TrailUpload, to log: TestLog) async throws -> TestLog.Reply {
        log.receive(
            sent.upload.header,
            signature: try await device.sign(sent.message, by: sent.key),
            body: sent.body,
            from: sent.upload.deviceId,
            since: sent.head?.size
        )
    }

    func receipt(of sent: TrailUpload, from log: TestLog) async throws -> ProvedReceipt {
        let reply = try await send(sent, to: log)
        try #require(reply.status == 200, "\(String(decoding: reply.body, as: UTF8.self))")
        return try ProvedReceipt(AuditReceipt(reading: reply.body), of: sent)
    }

    /// Delivers until nothing is to be sent.
    ///
    /// - Returns: the uploads, in order.
    @discardableResult
    func deliver(to log: TestLog) async throws -> [TrailUpload] {
        var uploads: [TrailUpload] = []
        while case .upload(let sent) = try await vault.nextUpload() {
            try await vault.delivered(sent, receipt(of: sent, from: log))
            uploads.append(sent)
        }
        return uploads
    }

    /// Ends the current chain by cutting off its last record; the next look begins another.
    func cutTrail() async throws {
        await vault.close()
        let last = try trailRow().epoch
        try tamper { try $0.removeEvents(from: last.number(of: last.next - 1)) }
    }

    /// What is stored of the log.
    func trailLog() throws -> TrailLog { try TrailLog(parsing: #require(try tamper { try $0.trailLog() }).body) }
}

extension Vault {
    /// Adds a chain of so many records that nothing wrote, and that wait.
    ///
    /// - Returns: its name.
    func owe(_ count: UInt64) async throws(VaultError) -> Identifier {
        let id = Identifier.make()
        try await turn { (_) async throws(VaultError) in
            try trail.revise { (row, _) throws(VaultError) in
                let (writer, start) = (row.epoch.writer, row.epoch.start)
                var chain = TrailRow.Epoch(
                    vault: row.epoch.vault,
                    writer: writer,
                    id: id,
                    start: start,
                    head: row.epoch.head
                )
                chain.next = count
                row.formers.append(chain)
                return true
            }
        }
        return id
    }

    /// Notes that the log has such a chain.
    func pay(_ id: Identifier) async throws(VaultError) {
        try await turn { (_) async throws(VaultError) in
            try trail.revise { (row, _) throws(VaultError) in row.revise(id) { $0.delivered = $0.next } }
        }
    }
}
