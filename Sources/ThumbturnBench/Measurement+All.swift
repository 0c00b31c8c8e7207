#if canImport(COpenSSL)
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

extension Measurement {
    /// Every figure.
    ///
    /// Those of processes come first: Linux counts the peak of a parent that spawns into its child's, and ours is small
    /// before the first Argon2id.
    static var all: [Measurement] {
        [
            Measurement(
                name: "status",
                ours: "thumbturn status, as a process",
                primitive: "/bin/true, as a process",
                pairs: 40,
                most: 0.012,
                prepare: { workshop in
                    try workshop.makeCommandVault()
                    return Pair(
                        ours: { try workshop.thumbturn("status").seconds },
                        primitive: { try MeasuredProcess.run("/bin/true").seconds }
                    )
                }
            ),
            Measurement(
                name: "status-memory",
                ours: "thumbturn status, peak resident",
                primitive: "",
                unit: .bytes,
                pairs: 20,
                most: 18 * mebibyte,
                prepare: { workshop in
                    try workshop.makeCommandVault()
                    return Pair(ours: { try workshop.thumbturn("status").peakBytes })
                }
            ),
            Measurement(
                name: "unlock-memory",
                ours: "thumbturn unlock, peak resident less Argon2id's",
                primitive: "",
                unit: .bytes,
                pairs: 20,
                most: 30 * mebibyte,
                prepare: { workshop in
                    try workshop.makeCommandVault()
                    let argon2 = Double(Argon2Limits.standard.default.memoryKiB) * 1_024
                    return Pair(ours: { try workshop.thumbturn("unlock", givesPIN: true).peakBytes - argon2 })
                }
            ),
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
                primitive: "SQLite read + write, neither flushed + HKDF + AES-GCM",
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
            Measurement(
                name: "pin-10000",
                ours: "unlock with the PIN, 10,000 wallets",
                primitive: "the same, 10 wallets",
                pairs: 20,
                mostRatio: 1.2,
                prepare: { workshop in
                    let many = try await workshop.vault(wallets: 10_000)
                    let few = try await workshop.vault(wallets: 10)
                    return Pair(
                        ours: { try await many.unlockWithPIN() },
                        primitive: { try await few.unlockWithPIN() }
                    )
                }
            ),
            Measurement(
                name: "finger-10000",
                ours: "unlock with a finger, 10,000 wallets",
                primitive: "the same, 10 wallets",
                pairs: 300,
                mostRatio: 1.2,
                prepare: { workshop in
                    let many = try await workshop.vault(wallets: 10_000)
                    let few = try await workshop.vault(wallets: 10)
                    return Pair(
                        ours: { try await many.unlockWithFinger() },
                        primitive: { try await few.unlockWithFinger() }
                    )
                }
            ),
            modeSwitch("on", "enable system authentication") { try await $0.switchModes().on },
            modeSwitch("off", "disable system authentication") { try await $0.switchModes().off },
            migration("migrate", 200, .argon2, "Argon2id", pairs: 6, mostRatio: 1.2),
            // With no slow derivation there is nothing to hide behind: this one shows our own work.
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
        ] + counts + wallets
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

    /// A change of mode seals no wallet anew, so their number must not show (C20).
    ///
    /// It ends the biometrics of the vaults it is measured on, so what needs a finger comes before it.
    private static func modeSwitch(
        _ direction: String,
        _ what: String,
        _ seconds: @escaping (BenchVault) async throws -> Double
    ) -> Measurement {
        Measurement(
            name: "mode-\(direction)-10000",
            ours: "\(what), 10,000 wallets",
            primitive: "the same, 10 wallets",
            pairs: 40,
            mostRatio: 1.2,
            prepare: { workshop in
                let many = try await workshop.vault(wallets: 10_000)
                let few = try await workshop.vault(wallets: 10)
                return Pair(ours: { try await seconds(many) }, primitive: { try await seconds(few) })
            }
        )
    }
}

private let mebibyte = 1_048_576.0
#endif
