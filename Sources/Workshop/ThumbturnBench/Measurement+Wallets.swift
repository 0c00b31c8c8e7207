import Thumbturn

extension Measurement {
    /// Ours starts locked, and ends with every name known.
    static var list: Measurement {
        let wallets = 50_000
        return Measurement(
            name: "list-50000",
            ours: "unlock with the PIN and list, \(wallets) wallets",
            primitive: "crypto_pwhash, and SQLite's rows, each hashed, its label opened by EVP",
            pairs: 8,
            mostRatio: 1.5,
            prepare: { workshop in
                let bench = try await workshop.vault(wallets: wallets)
                let raw = try await workshop.rawWallets(wallets)
                return Pair(
                    ours: { try await bench.list() },
                    primitive: {
                        try timed {
                            try RawArgon2.run()
                            try raw.scan()
                        }
                    }
                )
            }
        )
    }
}
