import ThumbturnCrypto
import ThumbturnRules

/// Keyed computations for the calls about accounts: values derived from names, and sealed values.
package struct AccountKeys: Sendable {
    /// The number of counters for unknown names: a power of two.
    ///
    /// Unknown names share them, so that an attacker can't fill the store. A count lapses soon (`Throttle.lapse`). To
    /// learn from a counter that a name is unknown, an attacker would have to keep a large part of all counters busy
    /// all the time.
    private static let strangerSlots: UInt32 = 1 << 24

    let names: NameKey
    let service: ServiceKeys
    /// A box that takes as long to open as a verifier.
    let decoy: [UInt8]
    static let decoyCell = SealedCell.verifier(account: [UInt8](repeating: 0, count: 16), epoch: 0)

    /// - Parameter store: the store that the keys belong to.
    package init(names: NameKey, service: ServiceKeys, store: any Store) throws(StoreError) {
        (self.names, self.service) = (names, service)
        decoy = try store.reading { transaction throws(StoreError) in
            let nothing = [UInt8](repeating: 0, count: SRPGroup.standard.byteCount)
            return try service.sealer(in: transaction).seal(nothing, Self.decoyCell)
        }
    }
}

// Values derived from a name. Each has its own purpose, so that none reveals another.
extension AccountKeys {
    /// Returns the hash that finds an account.
    func hash(of name: AccountName) -> [UInt8] { names.tag("account", name.bytes) }

    /// Returns the tag of a name in the log; it differs from the tables' hash, so that a thief of both can't join them.
    func logged(_ name: AccountName) -> String { Array(names.tag("log", name.bytes).prefix(16)).hexadecimal }

    /// Returns the keys of a login's failure counters; unknown names share a fixed number of them.
    func countKeys(_ nameHash: [UInt8], _ userID: Identifier, isKnown: Bool, _ network: [UInt8]) -> CountKeys {
        func place(_ tag: [UInt8]) -> [UInt8] {
            guard !isKnown else { return tag }
            let number: UInt32 = tag.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
            let slot = number % Self.strangerSlots
            let last = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: slot >> $0) }
            return [UInt8](repeating: 0, count: tag.count - 4) + last
        }
        return CountKeys(
            pair: place(names.tag("pair", nameHash + network)),
            name: place(names.tag("name", nameHash)),
            network: network,
            userID: userID
        )
    }
}
