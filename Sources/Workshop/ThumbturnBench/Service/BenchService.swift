import ThumbturnConsole
import ThumbturnHTTP
import ThumbturnService

/// A service like that of `serve`, without the network.
final class BenchService: Sendable {
    let service: Service
    private let location: StoreLocation

    init(_ location: StoreLocation, key: ServiceKeyFile) throws {
        self.location = location
        let store = try location.open()
        defer { store.close() }
        try key.create()
        let keys = try ServiceKeys(key)
        let log = ServiceLog { _ in }
        var configuration = Service.Configuration(origin: "http://127.0.0.1:8107")
        configuration.limits.logins = MinuteLimit(most: .max)
        configuration.limits.failures = MinuteLimit(most: .max)
        configuration.limits.registrations = MinuteLimit(most: .max)
        configuration.limits.openHandshakesOfNetwork = .max
        service = try Service(
            configuration,
            keys: AccountKeys(names: .establish(in: store, keys), service: keys, store: store),
            log: log
        )
    }

    /// Returns what each of its threads has.
    func worker() throws -> Worker { Worker(service, store: try location.open()) }

    /// Returns an account that logs in, with its own worker.
    func login(from address: PeerAddress = .loopback) throws -> BenchLogin {
        try BenchLogin(at: worker(), from: address)
    }
}
