public import ThumbturnAccount
import ThumbturnCrypto
public import ThumbturnRules

extension AccountTransport {
    /// Makes the way to a service with what the system has: URLSession on Apple's systems, libcurl on Linux.
    ///
    /// Each round trip has a connection of its own, and ends with its task, as `.unreachable` or `.lost`. A body longer than
    /// `mostBytes` is `.lost`; a status of 300 to 399 is `.untrusted`. TLS is of version 1.2 at least.
    ///
    /// - Parameters:
    ///   - origin: `https`, host and port; `http` only where the host is this very machine (127.0.0.0/8, `[::1]`,
    ///     `localhost`). Its one form is dialled and signed: in lower case, without the port that the scheme has anyway.
    ///   - authority: the path of a file of certificates (PEM) that vouch for the service, instead of those that the system
    ///     trusts.
    ///   - pin: the base64 of the SHA-256 of the public key (SubjectPublicKeyInfo) that the service's certificate must have,
    ///     beside being vouched for.
    /// - Throws: `.usage` for an origin that is none of these, a file that can't be read or holds no certificate, a pin that
    ///   is not of 32 bytes, and for either of them where there is no TLS. `.serviceUnreachable` on a Linux without libcurl.
    public static func system(
        origin: String,
        authority: String? = nil,
        pin: String? = nil
    ) throws(VaultError) -> AccountTransport {
        let address: ServiceAddress
        do throws(AccountFailure) { address = try ServiceAddress(origin) } catch { throw VaultError(error) }
        let trust = try ServiceTrust(authority: authority, pin: pin)
        guard !address.isPlain || (authority == nil && pin == nil) else {
            throw VaultError(.usage, "an authority or a pin, and no TLS")
        }
        if let library = missingLibrary { throw VaultError(.serviceUnreachable, "\(library) is missing") }
        return AccountTransport(origin: address.origin, authority: authority, pin: pin) {
            (request) throws(TransportFailure) in
            guard request.isWellFormed else { throw .unreachable }
            let answer = try await Transfer(request, to: address, trusting: trust).run()
            // A redirect is not followed: who sends one is not the service.
            guard !(300..<400).contains(answer.status) else { throw .untrusted }
            return answer
        }
    }
}

extension AccountTransport {
    /// The library that this system needs to reach any service, and does not have; nil where none is missing.
    package static var missingLibrary: String? { Transfer.missingLibrary }
}

extension AccountRequest {
    /// Whether path and token are of visible ASCII: neither can end the line that it stands in.
    fileprivate var isWellFormed: Bool {
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else {
            return false
        }
        switch token {
        case .none: return true
        case .some(let token):
            return token.withBytes { bytes in
                (0..<bytes.byteCount).allSatisfy { index in
                    (0x21...0x7E).contains(unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
                }
            }
        }
    }
}

extension AccountResponse {
    /// Reads the value of `Retry-After`: seconds; `Int.max` for a date and whatever else the service never sends.
    static func seconds(ofRetryAfter text: String) -> Int {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) ?? .max : .max
    }
}
