// What the device's trail costs.
extension Measurement {
    private static let appended = 50
    private static let many: UInt64 = 10_000

    /// An event that is kept, and an auditor's look at a long trail.
    static var trail: [Measurement] {
        [
            Measurement(
                name: "append",
                ours: "an event that nothing else is written with, \(appended) in a row",
                primitive: "EVP AES-256-GCM, and SQLite's row in one durable write, as often",
                pairs: 20,
                mostRatio: 1.2,
                prepare: { workshop in
                    // Of its own: a long trail would come to its end.
                    let bench = try await BenchVault(in: workshop.newFolder(), wallets: 10)
                    let raw = try RawEvent(of: RawDatabase(opening: try await workshop.closedVault()))
                    return Pair(
                        ours: { try await bench.append(count: appended) },
                        primitive: { try timed { try raw.append(count: appended) } / Double(appended) }
                    )
                }
            ),
            Measurement(
                name: "verify-trail",
                ours: "verify an export of \(many) records",
                primitive: "our own reader of JSON and SHA-256, each line once",
                pairs: 20,
                mostRatio: 3,
                prepare: { workshop in
                    let bench = try await BenchVault(in: workshop.newFolder(), wallets: 10)
                    let trail = try await BenchTrail(of: bench, records: many)
                    return Pair(
                        ours: { try timed { try trail.verify() } },
                        primitive: { try timed { try trail.readBarely() } }
                    )
                }
            ),
        ]
    }

    /// The same command on a vault whose trail is nearly full, and on one with a new trail.
    static var trails: [Measurement] {
        // Each unlock adds one, and what is measured must not begin another chain.
        let records = many - 100
        return [Deed.status, .unlock].map { deed in
            Measurement(
                name: "\(deed.rawValue)-trail",
                ours: "thumbturn \(deed.words), as a process, \(records) records in the trail",
                primitive: "the same, 10 records",
                pairs: deed == .status ? 40 : 20,
                mostRatio: 1.1,
                prepare: { workshop in
                    let (long, short) = (
                        try await workshop.commandVault(records: records),
                        try await workshop.commandVault(records: 10)
                    )
                    return Pair(ours: { try long.run(deed).seconds }, primitive: { try short.run(deed).seconds })
                }
            )
        }
    }
}
