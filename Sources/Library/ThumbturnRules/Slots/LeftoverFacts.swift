/// What is known of an item that a note in the vault's file asks to delete.
///
/// Any process that can write the file can write a note, so a note alone deletes nothing that the owner could miss
/// (A25). A device secret is deleted only if it has no used counter, so that no commit has used it, or vouched for the
/// note itself; the key of a system slot only if an open session verified the slots, or it has a counter, which the
/// owner's reset creates.
///
/// A damaged item vouches for nothing, and stays until a commit has made it unnecessary: once an open session knows the
/// slots, or in the owner's reset.
package struct LeftoverFacts: Hashable, Sendable {
    /// The kind of item.
    package enum Item: Hashable, Sendable, CaseIterable {
        /// A device secret, which a PIN needs.
        case deviceSecret
        /// The key of a system slot: besides a recovery key, the only thing that opens its vault.
        case systemKey
        /// A key that can be replaced: of biometrics, of credentials that can be fetched again, the device's signing key,
        /// which a login recreates, or what seals the trail, which then begins anew.
        case replaceable
        /// A name of another form, which is not ours.
        case foreign
    }

    /// The store's answer about an item or a counter.
    package enum Presence: Hashable, Sendable, CaseIterable {
        /// It exists.
        case present
        /// It is confirmed not to exist.
        case absent
        /// It exists, but is damaged.
        case damaged
        /// The store can't tell now.
        case unavailable
    }

    /// What to ask the device next.
    package enum Question: Hashable, Sendable {
        /// Whether the device secret has a counter.
        case counter
        /// Whether the item exists at all.
        case item
        /// Whether the item vouches for the note.
        case voucher
    }

    /// What to do.
    package enum Verdict: Hashable, Sendable {
        /// Delete it.
        case delete
        /// Keep it; a later look asks again.
        case keep
        /// Ask this question first.
        case ask(Question)
    }

    /// The kind of item.
    package let item: Item
    /// Whether a slot's row, readable or not, names it.
    package var isReferredTo: Bool
    /// Whether its name is this vault's.
    package var isOwn: Bool
    /// Whether there is no vault here, erased or not created yet.
    package var isHeadless: Bool
    /// Whether an open session verified the current slots, or the owner's reset has just ended them all.
    package var isVerified: Bool
    /// Whether it has a used counter; nil until asked.
    package var counter: Presence?
    /// Whether it exists; nil until asked.
    package var presence: Presence?
    /// Whether it vouches for the note; nil until asked.
    package var vouches: Bool?

    /// Collects what is known without asking the device.
    package init(item: Item, isReferredTo: Bool, isOwn: Bool, isHeadless: Bool, isVerified: Bool) {
        self.item = item
        self.isReferredTo = isReferredTo
        self.isOwn = isOwn
        self.isHeadless = isHeadless
        self.isVerified = isVerified
    }

    /// What to do with the item.
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
        // An interrupted reset deleted the item and then its counter, but left the note.
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
