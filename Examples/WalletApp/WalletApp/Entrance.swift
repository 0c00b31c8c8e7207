import Combine
import SwiftUI
import Thumbturn
import ThumbturnUI

/// Shows where the app stands: the first start, the wallets behind their lock, or why neither.
struct Entrance: View {
    @ObservedObject var opening: Opening
    @Environment(\.scenePhase) private var phase

    var body: some View {
        ZStack {
            switch opening.stage {
            case .opening:
                ProgressView()
            case .firstStart(let new):
                FirstStart(new: new) { opening.enter($0) }
            case .home(let rooms):
                Home(rooms: rooms).vaultLock(rooms.lock)
            case .failed(let why):
                Text(verbatim: why).padding()
            }
        }
        .onAppear { Task { await opening.open() } }
        .onChange(of: phase) { phase in
            if phase == .active { Task { await opening.open() } }
        }
    }
}

/// Opens the owner's vault, or makes the first one; one for the app, which has one window.
@MainActor final class Opening: ObservableObject {
    enum Stage {
        case opening
        case firstStart(NewVault)
        case home(Rooms)
        case failed(String)
    }

    @Published private(set) var stage = Stage.opening
    private let accessGroup: String
    private let home: String
    private let journal: Journal
    private var isOpening = false

    init(accessGroup: String, home: String) {
        self.accessGroup = accessGroup
        self.home = home
        journal = Journal(in: home)
    }

    /// Looks for the vault, unless that is done or under way.
    ///
    /// The system may start the app while the phone is locked, when nothing can be read; so each return tries again.
    func open() async {
        switch stage {
        case .opening, .failed: break
        case .firstStart, .home: return
        }
        guard !isOpening else { return }
        isOpening = true
        defer { isOpening = false }
        do {
            let device = try await Device.ofThisApp(accessGroup: accessGroup, home: home)
            let configuration = journal.configuration(on: device)
            if let core = try await WalletCore.open(on: device, in: home, configuration: configuration) {
                enter(core)
            } else {
                stage = .firstStart(NewVault(on: device, in: home, configuration))
            }
        } catch {
            // What is missing in the project, or an error of the library, which has words for the owner.
            stage = .failed((error as? VaultError)?.code.message(in: .english) ?? "\(error)")
        }
    }

    func enter(_ core: WalletCore) {
        journal.follow(core)
        stage = .home(Rooms(core, journal))
    }
}

/// A vault, and one model for each screen that shows something of it.
@MainActor struct Rooms {
    let core: WalletCore
    let lock: AppUnlockObject
    let biometrics: BiometricSettingsObject
    let system: SystemSettingsObject
    let journal: Journal

    init(_ core: WalletCore, _ journal: Journal) {
        self.core = core
        self.journal = journal
        lock = AppUnlockObject(core.vault, secret: .pin(length: NewVault.pinLength))
        biometrics = BiometricSettingsObject(core.vault, secret: .pin(length: NewVault.pinLength))
        // The app's own feature flag: here it is open to everybody.
        system = SystemSettingsObject(core.vault, offer: SystemModeFlag(list: "*").offer(to: "owner"))
    }
}
