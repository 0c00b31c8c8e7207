/// The feature flag of system authentication: closed, open to named users, or open to all (S-01).
///
/// A flag only offers: it is not part of a vault, changing it changes nothing that is stored, and a vault in system
/// mode can be used and can leave the mode regardless of the flag (A58).
public struct SystemModeFlag: Hashable, Sendable {
    /// Open to no one.
    package static let closed = SystemModeFlag(trustedUsers: [])
    /// Open to everyone.
    package static let open = SystemModeFlag(isOpen: true)

    private let isOpen: Bool
    private let users: Set<String>

    /// Opens the flag to these users, by the names that the app uses.
    package init(trustedUsers: Set<String>) {
        isOpen = false
        users = trustedUsers
    }

    private init(isOpen: Bool) {
        self.isOpen = isOpen
        users = []
    }

    /// Reads a list: one user per line, `*` for everyone; text after a `#` is a comment.
    public init(list: String) {
        let names = list.split(whereSeparator: \.isNewline).map { line in
            String(line.prefix { $0 != "#" }).trimmed
        }
        isOpen = names.contains("*")
        users = Set(names.filter { !$0.isEmpty && $0 != "*" })
    }

    /// Returns the offer to a user; nil while the flag is closed to them.
    public func offer(to user: String) -> SystemModeOffer? { isOpen || users.contains(user) ? SystemModeOffer() : nil }
}

/// An offer of system authentication to the current user; only a `SystemModeFlag` creates one.
public struct SystemModeOffer: Hashable, Sendable {
    init() {}
}

extension String {
    /// The text without leading and trailing white space.
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
