/// Requirements that a file or a folder must meet before it is used.
package struct Demands: Sendable {
    /// The required kind.
    package enum Kind: Sendable { case file, folder }
    /// What its mode may let other users do.
    package enum Others: Sendable { case anything, readOnly, nothing }

    let kind: Kind
    let isOwn: Bool
    let hasOneName: Bool
    let others: Others

    /// Creates requirements for one kind.
    ///
    /// - Parameters:
    ///   - isOwn: whether it must belong to this user.
    ///   - hasOneName: whether it must have no second name, which may be in another user's folder. A file that was just
    ///     deleted has none.
    ///   - others: what other users may be allowed to do with it.
    package init(_ kind: Kind, isOwn: Bool = true, hasOneName: Bool = false, others: Others = .anything) {
        self.kind = kind
        self.isOwn = isOwn
        self.hasOneName = hasOneName
        self.others = others
    }

    /// A file anywhere, of any user.
    package static let plainFile = Demands(.file, isOwn: false)
    /// A folder of this user, closed to other users.
    package static let privateFolder = Demands(.folder, others: .nothing)
}
