public import ThumbturnAccount
import ThumbturnCrypto
public import ThumbturnRules

extension AccountTransport {
    /// Creates the system's transport to a service: URLSession on Apple's systems, libcurl on Linux.
    ///
    /// Each round trip has its own connection, and ends with its task as `.unreachable` or `.lost`. A body longer than
    /// `mostBytes` is `.lost`; a status of 300 to 399 is `.untrusted`. TLS is at least version 1.2.
    ///
    /// - Parameters:
    ///   - origin: `https`, host and port; `http` only for this very machine (127.0.0.0/8, `[::1]`, `localhost`). Its
    ///     canonical form is dialled and signed: in lower case, without the scheme's default port.
    ///   - authority: the path of a PEM file with the certificates to trust instead of the system's.
    ///   - pin: the base64 of the SHA-256 of the public key (SubjectPublicKeyInfo) that the service's certificate must
    ///     have, in addition to being trusted.
    /// - Throws: `.usage` for an invalid origin, a file that can't be read or contains no certificate, a pin that is
    ///   not 32 bytes long, and for a file or pin without TLS. `.serviceUnreachable` on Linux without libcurl.
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
            // Do not follow a redirect: its sender is not the service.
            guard !(300..<400).contains(answer.status) else { throw .untrusted }
            return answer
        }
    }
}

extension AccountTransport {
    /// The library that this system needs for any service but lacks; `nil` if none is missing.
    package static var missingLibrary: String? { Transfer.missingLibrary }
}

extension AccountRequest {
    /// Whether path and token are visible ASCII, so that neither can end its line.
    fileprivate var isWellFormed: Bool {
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) else {
            return false
        }
        switch token {
        case .none: return true
        case .some(let token):
            return token.withBytes { bytes in
                (0..<bytes.byteCount).allSatisfy { (0x21...0x7E).contains(bytes.byte(at: $0)) }
            }
        }
    }
}

extension AccountResponse {
    /// Parses `Retry-After` in seconds; returns `Int.max` for a date and anything else that the service never sends.
    static func seconds(ofRetryAfter text: String) -> Int {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber ? Int(text) ?? .max : .max
    }
}
