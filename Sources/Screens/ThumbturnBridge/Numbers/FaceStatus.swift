import CBridge

/// What a function of the header answers.
enum FaceStatus: tt_status, Sendable, CaseIterable {
    case ok = 0
    case handle = 1
    case argument = 2
    case configuration = 3
    case action = 4
    case ticket = 5
    case call = 6
    case secret = 7
    case buffer = 8
    case full = 9
    case main = 10
    case answer = 11
}
