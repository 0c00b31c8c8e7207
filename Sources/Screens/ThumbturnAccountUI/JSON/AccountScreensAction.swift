import ThumbturnScreenJSON

/// What the screens around an account's vault ask of `AccountScreensModel`.
package enum AccountScreensAction: String, Hashable, Sendable, CaseIterable {
    /// Looks for the vault once more.
    case start
    /// Begins anew once the vault was erased.
    case startAgain
    /// Leaves the vault where it knows its service.
    case stay
    /// Asks again whether the service has moved.
    case askAboutMove

    init(_ name: String) throws(ScreenActionError) {
        guard let action = Self(rawValue: name) else { throw .unknownAction }
        self = action
    }
}
