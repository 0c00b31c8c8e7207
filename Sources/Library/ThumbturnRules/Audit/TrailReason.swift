/// Why a chain of records began: the reason of its first record, `TRAIL_BEGUN` (design section 6).
package enum TrailReason: Hashable, Sendable, CaseIterable {
    /// The vault was created.
    case created
    /// The vault was restored from a backup.
    case restored
    /// The app was reinstalled.
    case reinstalled
    /// The vault's folder is on another device.
    case deviceChanged
    /// The former chain has as many records as one may have.
    case full
    /// The former chain, or the key that it was sealed with, is gone.
    case lost
    /// A record of the former chain can't be read, or doesn't continue the one before it.
    case damaged
    /// The former chain is shorter than the attempt ledger says: its end was cut off (A43).
    case cut
    /// The owner erased the vault.
    case reset
    /// The vault is an older copy, or its ledger was put back.
    case putBack

    /// The text as it is written into the record.
    package var name: String {
        switch self {
        case .created: "created"
        case .restored: "restored"
        case .reinstalled: "reinstalled"
        case .deviceChanged: "deviceChanged"
        case .full: "full"
        case .lost: "lost"
        case .damaged: "damaged"
        case .cut: "cut"
        case .reset: "reset"
        case .putBack: "putBack"
        }
    }
}
