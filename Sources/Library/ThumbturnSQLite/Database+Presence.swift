import ThumbturnFiles

extension Database {
    /// Whether there is anything at a path.
    package enum Presence: Equatable, Sendable {
        case present
        case absent
        /// The state is unknown at present; `errno` says why.
        ///
        /// Never treat it as `absent`.
        case unreachable(errno: Int32)
    }

    /// Checks for anything at `path`, including a dangling symbolic link or an empty file.
    ///
    /// Only the system's "no such file" counts as absent: a fault must not look like a missing vault (attack A19).
    package static func presence(of path: String) -> Presence {
        do {
            _ = try FileStatus(of: path)
            return .present
        } catch {
            return error == .absent ? .absent : .unreachable(errno: error.number)
        }
    }
}
