import ThumbturnCrypto

// How long a user waits, and what a command demands of the system.
extension Measurement {
    /// The same command on a vault with many wallets and on one with 10.
    ///
    /// A command about one wallet must hardly depend on their number; one about all may take a limited time for each.
    static var sizes: [Measurement] {
        [10_000, 50_000, 100_000].flatMap { wallets in
            Deed.ofSizes.map { deed in
                let limit = deed.growth
                return Measurement(
                    name: "\(deed.rawValue)-\(wallets / 1_000)k",
                    ours: "thumbturn \(deed.words), as a process, \(wallets) wallets",
                    primitive: "the same, 10 wallets",
                    pairs: wallets > 10_000 ? 3 : 5,
                    mostRatio: limit.ratio,
                    mostAbove: limit.aWallet.map { $0 * Double(wallets) },
                    prepare: { workshop in
                        let (many, few) = (
                            try workshop.commandVault(wallets: wallets), try workshop.commandVault(wallets: 10)
                        )
                        return Pair(ours: { try many.run(deed).seconds }, primitive: { try few.run(deed).seconds })
                    }
                )
            }
        }
    }

    /// The calls with which a program waits for its data to be on disk.
    private static let flushes = "fsync,fdatasync,sync_file_range,msync,sync,syncfs"
    /// The calls for files and locked memory.
    ///
    /// The number of other calls, for threads and their waits, depends on the number of cores.
    private static let calls = "%file,%desc,mlock,munlock"

    /// Counts, which do not depend on the speed of the machine or its disk; empty without strace.
    static var counts: [Measurement] {
        guard CommandHome.counts else { return [] }
        let deeds = Deed.allCases.flatMap { deed -> [Measurement] in
            [
                deed.flushes.map { count("flushes", flushes, "flushes to the disk", of: deed, most: $0) },
                deed.calls.map { count("calls", calls, "calls for files and locked memory", of: deed, most: $0) },
            ].compactMap(\.self)
        }
        return deeds + Way.allCases.map { count($0) }
    }

    private static func count(_ way: Way) -> Measurement {
        Measurement(
            name: "flushes-\(way.rawValue)",
            ours: "\(way.words), on a simulated device: flushes of the vault's files",
            unit: .count,
            pairs: 1,
            most: way.flushes,
            prepare: { workshop in
                let vault = try workshop.waysVault()
                return Pair(ours: { try vault.flushes(way, counting: flushes) })
            }
        )
    }

    private static func count(
        _ name: String,
        _ calls: String,
        _ what: String,
        of deed: Deed,
        most: Double
    ) -> Measurement {
        Measurement(
            name: "\(name)-\(deed.rawValue)",
            ours: "thumbturn \(deed.words): \(what)",
            unit: .count,
            pairs: 1,
            most: most,
            prepare: { workshop in
                let vault = try workshop.commandVault(wallets: 10)
                return Pair(ours: { try vault.run(deed, counting: calls).calls })
            }
        )
    }

    /// The figures of a single process, independent of the vault's contents.
    ///
    /// They come first: on Linux a child's peak includes that of its parent, and ours is small before the first
    /// Argon2id.
    static var processes: [Measurement] {
        [
            Measurement(
                name: "status",
                ours: "thumbturn status, as a process",
                primitive: "/bin/true, as a process",
                pairs: 40,
                mostRatio: 14,
                prepare: { workshop in
                    let vault = try workshop.commandVault(wallets: 10)
                    return Pair(
                        ours: { try vault.run(.status).seconds },
                        primitive: { try MeasuredProcess.run("/bin/true").seconds }
                    )
                }
            ),
            Measurement(
                name: "status-memory",
                ours: "thumbturn status, peak resident",
                unit: .bytes,
                pairs: 20,
                most: 18 * mebibyte,
                prepare: { workshop in
                    let vault = try workshop.commandVault(wallets: 10)
                    return Pair(ours: { try vault.run(.status).peakBytes })
                }
            ),
            Measurement(
                name: "unlock-memory",
                ours: "thumbturn unlock, peak resident less Argon2id's",
                unit: .bytes,
                pairs: 5,
                most: 30 * mebibyte,
                prepare: { workshop in
                    let vault = try workshop.commandVault(wallets: 10)
                    let argon2 = Double(Argon2Limits.standard.default.memoryKiB) * 1_024
                    return Pair(ours: { try vault.run(.unlock).peakBytes - argon2 })
                }
            ),
        ] + coldStart
    }

    /// The time of the first command after the machine has started; only root can empty the cache.
    private static var coldStart: [Measurement] {
        guard PageCache.canBeEmptied else { return [] }
        return [
            Measurement(
                name: "status-cold",
                ours: "thumbturn status, as a process, nothing of it in the page cache",
                primitive: "/bin/true, likewise",
                pairs: 5,
                mostRatio: 14,
                prepare: { workshop in
                    let vault = try workshop.commandVault(wallets: 10)
                    return Pair(
                        ours: {
                            PageCache.empty()
                            return try vault.run(.status).seconds
                        },
                        primitive: {
                            PageCache.empty()
                            return try MeasuredProcess.run("/bin/true").seconds
                        }
                    )
                }
            )
        ]
    }
}

private let mebibyte = 1_048_576.0
