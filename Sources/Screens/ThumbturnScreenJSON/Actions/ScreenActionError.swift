/// Why bytes are no action; never what they were.
package enum ScreenActionError: Error, Hashable, Sendable, CaseIterable {
    /// They are not JSON, too long, or nested.
    case notJSON
    /// The JSON is not an object.
    case notObject
    /// There is no such screen.
    case unknownScreen
    /// The screen has no such action.
    case unknownAction
    /// A member that the action needs is missing.
    case memberMissing
    /// A member is of another type, too long, or has a value that is not allowed.
    case memberWrong
    /// There is a member that the action does not have.
    case memberUnknown

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .notJSON: "NOT_JSON"
        case .notObject: "NOT_AN_OBJECT"
        case .unknownScreen: "UNKNOWN_SCREEN"
        case .unknownAction: "UNKNOWN_ACTION"
        case .memberMissing: "MEMBER_MISSING"
        case .memberWrong: "MEMBER_WRONG"
        case .memberUnknown: "MEMBER_UNKNOWN"
        }
    }

    /// An explanation that repeats nothing of the input.
    package var detail: String {
        switch self {
        case .notJSON: "an action is one line of JSON, up to \(ActionForm.maximumByteCount) bytes"
        case .notObject: "an action is an object"
        case .unknownScreen: "there is no such screen"
        case .unknownAction: "the screen has no such action"
        case .memberMissing: "a member that the action needs is missing"
        case .memberWrong: "a member has a value that it can't have"
        case .memberUnknown: "there is a member that the action does not have"
        }
    }
}
