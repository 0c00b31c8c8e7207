/// Why a server did not start.
package enum HTTPError: Error {
    /// The host is no address of this machine, or has no such name.
    case unknownHost
    /// The system refused to listen; the number is its `errno`.
    case cannotListen(errno: Int32)
    /// The certificate chain, or its key, can't be read, or the two don't belong together.
    case certificate
    /// The system gave no thread, or no descriptor for one.
    case noThread
    /// A worker could not make its handler.
    case handler(any Error)
}
