import Thumbturn
import ThumbturnRules

/// The vault of the app, and what it told last: the page's inside.
@MainActor final class OpenVault {
    let vault: Vault
    private(set) var snapshot: VaultSnapshot?
    private(set) var trail: [AuditEntry] = []
    private var opened: SlotKind?
    private let changed: @MainActor () -> Void
    private var follower: Task<Void, Never>?

    /// - Parameter changed: called when anything of it is another.
    init(_ vault: Vault, changed: @escaping @MainActor () -> Void) {
        self.vault = vault
        self.changed = changed
        follower = Task { [weak self] in
            await self?.readTrail()
            for await snapshot in await vault.snapshots() {
                self?.snapshot = snapshot
                changed()
            }
        }
    }

    deinit { follower?.cancel() }

    /// The slot that opened the session.
    var openedSlot: SlotKind? { snapshot?.state.hasSession == true ? opened : nil }

    /// Hears what the vault tells as it happens.
    func take(_ event: AuditEvent) async {
        if let slot = event.kind.opens(event.reason) { opened = slot }
        await readTrail()
    }

    private func readTrail() async {
        guard let entries = try? await vault.trail(limit: 1_000) else { return }
        trail = entries
        changed()
    }
}
