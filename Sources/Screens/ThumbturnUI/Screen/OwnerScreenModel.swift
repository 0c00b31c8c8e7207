import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// What screens share that ask for their owner first, and hold secrets while they are on the screen.
///
/// Whatever was typed or shown is wiped, and the screen starts over, when it is left, when the app leaves the front,
/// and when the vault locks (A36, A37, P-107-04).
@MainActor
public class OwnerScreenModel<Fields: Hashable & Sendable>: ScreenModel<Fields> {
    /// The kind of secret that the owner types.
    public final let secret: SecretKind
    /// The PIN during entry.
    public final let pin = PINEntry()
    /// Whether the screen is being recorded or shown elsewhere, as the system says; nothing secret is shown meanwhile.
    public final var isCaptured = false { didSet { show() } }

    /// What the vault said last.
    final var snapshot: VaultSnapshot?
    /// Goes up with whatever ends what was begun: a call that is still on its way then changes nothing (A61).
    final private(set) var round = 0
    private var follower: Task<Void, Never>?
    private var call: Task<Void, Never>?

    init(_ fields: Fields, secret: SecretKind) {
        self.secret = secret
        super.init(fields)
    }

    deinit { follower?.cancel() }

    /// Wipes what was typed and shown.
    func wipe() {}

    /// Shows the first step, unless what is shown is a result.
    ///
    /// - Parameter isLeft: whether the owner has left the screen, and its result with it.
    func rewind(isLeft: Bool) {}

    /// Reads what the snapshot does not say.
    func look() async {}
}

extension OwnerScreenModel {
    /// Starts over, and wipes what was typed and shown; a call that is still on its way changes nothing on the screen.
    public final func cancel() {
        call?.cancel()
        startOver(isLeft: true)
        refuse(nil)
    }

    final func follow(_ vault: any ScreenVault) {
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() {
                await self?.look()
                self?.take(snapshot)
            }
        }
    }

    /// Starts a call that ends with the screen: leaving it takes the device's own prompt away.
    final func start(_ body: @escaping @MainActor () async -> Void) { call = Task { await body() } }

    /// Runs one call; what it throws after it was overtaken is not said.
    final func proceed(_ body: (_ isCurrent: @MainActor () -> Bool) async throws(VaultError) -> Void) async {
        let before = round
        await act { () throws(VaultError) in
            do throws(VaultError) { try await body { round == before } } catch {
                if round == before { throw error }
            }
        }
    }

    /// The text on the device's own prompt.
    final var systemPrompt: PromptText {
        PromptText(
            reason: Words.openVault.in(language),
            cancelTitle: Words.cancel.in(language),
            fallbackTitle: ""
        )
    }

    private func take(_ snapshot: VaultSnapshot) {
        let wasCovered = self.snapshot?.isCovered ?? false
        self.snapshot = snapshot
        // The device's own prompt covers the app too.
        let isLeaving = snapshot.isCovered && !wasCovered && !snapshot.state.promptsSystem
        if isLeaving || !snapshot.state.hasSession { startOver(isLeft: false) }
        if !snapshot.state.hasSession { refusal = nil }
        show()
    }

    private func startOver(isLeft: Bool) {
        round += 1
        pin.clear()
        wipe()
        rewind(isLeft: isLeft)
    }
}

extension UnlockMachine.State {
    fileprivate var promptsSystem: Bool { if case .promptingSystem = self { true } else { false } }
}
