import ThumbturnConsole
import ThumbturnHTTP

// The limits of a login's cost. Limits of time are ratios, so they apply on any machine.
extension Measurement {
    static func service(_ options: BenchOptions) -> [Measurement] {
        [powers, refusal, weight] + (options.python.map { [pypi($0)] } ?? []) + [wall, flooded, unlock, handshake]
            + (options.postgres == nil ? [] : [postgres]) + [3, 4, 5, 6].map(accounts)
            + ledger(signer: options.signer)
    }

    private static var powers: Measurement {
        Measurement(
            name: "login-powers",
            ours: "processor time of a login's server, begin and proof",
            primitive: "its three powers by OpenSSL, in constant time",
            pairs: 60,
            mostRatio: 1.15,
            prepare: { _ in
                let login = try BareLogin()
                let powers = try BarePowers()
                return Pair(
                    ours: { try login.run(count: 5) },
                    primitive: { processorTime { powers.run(count: 5) } / 5 }
                )
            }
        )
    }

    /// A request that no valid client sends must not make the server work (SRP-20).
    private static var refusal: Measurement {
        Measurement(
            name: "login-refused",
            ours: "processor time of a proof whose A is above N",
            primitive: "one power by OpenSSL",
            pairs: 60,
            mostRatio: 0.05,
            prepare: { _ in
                let login = try BareLogin()
                let powers = try BarePowers()
                return Pair(
                    ours: { try login.refuse(count: 15) },
                    primitive: { processorTime { powers.run(count: 5) } / 15 }
                )
            }
        )
    }

    /// The bits of an exponent must not show: PARASITE (2021) read them from powers that are not constant in time.
    private static var weight: Measurement {
        Measurement(
            name: "power-weight",
            ours: "a login begun with a b that has 256 bits set",
            primitive: "the same, one bit set",
            pairs: 400,
            mostRatio: 1.03,
            prepare: { _ in
                let login = try BareLogin()
                return Pair(
                    ours: { try processorTime { try login.begin(allBits: true) } },
                    primitive: { try processorTime { try login.begin(allBits: false) } }
                )
            }
        )
    }

    /// The powers of `srp` are not constant in time, so we may be slower: at least 0.7 times as many logins per core.
    private static func pypi(_ python: String) -> Measurement {
        Measurement(
            name: "login-pypi",
            ours: "processor time of a login's server",
            primitive: "the same of PyPI's srp",
            pairs: 15,
            mostRatio: 1 / 0.7,
            prepare: { _ in
                let login = try BareLogin()
                let peer = PythonPeer(python)
                return Pair(ours: { try login.run(count: 20) }, primitive: { try peer.run(count: 20) })
            }
        )
    }

    private static var wall: Measurement {
        Measurement(
            name: "login",
            ours: "a login, both calls, on SQLite",
            primitive: "two bare commits of SQLite",
            pairs: 200,
            prepare: { workshop in
                let service = try workshop.service()
                let login = try service.login()
                let commits = try BareCommits(in: workshop.folder)
                return Pair(ours: { try login.run() }, primitive: { try timed { try commits.run(count: 2) } })
            }
        )
    }

    /// A flood from one client must not keep others out: both are measured over the network, at one service with its
    /// limits.
    private static var flooded: Measurement {
        Measurement(
            name: "login-flooded",
            ours: "a login while 512 connections of another address ask without a pause",
            primitive: "the same while they rest",
            pairs: 40,
            mostRatio: 3,
            prepare: { workshop in
                let service = try workshop.servedService()
                let flood = try Flood(of: service.port)
                let login = try BenchLogin(over: service)
                return Pair(
                    ours: {
                        try flood.turn(on: true)
                        return try login.run()
                    },
                    primitive: {
                        try flood.turn(on: false)
                        return try login.run()
                    }
                )
            }
        )
    }

    /// Neither includes the network.
    private static var unlock: Measurement {
        Measurement(
            name: "account-unlock",
            ours: "an account's vault opens with its password",
            primitive: "one run of Argon2id, and a bare login at the same service",
            pairs: 30,
            mostRatio: 1.10,
            prepare: { workshop in
                let service = try workshop.service()
                let vault = try await AccountBench.make(in: workshop.folder, at: service)
                let login = try service.login()
                return Pair(ours: { try await vault.unlock() }, primitive: { try AccountBench.derive() + login.run() })
            }
        )
    }

    private static var handshake: Measurement {
        Measurement(
            name: "handshake",
            ours: "what the store keeps of an open handshake",
            unit: .bytes,
            pairs: 1,
            most: 2_048,
            prepare: { workshop in Pair(ours: { try workshop.bytesOfHandshake(count: 2_000) }) }
        )
    }

    /// A database behind a network must serve at least 0.8 times as many logins.
    private static var postgres: Measurement {
        Measurement(
            name: "postgres",
            ours: "a login among eight threads, on PostgreSQL",
            primitive: "the same on SQLite",
            pairs: 12,
            mostRatio: 1 / 0.8,
            prepare: { workshop in
                let crowd = try Crowd(of: workshop.serviceOnPostgres())
                let other = try Crowd(of: workshop.service())
                return Pair(ours: { try crowd.run() }, primitive: { try other.run() })
            }
        )
    }

    private static func accounts(_ exponent: Int) -> Measurement {
        let count = (0..<exponent).reduce(1) { count, _ in count * 10 }
        return Measurement(
            name: "accounts-1e\(exponent)",
            ours: "a login on SQLite among \(count) accounts",
            primitive: "the same among 1,000",
            pairs: 100,
            mostRatio: 1.25,
            prepare: { workshop in
                let many = try workshop.service(among: count).login()
                let few = try workshop.service(among: 1_000).login()
                return Pair(ours: { try many.run() }, primitive: { try few.run() })
            }
        )
    }
}
