/// Evidence that a slot's envelope opened and the key inside is the vault's.
///
/// Nothing else unlocks (P-107-01, INV-107-02, INV-107-03): the initialiser is hidden behind `@_spi(OpenedEnvelope)`,
/// and only one file of `Thumbturn` uses it, right after the envelope opened.
public struct UnlockProof: Hashable, Sendable {
    /// The kind of slot that opened.
    public let slot: SlotKind
    /// What the key revealed about the rest of the vault.
    public let integrity: VaultIntegrity

    /// Creates the proof for an envelope that was just opened.
    @_spi(OpenedEnvelope) public init(opened slot: SlotKind, integrity: VaultIntegrity) {
        self.slot = slot
        self.integrity = integrity
    }
}

/// Whether the data that the master key authenticates is as the vault wrote it.
public enum VaultIntegrity: Hashable, Sendable {
    /// Head and slots are authentic.
    case intact
    /// The slot opened but the head does not verify: only exports are safe, of the wallets whose own envelopes open.
    case tampered
    /// Head and slots are authentic, but may not be the newest: only export, until the owner accepts them.
    case putBack
}

/// What a session may do.
@nonexhaustive
public enum SessionScope: Hashable, Sendable {
    /// Everything.
    case full
    /// Reading and exporting wallets: the vault was tampered with, is an older copy, or was opened by recovery under
    /// `.pd107`.
    case exportOnly
}
