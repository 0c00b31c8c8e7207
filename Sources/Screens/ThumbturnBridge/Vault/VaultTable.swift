import ThumbturnFiles

/// The vaults that hosts of this process hold.
final class VaultTable: Sendable {
    static let shared = VaultTable(limit: 1_024)

    private struct State {
        var vaults: NumberTable<BridgedVault>
        /// Those that were closed, and still ask their device.
        var closing: [UInt64: BridgedVault] = [:]
    }

    private let state: Monitor<State>
    private let limit: Int

    init(limit: Int) {
        state = Monitor(State(vaults: NumberTable(.vault, limit: limit)))
        self.limit = limit
    }

    /// How many there are, closing ones too.
    var count: Int { state.change { $0.vaults.count + $0.closing.count } }

    /// Keeps a vault; nil when there are too many.
    func add(_ vault: BridgedVault) -> UInt64? {
        state.change { state in
            guard state.vaults.count + state.closing.count < limit else { return nil }
            return state.vaults.add(vault)
        }
    }

    /// Returns an open vault.
    subscript(_ handle: UInt64) -> BridgedVault? { state.change { $0.vaults[handle] } }

    /// Returns a vault whose device may still be asked.
    func answerable(_ handle: UInt64) -> BridgedVault? { state.change { $0.vaults[handle] ?? $0.closing[handle] } }

    /// Closes a vault: the handle means nothing from now on, but to its device.
    func close(_ handle: UInt64) -> BridgedVault? {
        state.change { state in
            guard let vault = state.vaults.remove(handle) else { return nil }
            state.closing[handle] = vault
            return vault
        }
    }

    /// Forgets a vault of which nothing is left.
    func forget(_ vault: BridgedVault) {
        state.change { state in state.closing = state.closing.filter { $0.value !== vault } }
    }
}
