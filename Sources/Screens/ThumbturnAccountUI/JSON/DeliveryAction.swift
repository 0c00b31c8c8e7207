import ThumbturnScreenJSON

/// What the line about deliveries asks of `DeliveryModel`.
package enum DeliveryAction: String, Hashable, Sendable, CaseIterable {
    /// Reads again how far the account's log is, when the line appears.
    case refresh
    /// Sends what waits.
    case send

    init(_ name: String) throws(ScreenActionError) {
        guard let action = Self(rawValue: name) else { throw .unknownAction }
        self = action
    }
}
