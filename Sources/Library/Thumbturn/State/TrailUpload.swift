package import ThumbturnAudit
import ThumbturnBase
package import ThumbturnDevice
package import ThumbturnRules

/// Records that are to be delivered to the log of the vault's account.
package struct TrailUpload: Sendable {
    /// What the device signs.
    package let upload: AuditUpload
    /// The records, a line each.
    package let body: [UInt8]
    /// The last of them.
    package let last: AuditRecord
    /// The key that signs for their chain.
    package let key: ItemName
    /// The log that they are for.
    package let origin: String
    /// Its keys that count.
    package let keys: [AuditKey]
    /// The log's head that was acknowledged last, with which a new one has to be consistent; nil before the first.
    package let head: AuditCheckpoint?

    /// What the device has to sign.
    package var message: [UInt8] { upload.message(origin: origin) }
}

/// What delivery does next.
package enum NextUpload: Sendable {
    /// Nothing waits.
    case none
    /// It sends this.
    case upload(TrailUpload)
    /// Something waits, and can't be sent.
    case halted(TrailHalt)
}

/// Why records wait though the service may be reachable; the names are stable.
package enum TrailHalt: String, Hashable, Sendable, CaseIterable {
    /// No login has told of the account's log yet.
    case logUnknown
    /// The service keeps another log now: the next login tells which.
    case otherLog
    /// The service does not know the device: the next login lists it.
    case unknownDevice
    /// The service refuses the records.
    case refused
    /// Two heads that the service signed are not of one log.
    case inconsistent
    /// The service knows fewer records than it acknowledged.
    case forgetful

    /// Whether the service failed, for which there is evidence.
    package var isEvidence: Bool { self == .inconsistent || self == .forgetful }
}

/// An acknowledgement that holds: made from nothing but one whose proof and head were verified (A45).
package struct ProvedReceipt: Sendable {
    let receipt: AuditReceipt

    /// Verifies the service's answer to an upload.
    ///
    /// - Throws: what is wrong with it; `.inconsistent` is evidence against the service.
    package init(_ receipt: AuditReceipt, of sent: TrailUpload) throws(AuditReceiptError) {
        _ = try receipt.verify(sent.upload, last: sent.last, under: sent.keys, origin: sent.origin, since: sent.head)
        self.receipt = receipt
    }
}

/// How far the trail was delivered, for `status`.
package struct TrailDelivery: Hashable, Sendable {
    /// How many records wait.
    package let undelivered: UInt64
    /// When the service last acknowledged any, by the device's clock; nil before the first.
    package let deliveredAt: Milliseconds?
    /// What the log calls itself; nil before a login told of one.
    package let origin: String?
    /// Why records wait though the service may be reachable, or how it failed.
    package let halt: TrailHalt?
    /// The code of the service's refusal.
    package let refusal: String?
}
