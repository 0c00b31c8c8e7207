/// What is known of an item that a note in the vault's file wants deleted.
///
/// Anybody who can write the file can write a note. So a note alone deletes nothing that the owner could miss (A25): no
/// device secret, unless it has no counter and so was never committed with, or vouched for the note itself; and no key of a
/// system slot, unless an open session verified which slots stand, or it has a counter, which its owner's reset gives it.
///
/// A damaged item vouches for nothing, and stays until the change that has no use for it has committed: once an open session
/// knows the slots, or in its owner's reset.
package struct LeftoverFacts: Hashable, Sendable {
    /// What the item is.
    package enum Item: Hashable, Sendable, CaseIterable {
        /// A device secret: what a PIN needs.
        case deviceSecret
        /// The key of a system slot: with a recovery key all that opens its vault.
        case systemKey
        /// A key that something else stands behind: biometrics, credentials that can be fetched again, or the device's own,
        /// which a login makes anew.
        case replaceable
        /// A name of another form: nothing of ours.
        case foreign
    }

    /// What a store said of an item or a counter.
    package enum Presence: Hashable, Sendable, CaseIterable {
        /// It is there.
        case present
        /// It is confirmed not to be there.
        case absent
        /// It is there, and not whole.
        case damaged
        /// Nobody can say now.
        case unavailable
    }

    /// What has to be asked next.
    package enum Question: Hashable, Sendable {
        /// Whether the device secret has a counter.
        case counter
        /// Whether the item is there at all.
        case item
        /// Whether the item vouches for the note.
        case voucher
    }

    /// What is to be done.
    package enum Verdict: Hashable, Sendable {
        /// Delete it.
        case delete
        /// Leave it; a later look asks again.
        case keep
        /// It depends.
        case ask(Question)
    }

    /// What the item is.
    package let item: Item
    /// Whether a slot's row names it, readable or not.
    package var isReferredTo: Bool
    /// Whether it is this vault's by its name.
    package var isOwn: Bool
    /// Whether there is no vault here any more, or none yet.
    package var isHeadless: Bool
    /// Whether an open session verified the slots that stand, or its owner's reset has just ended them all.
    package var isVerified: Bool
    /// Whether it has a counter; nil until it was asked.
    package var counter: Presence?
    /// Whether it is there; nil until it was asked.
    package var presence: Presence?
    /// Whether it vouches for the note; nil until it was asked.
    package var vouches: Bool?

    /// Gathers what is known without asking the device.
    package init(item: Item, isReferredTo: Bool, isOwn: Bool, isHeadless: Bool, isVerified: Bool) {
        self.item = item
        self.isReferredTo = isReferredTo
        self.isOwn = isOwn
        self.isHeadless = isHeadless
        self.isVerified = isVerified
    }

    /// What is to be done with it.
    package var verdict: Verdict {
        guard !isReferredTo, isOwn || isHeadless else { return .keep }
        switch item {
        case .foreign: return .keep
        case .replaceable: return .delete
        case .systemKey: return isVerified ? .delete : verdictOnSystemKey
        case .deviceSecret: return verdictOnDeviceSecret
        }
    }

    private var verdictOnSystemKey: Verdict {
        switch counter {
        case nil: return .ask(.counter)
        case .present?, .damaged?: return .delete
        case .unavailable?: return .keep
        case .absent?: break
        }
        // A reset that was cut off took the counter away after the item, and left the note.
        switch presence {
        case nil: return .ask(.item)
        case .absent?: return .delete
        case .present?, .damaged?, .unavailable?: return .keep
        }
    }

    private var verdictOnDeviceSecret: Verdict {
        switch counter {
        case nil: return .ask(.counter)
        case .absent?: return .delete
        case .unavailable?: return .keep
        case .present?, .damaged?: break
        }
        switch presence {
        case nil: return .ask(.item)
        case .absent?: return .delete
        case .damaged?: return isVerified ? .delete : .keep
        case .unavailable?: return .keep
        case .present?: break
        }
        guard let vouches else { return .ask(.voucher) }
        return vouches ? .delete : .keep
    }
}
