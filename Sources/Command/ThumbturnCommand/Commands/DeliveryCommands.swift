import Thumbturn
import ThumbturnAccount
import ThumbturnConsole
import ThumbturnRules

// audit push, and what account commands deliver beside what they were asked for.
extension Context {
    /// Delivers all that waits for the account's log.
    func pushTrail() async throws {
        try await withVault(mayLeaveTPM: false, readsWallets: false) { vault, _ in
            let account = AccountVault(vault, over: try await accountWithLog(of: vault).transport)
            try await vault.pressDelivery()
            let sent = await account.deliver()
            let state = await vault.trailDelivery
            let undelivered = state?.undelivered ?? 0
            var failure = Failure(sent.end, refusal: state?.refusal)
            failure?.isPrinted = output.isJSON
            let members: [(String, JSON)] = [
                ("delivered", .integer(Int64(clamping: sent.count))),
                ("undelivered", .integer(Int64(clamping: undelivered))), ("origin", JSON(state?.origin)),
            ]
            try output.print(
                Self.words(sent: sent.count, waiting: undelivered),
                json: JSON.object(members + (failure.map { [("error", output.json(of: $0))] } ?? []))
            )
            if let failure { throw failure }
        }
    }

    private func accountWithLog(of vault: Vault) async throws -> VaultAccount {
        do throws(VaultError) { return try await vault.requiredAccount } catch {
            guard error.code == .accountMismatch else { throw error }
            throw Failure(
                .accountMismatch,
                statement: Words(
                    "This vault has no account, whose log could get its trail.",
                    "Ce coffre n'a pas de compte dont le registre recevrait le journal."
                ),
                hint: Words(
                    "`thumbturn audit export FILE` writes the trail as a signed file",
                    "`thumbturn audit export FICHIER` écrit le journal dans un fichier signé"
                )
            )
        }
    }

    private static func words(sent count: UInt64, waiting: UInt64) -> Words {
        guard waiting > 0 else {
            return count > 0
                ? .events(count) + Words(" sent: the log has all.", " envoyés : le registre a tout.")
                : Words("The log has all events already.", "Le registre a déjà tous les événements.")
        }
        return .events(count) + Words(" sent, ", " envoyés, ") + Words("\(waiting)") + Words(" wait.", " en attente.")
    }

    /// Delivers for a moment behind an account command, which has printed its result; only a service that was caught is
    /// told of.
    func deliverBriefly(_ account: AccountVault) async {
        guard await account.vault.undeliveredEvents > 0,
            case .halted(let halt) = await account.deliver(within: Patience.afterCommand).end, halt.isEvidence
        else { return }
        output.note(halt.text)
    }

    /// Erases the vault; of an account's, delivers what it can within five seconds.
    ///
    /// - Returns: how many events go unsent.
    func resetDelivering(_ vault: Vault, _ confirmation: ResetConfirmation) async throws -> UInt64 {
        // A file of certificates that is gone must keep nobody from erasing.
        guard let account = await vault.account, let transport = try? account.transport else {
            let unsent = await vault.undeliveredEvents
            try await vault.reset(confirmation)
            return unsent
        }
        return try await AccountVault(vault, over: transport).resetAfterDelivery(confirmation)
    }
}

extension Failure {
    /// Why something still waits; `nil` if nothing does.
    init?(_ end: Delivery.End, refusal: String?) {
        switch end {
        case .complete: return nil
        case .unreadable(let error), .failed(let error, asked: _): self.init(error)
        case .halted(let halt):
            let text = halt.text + (halt == .refused ? Words(refusal.map { " (\($0))" } ?? "") : Words(""))
            self.init(
                halt.isEvidence ? .logContradicted : .auditUnavailable,
                statement: text.sentence,
                hint: halt.hint
            )
        }
    }
}
