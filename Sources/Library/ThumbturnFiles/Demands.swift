/// What must be so of a file or a folder before it is used.
package struct Demands: Sendable {
    /// What lies there.
    package enum Kind: Sendable { case file, folder }
    /// What its mode may let others do.
    package enum Others: Sendable { case anything, readOnly, nothing }

    let kind: Kind
    let isOwn: Bool
    let hasOneName: Bool
    let others: Others

    /// Demands of a kind of thing what is told.
    ///
    /// - Parameters:
    ///   - isOwn: whether it belongs to this user.
    ///   - hasOneName: whether no second name, which may lie in a folder of somebody else, leads to it. A file that was just
    ///     deleted has none.
    ///   - others: what everybody else may do with it.
    package init(_ kind: Kind, isOwn: Bool = true, hasOneName: Bool = false, others: Others = .anything) {
        self.kind = kind
        self.isOwn = isOwn
        self.hasOneName = hasOneName
        self.others = others
    }

    /// A file that may lie anywhere, and be anybody's.
    package static let plainFile = Demands(.file, isOwn: false)
    /// A folder of this user's, closed to everybody else.
    package static let privateFolder = Demands(.folder, others: .nothing)
}
