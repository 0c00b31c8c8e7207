import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnRules
import ThumbturnService

// Every option of every command.

extension Option where Value == Void {
    static var prepare: Self { Self("--prepare") }
    static var publicTiles: Self { Self("--public-tiles") }
}

extension Option where Value == String {
    static var serviceKey: Self { .text("--service-key") }
    static var tlsCertificate: Self { .text("--tls-cert") }
    static var tlsKey: Self { .text("--tls-key") }

    static var origin: Self {
        Self("--origin") { text throws(Failure) in
            let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
            // In the form that is signed: in lower case, without a path or a trailing slash.
            guard let rest, !rest.isEmpty, rest.utf8.allSatisfy({ originBytes.contains($0) }) else {
                throw .usage(
                    Words(
                        "--origin must be a URL such as https://id.example.com, in lower case and without a path",
                        "--origin doit être une URL comme https://id.example.com, en minuscules et sans chemin"
                    )
                )
            }
            return text
        }
    }

    private static var originBytes: Set<UInt8> { Set("abcdefghijklmnopqrstuvwxyz0123456789.-_:[]".utf8) }
}

extension String {
    /// Whether it contains `://`. (Swift's own search would link the regular-expression library into the program.)
    fileprivate var hasScheme: Bool {
        utf8.indices.contains { utf8[$0...].starts(with: "://".utf8) }
    }
}

extension Option where Value == StoreLocation {
    static var store: Self {
        Self("--store") { text throws(Failure) in
            if let location = StoreLocation(text) { return location }
            // A plain path names a SQLite file, unless it looks like an unknown URI.
            guard !text.isEmpty, !text.hasScheme else {
                throw .usage(
                    Words(
                        "--store must be a path, sqlite:PATH, or a postgres:// URI",
                        "--store doit être un chemin, sqlite:CHEMIN, ou une URI postgres://"
                    )
                )
            }
            return .sqlite(SQLiteFile(text))
        }
    }
}

extension Option where Value == SignerLocation {
    static var signer: Self {
        Self("--signer", isRepeatable: true) { text throws(Failure) in
            do throws(SignerLocationError) { return try SignerLocation(parsing: text) } catch { throw Failure(error) }
        }
    }
}

extension Option where Value == WitnessLocation {
    static var witnessKey: Self {
        Self("--witness-key") { text throws(Failure) in
            do throws(SignerLocationError) { return try WitnessLocation(parsing: text) } catch {
                throw .usage(Words("--witness-key must be file:PATH", "--witness-key doit être file:CHEMIN"))
            }
        }
    }
}

extension GivenOptions {
    /// Returns the keys of `--signer`, the new one first: two while one replaces the other.
    func signers() throws(Failure) -> [SignerLocation] {
        let signers = try all(.signer)
        guard signers.count <= 2, Set(signers).count == signers.count else {
            throw .usage(
                Words(
                    "--signer names two different keys at most: the new one, and the one it replaces",
                    "--signer nomme deux clés différentes au plus : la nouvelle, et celle qu'elle remplace"
                )
            )
        }
        return signers
    }
}

extension Option where Value == ListenAddress {
    static var listen: Self { address("--listen") }
    static var metrics: Self { address("--metrics") }

    private static func address(_ name: String) -> Self {
        Self(name) { text throws(Failure) in
            guard let address = ListenAddress(text) else {
                let form = "HOST:PORT"
                throw .usage(
                    Words(
                        "\(name) must be \(form), without a scheme or a path",
                        "\(name) doit être HÔTE:PORT, sans schéma ni chemin"
                    )
                )
            }
            return address
        }
    }
}

extension Option where Value == Bool {
    static var registration: Self {
        Self("--registration") { text throws(Failure) in
            switch text {
            case "open": return true
            case "closed": return false
            default:
                throw .usage(Words("--registration must be open or closed", "--registration doit être open ou closed"))
            }
        }
    }
}

extension Option where Value == Milliseconds {
    static var before: Self {
        Self("--before") { text throws(Failure) in
            guard let time = Milliseconds(utcText: text + "T00:00:00.000Z") else {
                throw .usage(
                    Words(
                        "--before must be a date such as 2026-01-31",
                        "--before doit être une date comme 2026-01-31"
                    )
                )
            }
            return time
        }
    }
}

extension Option where Value == [CIDR] {
    static var trustedProxy: Self {
        Self("--trusted-proxy") { text throws(Failure) in
            let blocks = text.split(separator: ",", omittingEmptySubsequences: false).map { CIDR(String($0)) }
            let found = blocks.compactMap { $0 }
            guard found.count == blocks.count else {
                throw .usage(
                    Words(
                        "--trusted-proxy must be addresses or blocks such as 10.0.0.0/8, separated by commas",
                        "--trusted-proxy doit être des adresses ou blocs comme 10.0.0.0/8, séparés par des virgules"
                    )
                )
            }
            return found
        }
    }
}

extension Option where Value == SRPEncoding {
    static var proofEncoding: Self {
        Self("--proof-encoding") { text throws(Failure) in
            switch text {
            case "minimal": return .minimal
            case "padded": return .padded
            case "minimal-unpadded-g": return .minimalUnpaddedG
            default:
                throw .usage(
                    Words(
                        "--proof-encoding must be minimal, padded or minimal-unpadded-g",
                        "--proof-encoding doit être minimal, padded ou minimal-unpadded-g"
                    )
                )
            }
        }
    }
}

extension Option where Value == Int {
    static var failures: Self { count("--failures-per-minute", 1...10_000_000) }
    static var accounts: Self { count("--accounts", 1...1_000_000_000) }
    static var logins: Self { count("--logins-per-minute", 1...10_000_000) }
    static var connections: Self { count("--connections-per-network", 1...1_000_000) }
    static var registrations: Self { count("--registrations-per-minute", 1...10_000_000) }
    static var workers: Self { count("--workers", 1...1_024) }
    static var logs: Self { count("--logs", 1...LedgerPlan.mostLogs) }
    static var log: Self { count("--log", 0...1_000_000_000) }

    private static func count(_ name: String, _ range: ClosedRange<Int>) -> Self {
        Self(name) { text throws(Failure) in
            guard let count = Int(text), range.contains(count) else {
                let most = "\(range.lowerBound)–\(range.upperBound)"
                throw .usage(Words("\(name) must be a number, \(most)", "\(name) doit être un nombre, \(most)"))
            }
            return count
        }
    }
}
