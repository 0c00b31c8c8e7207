import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnService

struct ServeOptions: Sendable {
    let places: Places
    let listen: ListenAddress
    let origin: String?
    let tls: HTTPServer.Configuration.TLSFiles?
    let trustedProxies: [CIDR]
    let limits: Limits
    let isRegistrationOpen: Bool
    /// The separate address of `/metrics`; `nil` if there is none.
    let metrics: ListenAddress?
    /// The maximum number of connections of one network.
    let connections: Int
    let workers: Int?
    let encoding: SRPEncoding
    /// The keys that sign the ledger, the new one first; empty for the default file.
    let signers: [SignerLocation]
    /// The key that adds the witnesses' line.
    let witness: WitnessLocation?
    /// The number of audit logs of a new database; `nil` for what it has, or one.
    let logs: Int?
    /// Whether tiles of hashes need no token.
    let showsTiles: Bool

    static let options: [any OptionForm] = [
        Option.listen, Option.store, Option.serviceKey, Option.origin, Option.tlsCertificate, Option.tlsKey,
        Option.trustedProxy, Option.registration, Option.accounts, Option.logins, Option.failures, Option.registrations,
        Option.connections, Option.metrics, Option.workers, Option.proofEncoding, Option.signer, Option.witnessKey,
        Option.logs, Option.publicTiles,
    ]
    static let operands = """
        [--listen HOST:PORT] [--store STORE] [--service-key FILE] [--origin URL] [--tls-cert FILE --tls-key FILE] \
        [--trusted-proxy CIDR,...] [--registration open|closed] [--accounts N] [--logins-per-minute N] \
        [--failures-per-minute N] [--registrations-per-minute N] [--connections-per-network N] [--metrics HOST:PORT] \
        [--workers N] [--proof-encoding ENCODING] [--signer SIGNER]... [--witness-key file:PATH] [--logs N] \
        [--public-tiles]
        """

    init(_ given: GivenOptions) throws(Failure) {
        places = try Places(given)
        listen = try given[.listen] ?? .standard
        origin = try given[.origin]
        trustedProxies = try given[.trustedProxy] ?? []
        isRegistrationOpen = try given[.registration] ?? true
        metrics = try given[.metrics]
        connections = try given[.connections] ?? Self.standardConnections
        workers = try given[.workers]
        encoding = try given[.proofEncoding] ?? .minimal
        limits = try Self.limits(given)
        signers = try given.signers()
        witness = try given[.witnessKey]
        logs = try given[.logs]
        showsTiles = given[.publicTiles]
        switch (try given[.tlsCertificate], try given[.tlsKey]) {
        case (let chain?, let key?): tls = HTTPServer.Configuration.TLSFiles(chain: chain, key: key)
        case (nil, nil): tls = nil
        default:
            throw .usage(
                Words("--tls-cert and --tls-key need each other", "--tls-cert et --tls-key vont ensemble")
            )
        }
        guard listen.isLoopback || tls != nil else {
            throw .usage(
                Words(
                    "an address other than this machine's own needs --tls-cert and --tls-key",
                    "une autre adresse que celle de la machine même demande --tls-cert et --tls-key"
                )
            )
        }
    }

    /// Out of an instance's 16,384: many more than a household or an office opens at once, and few enough that no
    /// network crowds out others.
    private static let standardConnections = 256

    /// Whether the service's own port shows `/metrics`: behind a proxy, every client would see them.
    var showsMetrics: Bool { listen.isLoopback && trustedProxies.isEmpty }

    private static func limits(_ given: GivenOptions) throws(Failure) -> Limits {
        var limits = Limits()
        if let most = try given[.failures] { limits.failures = MinuteLimit(most: Int64(most)) }
        if let most = try given[.logins] { limits.logins = MinuteLimit(most: Int64(most)) }
        if let most = try given[.accounts] { limits.accounts = Int64(most) }
        if let most = try given[.registrations] { limits.registrations = MinuteLimit(most: Int64(most)) }
        return limits
    }
}
