// What the ledger takes. The limits of a rate are those of a share of the bare sequence's, as seconds for an event.
extension Measurement {
    /// - Parameter signer: a slow one, if there is any.
    static func ledger(signer: String?) -> [Measurement] {
        [1, 10].flatMap { records in [taken(records), waiting(records)] }
            + (signer == nil ? [] : [1, 10].flatMap { records in [taken(records, .slow), waiting(records, .slow)] })
            + [grown(5), grown(6), proved(6), verified, login(isFlooded: false), login(isFlooded: true), unlocked]
    }

    /// By `ARGS=soak` alone: ten million records take minutes.
    static var soak: [Measurement] { [grown(7), proved(7), memory] }

    /// At least 0.4 times the bare sequence's events, and 0.6 times where ten share a signature.
    private static func taken(_ records: Int, _ signing: BenchLedger.Signing = .file) -> Measurement {
        Measurement(
            name: "\(signing.prefix)-\(records)",
            ours: "an event, \(records) an upload, from \(signing.devices) devices without a pause\(signing.words)",
            primitive:
                "EVP's check of the signature, our reader of JSON, SHA-256, SQLite's rows in one durable write of as "
                + "many as ours",
            pairs: signing == .file ? 5 : 3,
            mostRatio: 1 / (records == 1 ? 0.4 : 0.6),
            prepare: { workshop in
                let ledger = try workshop.ledger(records: records, signing)
                return Pair(ours: { try ledger.send() }, primitive: { try ledger.takeBarely() })
            }
        )
    }

    private static func waiting(_ records: Int, _ signing: BenchLedger.Signing = .file) -> Measurement {
        Measurement(
            name: "\(signing.prefix)-\(records)-p99",
            ours: "what 99 of 100 uploads of \(records) wait at most, at half of that rate\(signing.words)",
            pairs: 3,
            most: signing == .file ? 0.1 : 0.35,
            prepare: { workshop in
                let ledger = try workshop.ledger(records: records, signing)
                return Pair(ours: { try ledger.longestWait() })
            }
        )
    }

    private static func grown(_ exponent: Int) -> Measurement {
        Measurement(
            name: "ledger-1e\(exponent)",
            ours: "an event, ten an upload, from 256 devices, behind 10^\(exponent) others",
            primitive: "the same behind 10^4",
            pairs: 5,
            mostRatio: 1.25,
            prepare: { workshop in
                let (large, small) = (try workshop.ledger(grownTo: exponent), try workshop.ledger(grownTo: 4))
                return Pair(ours: { try large.send() }, primitive: { try small.send() })
            }
        )
    }

    /// The hashes of a proof grow with the logarithm: 10^6 leaves have half as many again as 10^4.
    private static func proved(_ exponent: Int) -> Measurement {
        Measurement(
            name: "proof-1e\(exponent)",
            ours: "the proof of a leaf among 10^\(exponent)",
            primitive: "the same among 10^4",
            pairs: 10,
            mostRatio: Double(exponent) / 4,
            prepare: { workshop in
                let (large, small) = (try workshop.ledger(grownTo: exponent), try workshop.ledger(grownTo: 4))
                return Pair(ours: { try large.prove() }, primitive: { try small.prove() })
            }
        )
    }

    private static var memory: Measurement {
        Measurement(
            name: "memory-1e7",
            ours: "the service's resident memory with 10^7 records in its log",
            primitive: "the same with 10^6",
            unit: .bytes,
            pairs: 1,
            mostRatio: 1.1,
            prepare: { workshop in
                let (large, small) = (try workshop.ledger(grownTo: 7), try workshop.ledger(grownTo: 6))
                return Pair(ours: { try large.service.residentBytes }, primitive: { try small.service.residentBytes })
            }
        )
    }

    private static var verified: Measurement {
        Measurement(
            name: "verify-ledger",
            ours: "verify a service's export of 20,000 records, ten an upload",
            primitive: "our own reader of JSON and SHA-256, each line once, and EVP's check of each signature",
            pairs: 10,
            mostRatio: 1 / 0.4,
            prepare: { workshop in
                let export = try workshop.ledgerExport()
                return Pair(
                    ours: { try timed { try export.verify() } },
                    primitive: { try timed { try export.readBarely() } }
                )
            }
        )
    }
}

// What accounts notice of it.
extension Measurement {
    private static let events = "5,000 events a second come in, ten an upload"

    private static func login(isFlooded: Bool) -> Measurement {
        Measurement(
            name: isFlooded ? "flooded-events" : "login-events",
            ours: "a login while \(isFlooded ? "512 connections ask without a pause, and " : "")\(events)",
            primitive: "the same at rest",
            pairs: isFlooded ? 20 : 30,
            mostRatio: 3,
            prepare: { workshop in
                let ledger = try workshop.ledger(records: 10, .file)
                let stream = EventStream(ledger)
                let flood = isFlooded ? try Flood(of: ledger.service.port) : nil
                let login = try BenchLogin(over: ledger.service)
                func run(beside load: Bool) throws -> Double {
                    try flood?.turn(on: load)
                    try stream.turn(on: load)
                    return try login.run()
                }
                return Pair(ours: { try run(beside: true) }, primitive: { try run(beside: false) })
            }
        )
    }

    private static var unlocked: Measurement {
        Measurement(
            name: "unlock-events",
            ours: "an account's vault opens with its password while \(events)",
            primitive: "one run of Argon2id, and a bare login at the same service, at the same time",
            pairs: 20,
            mostRatio: 1.10,
            prepare: { workshop in
                let ledger = try workshop.ledger(records: 10, .file)
                let stream = EventStream(ledger)
                let vault = try await AccountBench.make(in: workshop.place(), over: ledger.service.transport)
                let login = try BenchLogin(over: ledger.service)
                return Pair(
                    ours: {
                        try stream.turn(on: true)
                        return try await vault.unlock()
                    },
                    primitive: {
                        defer { try? stream.turn(on: false) }
                        return try AccountBench.derive() + login.run()
                    }
                )
            }
        )
    }
}

extension BenchLedger.Signing {
    fileprivate var prefix: String { self == .file ? "events" : "slow" }
    fileprivate var words: String { self == .file ? "" : ", ten signatures a second" }
}
