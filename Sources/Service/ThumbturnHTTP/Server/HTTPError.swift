/// Why a server did not start.
package enum HTTPError: Error {
    /// The host can't be resolved, or is not an address of this machine.
    case unknownHost
    /// The system refused to listen, with this `errno`.
    case cannotListen(errno: Int32)
    /// The certificate chain or its key can't be read, or they do not match.
    case certificate
    /// The system granted no thread, or no descriptor for one.
    case noThread
    /// A worker could not create its handler.
    case handler(any Error)
}
