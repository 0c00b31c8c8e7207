import Thumbturn
public import ThumbturnAccount
public import ThumbturnRules
import ThumbturnUI

// How far the account's log is, for a line in an app's settings.
extension AccountVault: DeliveryVault {
    /// How far the account's log has this device's events; nil for a vault without an account.
    public func delivery() async -> DeliveryFields.Waiting? {
        guard let known = await vault.trailDelivery else { return nil }
        return .init(
            count: known.undelivered,
            lastSent: known.deliveredAt,
            obstacle: known.halt.map { DeliveryFields.Obstacle($0) }
        )
    }

    /// Sends what waits, also what the service refused before.
    public func deliverNow() async throws(VaultError) {
        try await vault.pressDelivery()
        switch await deliver().end {
        case .complete: return
        // The line itself says what stands in the way.
        case .halted: return
        case .failed(let error, asked: _), .unreadable(let error): throw error
        }
    }
}

extension DeliveryFields.Obstacle {
    fileprivate init(_ halt: TrailHalt) {
        switch halt {
        case .logUnknown, .otherLog, .unknownDevice: self = .needsLogin
        case .refused: self = .refused
        case .inconsistent, .forgetful: self = .contradicted
        }
    }
}
