import Glibc

// What a host pays that holds a vault from Java.
extension Measurement {
    private static let megabyte = 1_048_576.0

    /// Returns the figures of a vault behind the C header, from a Java machine that starts with these options.
    static func android(on options: String) -> [Measurement] {
        [
            Measurement(
                name: "android-finger",
                ours: "unlock with a finger, from Java by way of C to Swift and back, on a device in Java's memory",
                primitive: "the same in Swift, on the simulated device",
                pairs: 200,
                mostAbove: 0.0005,
                prepare: { workshop in
                    let phone = try BenchPhone(options, in: workshop.place())
                    let bench = try await workshop.vault(wallets: 0)
                    for _ in 1...200 { _ = try phone.run("finger") }
                    return Pair(
                        ours: { try phone.seconds("finger") },
                        primitive: { try await bench.unlockWithFinger() }
                    )
                }
            ),
            absolute("android-action", "an action that only reads, from Java to its answer there", 20e-6, on: options) {
                try $0.seconds("action", count: 2_000)
            },
            absolute("android-fields", "the value as text in Java", 50e-6, on: options) {
                try $0.seconds("fields", count: 2_000)
            },
            grown("android-vaults", "memory after 10,000 vaults were opened and closed", "vault", 10_000, on: options),
            grown("android-actions", "memory after 100,000 actions", "actions", 100_000, on: options),
            Measurement(
                name: "android-library",
                ours: "libThumbturnBridge.so, stripped",
                unit: .bytes,
                pairs: 1,
                most: 16 * megabyte,
                prepare: { _ in
                    let folder = options[..<(options.lastIndex(of: "/") ?? options.startIndex)]
                    let library = folder + "/libThumbturnBridge.so"
                    var status = stat()
                    guard unsafe stat(String(library), &status) == 0 else { throw BenchError(what: "no \(library)") }
                    let size = Double(status.st_size)
                    return Pair(ours: { size })
                }
            ),
        ]
    }

    private static func absolute(
        _ name: String,
        _ what: String,
        _ most: Double,
        on options: String,
        _ run: @escaping (BenchPhone) throws -> Double
    ) -> Measurement {
        Measurement(
            name: name,
            ours: what,
            pairs: 21,
            most: most,
            prepare: { workshop in
                let phone = try BenchPhone(options, in: workshop.place())
                for _ in 1...10 { _ = try run(phone) }
                return Pair(ours: { try run(phone) })
            }
        )
    }

    /// What a process grows by, once it has done as much before: until then Java's compilers take memory for their own work.
    private static func grown(
        _ name: String,
        _ what: String,
        _ command: String,
        _ count: Int,
        on options: String
    ) -> Measurement {
        Measurement(
            name: name,
            ours: what,
            unit: .bytes,
            pairs: 1,
            most: megabyte,
            prepare: { workshop in
                let phone = try BenchPhone(options, in: workshop.place())
                _ = try phone.run(command, count: count)
                let before = try phone.run("memory")
                return Pair(ours: {
                    _ = try phone.run(command, count: count)
                    return max(0, try phone.run("memory") - before) * 1_024
                })
            }
        )
    }
}
