import SwiftUI
import Thumbturn
import ThumbturnUI

/// Opens the owner's vault, or makes the first one.
struct Entrance: View {
    private enum Stage {
        case opening
        case firstStart(NewVault)
        case home(Rooms)
        case failed(String)
    }

    let accessGroup: String
    let home: String
    @State private var stage = Stage.opening

    var body: some View {
        switch stage {
        case .opening:
            ProgressView().onAppear { Task { await open() } }
        case .firstStart(let new):
            FirstStart(new: new) { core in stage = .home(Rooms(core)) }
        case .home(let rooms):
            Home(rooms: rooms).vaultLock(rooms.lock)
        case .failed(let why):
            Text(verbatim: why).padding()
        }
    }

    private func open() async {
        do {
            let device = try await Device.ofThisApp(accessGroup: accessGroup, home: home)
            if let core = try await WalletCore.open(on: device, in: home) {
                stage = .home(Rooms(core))
            } else {
                stage = .firstStart(NewVault(on: device, in: home))
            }
        } catch {
            // What is missing in the project, or an error of the library, which has words for the owner.
            stage = .failed((error as? VaultError)?.code.message(in: .english) ?? "\(error)")
        }
    }
}

/// A vault, and one model for each screen that shows something of it.
@MainActor struct Rooms {
    let core: WalletCore
    let lock: AppUnlockObject
    let biometrics: BiometricSettingsObject
    let system: SystemSettingsObject

    init(_ core: WalletCore) {
        self.core = core
        lock = AppUnlockObject(core.vault, secret: .pin(length: NewVault.pinLength))
        biometrics = BiometricSettingsObject(core.vault, secret: .pin(length: NewVault.pinLength))
        // The app's own feature flag: here it is open to everybody.
        system = SystemSettingsObject(core.vault, offer: SystemModeFlag.open.offer(to: "owner"))
    }
}
