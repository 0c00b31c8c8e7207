import ThumbturnFiles

extension Database {
    /// Whether something lies at a path.
    package enum Presence: Equatable, Sendable {
        case present
        case absent
        /// The question has no answer now; `errno` says why. Never to be taken for `absent`.
        case unreachable(errno: Int32)
    }

    /// Asks whether anything lies at `path`, a dangling symbolic link or an empty file included.
    ///
    /// Only the system's "no such file" counts as absent (attack A19: a fault must not look like a missing vault).
    package static func presence(of path: String) -> Presence {
        do {
            _ = try FileStatus(of: path)
            return .present
        } catch {
            return error == .absent ? .absent : .unreachable(errno: error.number)
        }
    }
}
