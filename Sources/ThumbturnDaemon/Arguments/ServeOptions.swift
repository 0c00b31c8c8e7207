import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnService

/// What `serve` is told.
struct ServeOptions: Sendable {
    let places: Places
    let listen: ListenAddress
    let origin: String?
    let tls: HTTPServer.Configuration.TLSFiles?
    let trustedProxies: [CIDR]
    let limits: Limits
    let workers: Int?
    let encoding: SRPEncoding

    static let options: [any OptionForm] = [
        Option.listen, Option.store, Option.serviceKey, Option.origin, Option.tlsCertificate, Option.tlsKey,
        Option.trustedProxy, Option.failures, Option.registrations, Option.workers, Option.proofEncoding,
    ]
    static let operands = """
        [--listen HOST:PORT] [--store STORE] [--service-key FILE] [--origin URL] [--tls-cert FILE --tls-key FILE] \
        [--trusted-proxy CIDR,...] [--failures-per-minute N] [--registrations-per-minute N] [--workers N] \
        [--proof-encoding ENCODING]
        """

    init(_ given: GivenOptions) throws(Failure) {
        places = try Places(given)
        listen = try given[.listen] ?? .standard
        origin = try given[.origin]
        trustedProxies = try given[.trustedProxy] ?? []
        workers = try given[.workers]
        encoding = try given[.proofEncoding] ?? .minimal
        limits = try Self.limits(given)
        switch (try given[.tlsCertificate], try given[.tlsKey]) {
        case (let chain?, let key?): tls = HTTPServer.Configuration.TLSFiles(chain: chain, key: key)
        case (nil, nil): tls = nil
        default:
            throw .usage(
                Words(
                    "--tls-cert and --tls-key belong together",
                    "--tls-cert et --tls-key vont ensemble"
                )
            )
        }
        guard listen.isLoopback || tls != nil else {
            throw .usage(
                Words(
                    "another address than this machine's own needs --tls-cert and --tls-key",
                    "une autre adresse que celle de la machine même demande --tls-cert et --tls-key"
                )
            )
        }
    }

    private static func limits(_ given: GivenOptions) throws(Failure) -> Limits {
        var limits = Limits()
        if let most = try given[.failures] { limits.failures = MinuteLimit(most: Int64(most)) }
        if let most = try given[.registrations] { limits.registrations = MinuteLimit(most: Int64(most)) }
        return limits
    }
}
