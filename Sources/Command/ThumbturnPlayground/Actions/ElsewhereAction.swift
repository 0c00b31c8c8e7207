/// What the owner's other device does to the account; the password comes beside it.
enum ElsewhereAction: String, Hashable, Sendable, CaseIterable {
    /// Changes the password; the new one stands behind the present one, after a line end.
    case changePassword
    /// Takes the phone off the account's list.
    case revoke
}
