import ThumbturnJSON

/// What the screen of the device's trail asks of `TrailModel`.
package enum TrailAction: Hashable, Sendable {
    /// Reads the newest events, when the screen appears and to read it again.
    case read
    /// Reads the page before the earliest event that is shown.
    case earlier

    init(_ name: String, _ members: inout ActionMembers) throws(ScreenActionError) {
        switch name {
        case "read": self = .read
        case "earlier": self = .earlier
        default: throw .unknownAction
        }
    }

    var form: ActionForm {
        switch self {
        case .read: ActionForm("read")
        case .earlier: ActionForm("earlier")
        }
    }
}
