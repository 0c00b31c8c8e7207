/// Why a call on the bus returned no answer.
enum BusFailure: Error, Hashable {
    /// There is no bus, or it disconnected during the call.
    case disconnected
    /// The peer, or the bus, answered with the error of this name.
    case refused(String)
    /// The peer left or took too long; the call may or may not have been carried out.
    case noAnswer
    /// The answer does not have the shape its interface promises, or comes from another sender.
    case malformed
    /// The service does not run as the trusted user.
    case untrusted
}
