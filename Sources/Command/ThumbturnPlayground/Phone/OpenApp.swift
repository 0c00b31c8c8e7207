import Observation
import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnUI

/// An app with its vault: the library's models, and what they and the vault last told.
@MainActor final class OpenApp {
    let vault: Vault
    let unlock: AppUnlockModel
    let biometrics: BiometricSettingsModel
    let system: SystemSettingsModel
    let pin: PINChangeModel
    let recoveryKey: RecoveryKeyModel
    private(set) var snapshot: VaultSnapshot?
    private(set) var trail: [AuditEntry] = []
    private(set) var wallets: [WalletSummary] = []
    private var opened: SlotKind?
    private let changed: @MainActor () -> Void
    private var tasks: [Task<Void, Never>] = []

    /// - Parameters:
    ///   - events: what the vault tells as it happens.
    ///   - changed: called when anything that a screen shows is another.
    init(_ vault: Vault, hearing events: AsyncStream<AuditEvent>, changed: @escaping @MainActor () -> Void) {
        self.vault = vault
        self.changed = changed
        unlock = AppUnlockModel(vault, secret: Self.secret)
        biometrics = BiometricSettingsModel(vault, secret: Self.secret)
        system = SystemSettingsModel(vault, offer: SystemModeFlag.open.offer(to: "owner"), secret: Self.secret)
        pin = PINChangeModel(vault, secret: Self.secret)
        recoveryKey = RecoveryKeyModel(vault, secret: Self.secret)
        observe()
        tasks = [
            Task { [weak self] in
                for await snapshot in await vault.snapshots() { await self?.take(snapshot) }
            },
            Task { [weak self] in
                await self?.readTrail()
                for await event in events { await self?.take(event) }
            },
        ]
    }

    /// The kind of secret: the playground's PINs have six digits.
    static let secret = SecretKind.pin(length: 6)

    var language = Language.english {
        didSet {
            (unlock.language, biometrics.language, system.language) = (language, language, language)
            (pin.language, recoveryKey.language) = (language, language)
        }
    }

    /// Ends the app without a trace of its session.
    func end() async {
        for task in tasks { task.cancel() }
        await vault.close()
    }

    /// The slot that opened the session.
    var openedSlot: SlotKind? { snapshot?.state.hasSession == true ? opened : nil }

    /// The screens, as the page draws them.
    func screens(in language: Language) -> [(String, JSON)] {
        [
            ("biometrics", biometrics.fields.json(in: language)),
            ("pin", pin.fields.json(in: language)),
            ("recoveryKey", recoveryKey.fields.json(in: language)),
            ("system", system.fields.json(in: language)),
            ("unlock", unlock.fields.json(in: language)),
            (
                "wallets",
                [
                    "list": .array(
                        wallets.map { wallet in
                            [
                                "id": .string(wallet.id.text), "kind": .string("\(wallet.kind)"),
                                "name": .string(wallet.name.text),
                            ]
                        }
                    )
                ]
            ),
        ]
    }

    /// Reads the wallets' names, which an open session shows.
    func readWallets() async {
        let read = (try? await vault.wallets()) ?? []
        // The names are sealed behind a lock that came meanwhile.
        wallets = snapshot?.state.hasSession == true ? read : []
        changed()
    }

    private func observe() {
        withObservationTracking {
            _ = (unlock.fields, biometrics.fields, system.fields, pin.fields, recoveryKey.fields)
        } onChange: { [weak self] in
            Task { @MainActor [weak self] in
                self?.changed()
                self?.observe()
            }
        }
    }

    private func take(_ next: VaultSnapshot) async {
        let former = snapshot
        snapshot = next
        if !next.state.hasSession {
            wallets = []
        } else if former?.state.hasSession != true || former?.walletCount != next.walletCount {
            // It waits for the call in progress, which may wait for a finger; the next snapshot must not.
            Task { [weak self] in await self?.readWallets() }
        }
        changed()
    }

    private func take(_ event: AuditEvent) async {
        if let slot = event.kind.opens(event.reason) { opened = slot }
        await readTrail()
    }

    private func readTrail() async {
        guard let entries = try? await vault.trail(limit: 1_000) else { return }
        trail = entries
        changed()
    }
}
