#if canImport(COpenSSL)
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator

// What a command does to one wallet of many: every figure begins locked, and ends with the work done.
extension Measurement {
    static var wallets: [Measurement] {
        [
            many("list-50000", "list", wallets: 50_000, pairs: 12, opensLabels: true, mostRatio: 1.5) { bench in
                try await bench.timedFromLocked { try await $0.inventory().wallets.count }
            },
            many("show-10000", "find a wallet by its name") { bench in
                try await bench.timedFromLocked { try await $0.wallet("wallet 77").id }
            },
            many("export-10000", "export a wallet") { bench in
                try await bench.timedFromLocked { vault, strong in
                    let wallet = try await vault.wallet("wallet 77")
                    try await vault.exportWallet(wallet.id, strong) { _, _ in }
                }
            },
            many("rename-10000", "rename a wallet") { bench in
                let seconds = try await bench.timedFromLocked { vault in
                    let wallet = try await vault.wallet("wallet 78")
                    try await vault.renameWallet(wallet.id, to: WalletName("another"))
                }
                _ = try await bench.timedFromLocked { vault in
                    let wallet = try await vault.wallet("another")
                    try await vault.renameWallet(wallet.id, to: WalletName("wallet 78"))
                }
                return seconds
            },
            many("import-10000", "import one wallet more") { bench in
                let seconds = try await bench.timedFromLocked { try await $0.addAnother() }
                _ = try await bench.timedFromLocked { try await $0.deleteAnother($1) }
                return seconds
            },
            many("delete-10000", "delete a wallet") { bench in
                _ = try await bench.timedFromLocked { try await $0.addAnother() }
                return try await bench.timedFromLocked { try await $0.deleteAnother($1) }
            },
        ]
    }

    private static func many(
        _ name: String,
        _ what: String,
        wallets: Int = 10_000,
        pairs: Int = 20,
        opensLabels: Bool = false,
        mostRatio: Double = 1.3,
        _ seconds: @escaping (BenchVault) async throws -> Double
    ) -> Measurement {
        Measurement(
            name: name,
            ours: "unlock with the PIN and \(what), \(wallets) wallets",
            primitive: "crypto_pwhash, and SQLite's rows, each hashed"
                + (opensLabels ? ", its label opened by EVP" : ""),
            pairs: pairs,
            mostRatio: mostRatio,
            prepare: { workshop in
                let bench = try await workshop.vault(wallets: wallets)
                let raw = try await workshop.rawWallets(wallets)
                return Pair(
                    ours: { try await seconds(bench) },
                    primitive: {
                        try timed {
                            try RawArgon2.run()
                            try raw.scan(opensLabels: opensLabels)
                        }
                    }
                )
            }
        )
    }
}

extension BenchVault {
    /// From the PIN on to the end of `body`, in seconds.
    func timedFromLocked(_ body: (Vault, consuming StrongAuthorization) async throws -> Void) async throws -> Double {
        try device.simulate(.advance(.seconds(1)))
        let seconds = try await timed {
            let strong = try await vault.unlock(with: secret)
            try await body(vault, strong)
        }
        await vault.lock()
        return seconds
    }

    func timedFromLocked<Result>(_ body: (Vault) async throws -> Result) async throws -> Double {
        try await timedFromLocked { vault, _ in _ = try await body(vault) }
    }
}

extension Vault {
    fileprivate func wallet(_ name: String) async throws -> WalletSummary {
        guard let wallet = try await inventory().wallets.first(where: { $0.name.text == name }) else {
            throw BenchError(what: "\(name) is not there")
        }
        return wallet
    }

    fileprivate func addAnother() async throws {
        try await addWallet(named: WalletName("another"), .newMnemonic(words: .twentyFour))
    }

    fileprivate func deleteAnother(_ strong: consuming StrongAuthorization) async throws {
        let wallet = try await wallet("another")
        try await deleteWallet(wallet.id, strong)
    }
}
#endif
