import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

extension Measurement {
    /// The costs of a vault within a process, on a simulated device in memory, after the costs of a process and their
    /// growth with the number of wallets.
    static var vault: [Measurement] {
        processes + counts + trails + [
            Measurement(
                name: "pin",
                ours: "unlock with the PIN",
                primitive: "crypto_pwhash, same parameters",
                pairs: 60,
                mostRatio: 1.05,
                mostAbove: 0.004,
                prepare: { workshop in
                    let bench = try await workshop.vault(wallets: 10)
                    return Pair(
                        ours: { try await bench.unlockWithPIN() },
                        primitive: { try timed { try RawArgon2.run() } }
                    )
                }
            ),
            Measurement(
                name: "finger",
                ours: "unlock with a finger, without the prompt",
                primitive: "SQLite read + write, flushed + HKDF + AES-GCM 2×",
                pairs: 300,
                mostAbove: 0.001,
                prepare: { workshop in
                    let bench = try await workshop.vault(wallets: 10)
                    let parts = try await RawParts(opening: workshop.closedVault())
                    return Pair(
                        ours: { try await bench.unlockWithFinger() },
                        primitive: { try timed { try parts.run() } }
                    )
                }
            ),
            manyAgainstFew("pin-10000", "unlock with the PIN", pairs: 20) { try await $0.unlockWithPIN() },
            manyAgainstFew("finger-10000", "unlock with a finger", pairs: 300) { try await $0.unlockWithFinger() },
            // A change of mode ends the biometrics of the vaults it is measured on, so measure fingers before it.
            manyAgainstFew("mode-on-10000", "enable system authentication", pairs: 40) {
                try await $0.switchModes().on
            },
            manyAgainstFew("mode-off-10000", "disable system authentication", pairs: 40) {
                try await $0.switchModes().off
            },
            migration("migrate", 20, .argon2, "Argon2id", pairs: 4, mostRatio: 1.2),
            // Without a slow derivation to hide it, this shows our own work.
            migration("migrate-md5", 1_000, .openSSL, "EVP_BytesToKey", pairs: 20, mostRatio: 4),
            Measurement(
                name: "seal",
                ours: "seal a secret of 1 MiB",
                primitive: "EVP AES-256-GCM, 1 MiB",
                pairs: 200,
                mostRatio: 1.1,
                prepare: { _ in
                    let sealing = Sealing(byteCount: 1 << 20)
                    return Pair(
                        ours: { try timed { try sealing.ours() } },
                        primitive: { try timed { try sealing.bare() } }
                    )
                }
            ),
            Measurement(
                name: "seal-32",
                ours: "seal 1,000 secrets of 32 bytes, each under a key of its own",
                primitive: "EVP HKDF and AES-256-GCM, 32 bytes",
                pairs: 100,
                mostRatio: 1.5,
                prepare: { _ in
                    let sealing = Sealing(byteCount: 32)
                    return Pair(
                        ours: { try timed { for _ in 0..<1_000 { try sealing.ours() } } },
                        primitive: { try timed { for _ in 0..<1_000 { try sealing.bareWithKey() } } }
                    )
                }
            ),
            list,
        ] + trail + sizes
    }
}

extension Measurement {
    private static func migration(
        _ name: String,
        _ count: Int,
        _ kind: FormerWallets,
        _ derivation: String,
        pairs: Int,
        mostRatio: Double? = nil
    ) -> Measurement {
        Measurement(
            name: name,
            ours: "take over \(count) former wallets (\(derivation))",
            primitive: "\(count) \(derivation), and as many SQLite rows in one durable write",
            pairs: pairs,
            mostRatio: mostRatio,
            prepare: { workshop in
                let database = try RawDatabase(opening: try await workshop.closedVault())
                return Pair(
                    ours: { try await workshop.migrate(count, kind) },
                    primitive: { try workshop.migrateBarely(count, kind, database) }
                )
            }
        )
    }

    /// The same call on a vault with 10,000 wallets and on one with 10.
    ///
    /// Neither an unlock nor a change of mode (C20) seals wallets anew, so their number must hardly matter.
    private static func manyAgainstFew(
        _ name: String,
        _ what: String,
        pairs: Int,
        _ seconds: @escaping (BenchVault) async throws -> Double
    ) -> Measurement {
        Measurement(
            name: name,
            ours: "\(what), 10,000 wallets",
            primitive: "the same, 10 wallets",
            pairs: pairs,
            mostRatio: 1.2,
            prepare: { workshop in
                let many = try await workshop.vault(wallets: 10_000)
                let few = try await workshop.vault(wallets: 10)
                return Pair(ours: { try await seconds(many) }, primitive: { try await seconds(few) })
            }
        )
    }
}
