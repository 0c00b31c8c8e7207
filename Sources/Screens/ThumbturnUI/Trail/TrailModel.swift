public import ThumbturnRules

/// Lists the device's trail, the newest events first (F-107-10).
///
/// Reading it needs no secret, and nothing in it is one. The members of `fields` are also members of the model.
@MainActor
public final class TrailModel: ScreenModel<TrailFields> {
    /// How many events a page has.
    public static let pageCount = 50

    private let vault: any TrailVault
    private var snapshot: VaultSnapshot?
    private var around = TrailFields.Surroundings()
    private var follower: Task<Void, Never>?

    /// Starts to follow a vault, and reads nothing yet.
    ///
    /// - Parameter vault: the `Vault` whose trail is listed.
    public init(_ vault: any TrailVault) {
        self.vault = vault
        super.init(TrailFields(nil, around))
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.take(snapshot) }
        }
    }

    deinit { follower?.cancel() }

    override func described() -> TrailFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        return TrailFields(snapshot, around)
    }

    private func take(_ snapshot: VaultSnapshot) {
        self.snapshot = snapshot
        show()
    }
}

extension TrailModel {
    /// Reads the newest events, and forgets the others.
    public func load() async {
        await act { () throws(VaultError) in
            around.pages = [try await vault.trailPage(before: nil, limit: Self.pageCount)]
        }
    }

    /// Reads the page before the earliest event that is shown.
    public func loadEarlier() async {
        guard let first = around.pages.last?.first, first > 0 else { return }
        await act { () throws(VaultError) in
            around.pages.append(try await vault.trailPage(before: first, limit: Self.pageCount))
        }
    }
}
