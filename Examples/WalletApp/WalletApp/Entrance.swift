import SwiftUI
import Thumbturn
import ThumbturnUI

/// The library's screens around the wallets: the first start, the lock, the way back.
struct Entrance: View {
    let opening: Opening

    var body: some View {
        VaultScreens(opening.screens) { _ in
            if let rooms = opening.rooms { Home(rooms: rooms) }
        }
    }
}

/// The owner's vault, and what this app keeps beside it; one for the app, which has one window.
@MainActor final class Opening {
    /// Opens the vault, or makes the first one.
    private(set) lazy var screens = VaultScreensModel(
        in: home,
        policy: .ofThisApp,
        secret: Rooms.secret,
        configuration: { [journal] device in journal.configuration(on: device) },
        opened: { [weak self] vault, device in self?.enter(WalletCore(vault: vault, device: device)) },
        device: { [accessGroup, home] in try await Device.ofThisApp(accessGroup: accessGroup, home: home) }
    )
    /// What belongs to the present vault.
    private(set) var rooms: Rooms?
    private let accessGroup: String
    private let home: String
    private let journal: Journal

    init(accessGroup: String, home: String) {
        self.accessGroup = accessGroup
        self.home = home
        journal = Journal(in: home)
    }

    private func enter(_ core: WalletCore) {
        guard let lock = screens.lock else { return }
        journal.follow(core)
        rooms = Rooms(core, lock, journal)
    }
}

/// A vault, and one model for each screen that shows something of it.
@MainActor struct Rooms {
    static let secret = SecretKind.pin(length: 6)

    let core: WalletCore
    let lock: AppUnlockObject
    let biometrics: BiometricSettingsObject
    let system: SystemSettingsObject
    let journal: Journal

    init(_ core: WalletCore, _ lock: AppUnlockObject, _ journal: Journal) {
        self.core = core
        self.lock = lock
        self.journal = journal
        biometrics = BiometricSettingsObject(core.vault, secret: Self.secret)
        // The app's own feature flag: here it is open to everybody.
        system = SystemSettingsObject(core.vault, offer: SystemModeFlag(list: "*").offer(to: "owner"))
    }
}
