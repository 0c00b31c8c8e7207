/// The feature flag of system authentication: closed, opened to named users, or open to all (S-01).
///
/// A flag only ever offers: it is no part of a vault, changing it changes nothing that is stored, and a vault in system mode
/// stays usable and can leave it whatever the flag says (A58).
public struct SystemModeFlag: Hashable, Sendable {
    /// Offers it to nobody.
    package static let closed = SystemModeFlag(trustedUsers: [])
    /// Offers it to everybody.
    package static let open = SystemModeFlag(isOpen: true)

    private let isOpen: Bool
    private let users: Set<String>

    /// Offers it to these users, named as the app names them.
    package init(trustedUsers: Set<String>) {
        isOpen = false
        users = trustedUsers
    }

    private init(isOpen: Bool) {
        self.isOpen = isOpen
        users = []
    }

    /// Reads a list: one user a line, `*` for everybody, and what follows a `#` is a comment.
    public init(list: String) {
        let names = list.split(whereSeparator: \.isNewline).map { line in
            String(line.prefix { $0 != "#" }).trimmed
        }
        isOpen = names.contains("*")
        users = Set(names.filter { !$0.isEmpty && $0 != "*" })
    }

    /// The offer to a user; nil while the flag is closed to them.
    public func offer(to user: String) -> SystemModeOffer? {
        isOpen || users.contains(user) ? SystemModeOffer() : nil
    }
}

/// That system authentication is offered to the user at hand; only a `SystemModeFlag` gives it.
public struct SystemModeOffer: Hashable, Sendable {
    init() {}
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
