import ThumbturnFiles
import ThumbturnCrypto

/// The secrets that a host holds by number, in memory of the library's own.
final class SecretTable: Sendable {
    /// Those of this process: a number is good in any vault.
    static let shared = SecretTable(limit: 1_024)

    private let secrets: Monitor<NumberTable<HeldSecret>>

    init(limit: Int) { secrets = Monitor(NumberTable(.secret, limit: limit)) }

    /// How many a host holds.
    var count: Int { secrets.change { $0.count } }

    /// Gives a secret a number; nil when there are too many.
    func add(_ secret: HeldSecret) -> UInt64? { secrets.change { $0.add(secret) } }

    /// Returns the secret of a number, which keeps it.
    func look(_ number: UInt64) -> HeldSecret? { secrets.change { $0[number] } }

    /// Takes the secret of a number, which then means nothing.
    func take(_ number: UInt64) -> HeldSecret? { secrets.change { $0.remove(number) } }
}
