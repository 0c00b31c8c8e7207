public import Thumbturn
import ThumbturnAudit
import ThumbturnCrypto
public import ThumbturnRules

/// What became of a delivery.
package struct Delivery: Sendable {
    /// Why it ended.
    package enum End: Sendable {
        /// Nothing waits any more.
        case complete
        /// Something waits, and only a login, another version of the service, or nothing at all can change that.
        case halted(TrailHalt)
        /// The service can't take it now; how long it asks to wait.
        case failed(VaultError, asked: Milliseconds? = nil)
        /// The vault is closed, or can't be read.
        case unreadable(VaultError)
    }

    /// How many records the log acknowledged.
    package fileprivate(set) var count: UInt64 = 0
    /// Why it ended.
    package fileprivate(set) var end = End.complete
}

// Delivery of the vault's trail to the account's log (F-107-10), oldest first; it holds no lock while it waits for the
// service, and nothing that opens the vault waits for it.
extension AccountVault {
    /// Delivers what waits, until all is there or something stands in the way; each upload waits for the one before.
    package func deliver() async -> Delivery {
        var delivery = Delivery()
        let account: VaultAccount
        do throws(VaultError) { account = try await self.account() } catch {
            delivery.end = .unreadable(error)
            return delivery
        }
        do throws(AccountFailure) {
            let client = try AccountClient(named: account.name, over: transport)
            var former: (sent: TrailUpload, step: Step)?
            while former?.step != .stop, !Task.isCancelled {
                switch try await nextUpload() {
                case .none: return delivery
                case .halted(let halt):
                    delivery.end = .halted(halt)
                    return delivery
                case .upload(let sent):
                    // What was acknowledged and did not move the position, as in a vault that was put back meanwhile.
                    if let former, former.sent.isSame(as: sent), former.step == .moved { throw .lost }
                    let step = try await send(sent, over: client, afterNonce: former?.step == .again, &delivery)
                    former = (sent, step)
                }
            }
            if former?.step != .stop { throw .lost }
        } catch {
            delivery.end = Delivery.End(error)
        }
        return delivery
    }

    /// Delivers what waits, and stops waiting after a span; what is under way by then may still arrive.
    package func deliver(within span: Milliseconds) async -> Delivery {
        await Race.first(within: span) { await deliver() }
            ?? Delivery(end: .failed(VaultError(.auditUnavailable, "no answer in time")))
    }

    /// What follows an answer.
    private enum Step {
        /// The position moved, or a chain ended.
        case moved
        /// The same records are sent once more, with another nonce.
        case again
        case stop
    }

    private func nextUpload() async throws(AccountFailure) -> NextUpload {
        do throws(VaultError) { return try await vault.nextUpload() } catch { throw .vault(error) }
    }

    private func send(
        _ sent: TrailUpload,
        over client: AccountClient,
        afterNonce isAgain: Bool,
        _ delivery: inout Delivery
    ) async throws(AccountFailure) -> Step {
        guard let signature = try await sign(sent) else { return .moved }
        let answer = try await client.deliver(sent, signature: signature)
        do throws(VaultError) {
            switch answer {
            case .acknowledged(let body):
                guard let receipt = try? AuditReceipt(reading: body) else { throw VaultError(.serviceNotProved) }
                try await accept(receipt, body, of: sent, &delivery)
            case .gap(let expected, let body):
                // It says what it has not; it would not where it has more.
                guard expected < sent.upload.firstSeq else { throw VaultError(.serviceNotProved) }
                try await vault.caught(.forgetful, answer: body, to: sent)
            case .forked: try await vault.forked(sent)
            case .nonceUsed:
                guard !isAgain else { throw VaultError(.serviceNotProved) }
                return .again
            case .otherLog: try await vault.awaitsLogin(.otherLog, after: sent)
            case .unknownDevice: try await vault.awaitsLogin(.unknownDevice, after: sent)
            case .refused(let code): try await vault.refused(sent, code)
            case .later(let asked):
                delivery.end = .failed(VaultError(.auditUnavailable), asked: asked)
                return .stop
            }
        } catch {
            throw .vault(error)
        }
        return .moved
    }

    /// Moves the position if the receipt holds; one that was signed and contradicts the kept head is evidence.
    private func accept(
        _ receipt: AuditReceipt,
        _ body: [UInt8],
        of sent: TrailUpload,
        _ delivery: inout Delivery
    ) async throws(VaultError) {
        let proved: ProvedReceipt
        do throws(AuditReceiptError) { proved = try ProvedReceipt(receipt, of: sent) } catch {
            switch error {
            case .malformed, .wrong, .unsigned: throw VaultError(.serviceNotProved, "\(error)")
            case .inconsistent:
                let isLess = sent.head.map { receipt.note.checkpoint.size < $0.size } ?? false
                return try await vault.caught(isLess ? .forgetful : .inconsistent, answer: body, to: sent)
            }
        }
        try await vault.delivered(sent, proved)
        delivery.count += sent.upload.count
    }

    /// Signs an upload; nil where the key is certainly gone, and nothing can be delivered of its chain any more.
    private func sign(_ sent: TrailUpload) async throws(AccountFailure) -> [UInt8]? {
        do throws(VaultError) { return try await vault.device.sign(sent.message, by: sent.key) } catch {
            guard error.code == .keyMissing else { throw .notSigned(error) }
        }
        do throws(VaultError) {
            guard try await vault.hasLost(sent.key) else { throw VaultError(.storageUnavailable, "device key") }
            try await vault.lostKey(of: sent)
            return nil
        } catch {
            throw .notSigned(error)
        }
    }
}

// Before what ends the device's part in the account.
extension AccountVault {
    /// Erases the vault as `Vault.reset(_:)`, after trying for five seconds to deliver its events.
    ///
    /// The account stays. It never waits longer for the service, and what it could not deliver goes with the vault.
    ///
    /// - Parameter confirmation: the owner's typed confirmation.
    /// - Returns: how many events go unsent.
    /// - Throws: as `Vault.reset(_:)`.
    @discardableResult
    public func resetAfterDelivery(_ confirmation: ResetConfirmation) async throws(VaultError) -> UInt64 {
        _ = await deliver(within: Patience.beforeReset)
        let unsent = await vault.undeliveredEvents
        try await vault.reset(confirmation)
        return unsent
    }

    /// Delivers what waits, also failures that are only counted yet, before a closed account's devices are refused.
    func deliverBeforeClosing() async {
        do throws(VaultError) { try await vault.pressDelivery() } catch { await vault.tolerate(error) }
        if case .failed(let error, _) = await deliver(within: Patience.service).end { await vault.tolerate(error) }
    }
}

// When: behind whatever was asked of the vault.
extension AccountVault {
    /// Delivers behind the caller's back, and again after a failure, for as long as an app holds the vault.
    func deliverBehind() {
        guard vault.configuration.deliversBehind else { return }
        let (transport, pace) = (transport, pace)
        Task { [weak vault] in
            guard await pace.begin() else { return }
            repeat {
                while let wait = await Self.attempt(vault, over: transport, pace) { await pace.sleep(wait) }
            } while await pace.goesOn()
        }
    }

    /// Delivers once; returns how long to wait before the next try, nil where there is none.
    private static func attempt(
        _ vault: Vault?,
        over transport: AccountTransport,
        _ pace: DeliveryPace
    ) async -> DeliveryPace.Wait? {
        guard let vault else { return nil }
        let delivery = await AccountVault(vault, over: transport).deliver()
        switch delivery.end {
        case .complete, .halted, .unreadable:
            await pace.succeed()
            return nil
        case .failed(let error, let asked):
            if delivery.count > 0 { await pace.succeed() }
            await vault.tolerate(error)
            return await pace.fail(asked: asked)
        }
    }

    /// Learns the keys of the account's log from a proved answer; a failure leaves that to the next login.
    static func learnLog(of vault: Vault, _ client: AccountClient, _ session: borrowing ServerSession) async {
        var client = client
        client.timeout = Patience.afterLogin
        do throws(AccountFailure) {
            guard let audit = try await client.account(session).audit else { return }
            do throws(VaultError) { try await vault.learn(audit) } catch { throw .vault(error) }
        } catch {
            await vault.tolerate(VaultError(error))
        }
    }
}

extension TrailUpload {
    fileprivate func isSame(as other: TrailUpload) -> Bool {
        (upload.epoch, upload.firstSeq, origin) == (other.upload.epoch, other.upload.firstSeq, other.origin)
    }
}

extension Delivery.End {
    fileprivate init(_ failure: AccountFailure) {
        switch failure {
        case .unreachable, .lost, .wait, .waitSenseless:
            self = .failed(VaultError(.auditUnavailable, VaultError(failure).diagnostic))
        case .vault(let error) where error.code != .serviceNotProved: self = .unreadable(error)
        case .notSigned(let error): self = .unreadable(error)
        default: self = .failed(VaultError(failure))
        }
    }
}
