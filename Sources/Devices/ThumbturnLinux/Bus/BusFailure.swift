/// Why a call on the bus gave no answer.
enum BusFailure: Error, Hashable {
    /// There is no bus, or it went away while the call was under way.
    case disconnected
    /// The peer, or the bus, answered with the error of this name.
    case refused(String)
    /// The peer left or took too long; whether the call was carried out isn't known.
    case noAnswer
    /// The answer has another shape than its interface promises, or comes from somebody else.
    case malformed
    /// The service isn't run by whom we trust.
    case untrusted
}
