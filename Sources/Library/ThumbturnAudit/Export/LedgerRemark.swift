package import ThumbturnRules

/// What a reader of a service's export should know though nothing in it is wrong.
package enum LedgerRemark: Hashable, Sendable {
    /// Records came behind the entry that revoked their device: the first one's place, and how many.
    case revoked(device: Identifier, index: UInt64, count: UInt64)
    /// A chain went on in two ways, and ended with this entry.
    case forked(device: Identifier, epoch: Identifier, index: UInt64)
    /// A chain has fewer records than the one after it says: the log never got, or lost, its end.
    case cut(device: Identifier, epoch: Identifier, count: UInt64, told: UInt64)
    /// A chain's last record is another than the one after it says.
    case diverged(device: Identifier, epoch: Identifier, seq: UInt64)
    /// The log began in place of another.
    case restored(formerOrigin: String, size: UInt64)
    /// The export ends before the head that the caller knows, so the two were not compared.
    case older(size: UInt64)
}
