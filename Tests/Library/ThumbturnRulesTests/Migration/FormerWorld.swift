import ThumbturnRules

/// A former app, a vault, a device and an owner, as far as a migration can tell them apart.
///
/// There are two wallets. The former app keeps `first`; `second` is there where its two copies differ, or where the former
/// app was used again.
struct FormerWorld: Hashable {
    enum Wallet: Hashable { case first, second }

    /// What is sealed under the former PIN; `.again` is `first` sealed anew.
    enum Sealed: Hashable {
        case nothing, first, again, second

        var wallet: Wallet? {
            switch self {
            case .nothing: nil
            case .first, .again: .first
            case .second: .second
            }
        }
    }

    /// What is behind biometrics; it ends with the enrolled set.
    enum Biometric: Hashable { case nothing, first, second, pin }

    /// The vault as it is committed.
    struct Vault: Hashable {
        var state: MigrationMachine.State
        /// The sealed bytes that the manifest marks.
        var mark: Sealed
        /// What the half state says of its wallet.
        var source: Wallet?
        var wallets: Set<Wallet>
        var hasPIN: Bool
        /// Whether there is a biometric slot, and whether its key is still there.
        var hasFinger: Bool
        var fingerIsAlive: Bool
    }

    var sealed: Sealed
    var biometric: Biometric
    var vault: Vault?
    /// Whether a session is open.
    var isOpen = false

    var state: MigrationMachine.State { vault?.state ?? .legacy }

    /// The wallets that somebody with the PIN can still get at.
    var reachedByPIN: Set<Wallet> {
        var reached: Set<Wallet> = []
        if let wallet = sealed.wallet { reached.insert(wallet) }
        if let vault, vault.hasPIN { reached.formUnion(vault.wallets) }
        return reached
    }

    /// The wallets that somebody with PIN and finger can still get at.
    var reached: Set<Wallet> {
        var reached = reachedByPIN
        switch biometric {
        case .first: reached.insert(.first)
        case .second: reached.insert(.second)
        case .nothing, .pin: break
        }
        if let vault, vault.hasFinger, vault.fingerIsAlive { reached.formUnion(vault.wallets) }
        return reached
    }
}

// What happens, and how a shell carries out what the rules say to it.
extension FormerWorld {
    enum Step: Hashable, CaseIterable {
        case givePIN, givePINKeepingBoth, givePINTakingNewKey, giveFinger, giveFingerAndFirstPIN, askForChange
        case eraseAfterUnlock, eraseBehindPrompt
        case lock, deleteWallet, changeEnrolment, sealAgain, sealAnother
    }

    /// Where the shell is cut off: after so many orders.
    typealias Cut = Int

    /// Takes a step; nil when nothing can happen.
    mutating func take(_ step: Step, cutAfter cut: Cut) -> [MigrationMachine.Effect]? {
        switch step {
        case .lock:
            guard isOpen else { return nil }
            isOpen = false
            return []
        case .deleteWallet: return deleteWallet(cutAfter: cut)
        case .changeEnrolment:
            if biometric != .nothing { biometric = .nothing }
            vault?.fingerIsAlive = false
            return []
        case .sealAgain:
            guard sealed == .first else { return nil }
            sealed = .again
            return []
        case .sealAnother:
            // The former app gave its own copy up; that is its owner's doing.
            guard sealed == .first || sealed == .again else { return nil }
            sealed = .second
            return []
        case .givePIN: return givePIN(cutAfter: cut)
        case .givePINKeepingBoth: return givePIN(keepsBoth: true, cutAfter: cut)
        case .givePINTakingNewKey: return givePIN(takesNewKey: true, cutAfter: cut)
        case .giveFinger: return giveFinger(firstPIN: false, cutAfter: cut)
        case .giveFingerAndFirstPIN: return giveFinger(firstPIN: true, cutAfter: cut)
        case .askForChange: return machine.handle(.changeRequested)
        case .eraseAfterUnlock: return erase(behindPrompt: false, cutAfter: cut)
        case .eraseBehindPrompt: return erase(behindPrompt: true, cutAfter: cut)
        }
    }

    private var machine: MigrationMachine { MigrationMachine(state: state) }

    private mutating func givePIN(
        keepsBoth: Bool = false,
        takesNewKey: Bool = false,
        cutAfter cut: Cut
    ) -> [MigrationMachine.Effect]? {
        if let vault, vault.hasPIN, !isOpen {
            isOpen = true
            return []
        }
        guard let wallet = sealed.wallet else { return nil }
        let reach: MigrationMachine.Reach
        if let vault {
            let holds = vault.wallets.contains(wallet)
            reach =
                isOpen
                ? .open(holdsWallet: holds)
                : .shut(holdsWallet: vault.source == wallet, slotIsDead: !vault.fingerIsAlive)
        } else {
            reach = .nowhere
        }
        let event = MigrationMachine.Event.sealedOpened(reach, keepsBoth: keepsBoth, takesNewKey: takesNewKey)
        return carryOut(machine.handle(event), of: wallet, cutAfter: cut)
    }

    /// Its owner deletes the wallet that the former app keeps too: one transaction with what that orders.
    private mutating func deleteWallet(cutAfter cut: Cut) -> [MigrationMachine.Effect]? {
        guard isOpen, let vault, vault.hasPIN, vault.wallets.contains(.first) else { return nil }
        let orders = machine.handle(.walletDeleted)
        guard cut > 0 else { return orders }
        self.vault?.wallets.remove(.first)
        return carryOut(orders, of: .first, cutAfter: .max)
    }

    private mutating func giveFinger(firstPIN: Bool, cutAfter cut: Cut) -> [MigrationMachine.Effect]? {
        if let vault {
            guard vault.hasFinger, vault.fingerIsAlive, !isOpen else { return nil }
            isOpen = true
            return []
        }
        let wallet: Wallet?
        switch biometric {
        case .nothing: wallet = nil
        case .first: wallet = .first
        case .second: wallet = .second
        case .pin: wallet = sealed.wallet
        }
        guard let wallet else { return nil }
        let event = MigrationMachine.Event.biometricRead(
            pinIsKnown: biometric == .pin || firstPIN && sealed == .nothing,
            sealedIsThere: sealed != .nothing
        )
        return carryOut(machine.handle(event), of: wallet, cutAfter: cut)
    }

    /// Carries the orders out one by one; each is whole or was not begun, and a cut ends the process.
    private mutating func carryOut(
        _ orders: [MigrationMachine.Effect],
        of wallet: Wallet,
        cutAfter cut: Cut
    ) -> [MigrationMachine.Effect] {
        var added: Set<Wallet> = []
        for (number, order) in orders.enumerated() {
            guard number < cut else {
                isOpen = false
                break
            }
            switch order {
            case .makeVault(let ways):
                vault = Vault(
                    state: ways == .biometrics ? .half : .erasing,
                    mark: sealed,
                    source: ways == .biometrics ? wallet : nil,
                    wallets: [wallet],
                    hasPIN: ways != .biometrics,
                    hasFinger: ways != .pin,
                    fingerIsAlive: ways != .pin
                )
                isOpen = true
            case .replaceKey:
                vault = Vault(
                    state: .erasing,
                    mark: sealed,
                    source: nil,
                    wallets: [wallet],
                    hasPIN: true,
                    hasFinger: false,
                    fingerIsAlive: false
                )
                isOpen = true
            case .addWallet:
                // Before the vault has its PIN it goes into the transaction that gives it one.
                if state == .half { added.insert(wallet) } else { vault?.wallets.insert(wallet) }
            case .wrapKey:
                vault?.state = .erasing
                vault?.mark = sealed
                vault?.source = nil
                vault?.hasPIN = true
                vault?.wallets.formUnion(added)
            case .eraseBiometric: biometric = .nothing
            case .eraseSealed: sealed = .nothing
            case .finish:
                vault?.state = .full
                vault?.mark = .nothing
            case .record, .refuse: break
            }
        }
        return orders
    }

    private mutating func erase(behindPrompt: Bool, cutAfter cut: Cut) -> [MigrationMachine.Effect]? {
        guard let vault, isOpen else { return nil }
        let copy: MigrationMachine.Copy =
            sealed == .nothing ? .absent : sealed == vault.mark ? .same : .other
        let orders = machine.handle(.copiesFound(sealed: copy, biometric: biometricCopy(vault, copy, behindPrompt)))
        return carryOut(orders, of: .first, cutAfter: cut)
    }

    private func biometricCopy(
        _ vault: Vault,
        _ sealed: MigrationMachine.Copy,
        _ behindPrompt: Bool
    ) -> MigrationMachine.Copy {
        let wallet: Wallet
        switch biometric {
        case .nothing: return .absent
        case .pin: return .same
        case .first: wallet = .first
        case .second: wallet = .second
        }
        if behindPrompt { return vault.wallets.contains(wallet) ? .same : .other }
        let isSource = vault.state == .half && sealed == .same && vault.source == wallet
        return isSource ? .same : .unknown
    }
}
