public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules
public import ThumbturnUI

/// Replaces a vault behind any screen, in a preview or a test: always says one snapshot, and refuses every change.
///
/// It opens nothing, so a test that goes further than one screen takes a real `Vault` on a `SimulatedDevice`.
public struct StillVault: Sendable {
    /// What is said; nil says nothing, as a vault that is still being read.
    public var snapshot: VaultSnapshot?
    /// The refusal of every change.
    public var refusal = ErrorCode.locked
    /// Why system authentication can't be turned on; nil when it can.
    public var obstacle: ErrorCode?
    /// When a backup of the present wallets was made; nil for none.
    public var backedUpAt: Milliseconds?
    /// The newest page of the trail; there is no other.
    public var trail = TrailPage(events: [])
    /// The reading of its clocks, which stand still.
    public var now = ClockReading(wall: .zero, boottime: .zero, bootID: .unnamedBoot(0))

    /// Creates a vault that says this.
    public init(_ snapshot: VaultSnapshot?) { self.snapshot = snapshot }
}

extension StillVault: ScreenVault {
    /// Says the snapshot once.
    public func snapshots() async -> AsyncStream<VaultSnapshot> {
        AsyncStream { continuation in if let snapshot { continuation.yield(snapshot) } }
    }

    /// Refuses.
    public func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(refusal)
    }
}

extension StillVault: OwnerVault {
    /// Refuses.
    public func unlockWithSystem(_ prompt: PromptText) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(refusal)
    }
}
