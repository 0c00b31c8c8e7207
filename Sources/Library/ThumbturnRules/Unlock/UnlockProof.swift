/// Evidence that a slot's envelope opened and the key inside is the vault's.
///
/// Nothing else unlocks (P-107-01, INV-107-02, INV-107-03): the initialiser hides behind `@_spi(OpenedEnvelope)`, and one
/// file of `Thumbturn` uses it, right after the envelope opened.
public struct UnlockProof: Hashable, Sendable {
    /// Which way in was taken.
    public let slot: SlotKind
    /// What the key said of the rest of the vault.
    public let integrity: VaultIntegrity

    /// Vouches for an envelope that was just opened.
    @_spi(OpenedEnvelope) public init(opened slot: SlotKind, integrity: VaultIntegrity) {
        self.slot = slot
        self.integrity = integrity
    }
}

/// Whether what the master key authenticates is as the vault wrote it.
public enum VaultIntegrity: Hashable, Sendable {
    /// Head and slots are authentic.
    case intact
    /// The slot opened but the head does not verify: only export is safe, over the wallets whose own envelopes open.
    case tampered
    /// Head and slots are authentic, but nobody can say that they are the newest: only export, until the owner says so.
    case putBack
}

/// What a session may do.
@nonexhaustive
public enum SessionScope: Hashable, Sendable {
    /// Everything.
    case full
    /// Read and export wallets: the vault was tampered with, an older copy was put back, or recovery under `.pd107`.
    case exportOnly
}
