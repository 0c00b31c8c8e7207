import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
public import ThumbturnUI

/// What the models of an account's screens share: calls that end with their screen, and the service's waits.
///
/// Each call runs in a task of its own, because it may last as long as the service: `cancel()` ends it.
@MainActor public class AccountScreenModel<Fields: Hashable & Sendable>: ScreenModel<Fields> {
    /// Waits between two texts of a countdown.
    typealias Sleep = @Sendable (Milliseconds) async -> Void

    private(set) final var snapshot: VaultSnapshot?
    /// How often the screen was left: a call that began before that changes nothing on it any more.
    private(set) final var departures = 0
    private let sleep: Sleep
    private var wait: Milliseconds?
    private var work: Task<Void, Never>?
    private var countdown: Task<Void, Never>?
    private var follower: Task<Void, Never>?

    init(_ fields: Fields, sleep: Sleep?) {
        self.sleep = sleep ?? { span in try? await Task.sleep(nanoseconds: UInt64(max(span.count, 0)) * 1_000_000) }
        super.init(fields)
    }

    deinit {
        work?.cancel()
        countdown?.cancel()
        follower?.cancel()
    }

    /// The facts that every screen shows.
    final var around: AccountSurroundings {
        var around = AccountSurroundings(language: language)
        (around.isBusy, around.refusal, around.wait, around.snapshot) = (isCalling, refusal, wait, snapshot)
        return around
    }

    /// Whether passwords may be sent: the service asks for no wait.
    final var mayAsk: Bool { wait == nil && mayRun }

    /// Whether no call is in progress, nor about to begin.
    private var mayRun: Bool { !isCalling && work == nil }

    /// Whether the vault is covered, so that nothing more may be kept of what was typed.
    final var isCoveredNow: Bool { snapshot?.isCovered ?? false }

    /// Forgets everything that was typed, and returns to a step that asks for it again.
    func forget() {}

    /// The session of the vault has ended.
    func lockedMeanwhile() { forget() }

    /// Leaves the screen: forgets what was typed, and ends a call that is still under way.
    ///
    /// What the service has done by then stays done.
    public func cancel() {
        departures += 1
        work?.cancel()
        forget()
        refuse(nil)
    }

    /// Follows a vault: what was typed goes when it is covered or locked (A37).
    final func follow(_ vault: any ScreenVault) {
        follower?.cancel()
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.take(snapshot) }
        }
    }

    final func take(_ snapshot: VaultSnapshot) {
        let former = self.snapshot
        self.snapshot = snapshot
        // Only when that begins: the steps of a call publish snapshots too.
        let isCovered = snapshot.isCovered && former?.isCovered != true
        let isLocked = !snapshot.state.hasSession && former?.state.hasSession != false
        if isLocked {
            lockedMeanwhile()
            if !isCalling { refusal = nil }
        } else if isCovered {
            forget()
        }
        show()
    }

    /// Runs a call in a task that `cancel()` ends; does nothing while another runs.
    ///
    /// - Parameter body: receives whether the screen is still there, to be asked after each wait.
    final func run(
        _ body: @escaping @MainActor (_ isHere: @MainActor () -> Bool) async throws(VaultError) -> Void
    ) async {
        guard mayRun else { return }
        let before = departures
        let work = Task { [weak self] in
            _ = await self?.act { () throws(VaultError) in
                do throws(VaultError) {
                    try await body { self?.departures == before }
                } catch {
                    // Nobody is there to be told of it.
                    guard self?.departures == before else { return }
                    self?.count(down: error.retryAfter)
                    throw error
                }
            }
        }
        self.work = work
        await work.value
        self.work = nil
    }

    /// Counts a wait down, after which the password may be sent again.
    private func count(down span: Milliseconds?) {
        countdown?.cancel()
        wait = span
        guard let span else { return }
        countdown = Task { [weak self, sleep] in
            var remaining = span
            while remaining > .zero {
                let step = min(Countdown.untilChange(of: remaining), remaining)
                await sleep(step)
                guard !Task.isCancelled else { return }
                remaining = remaining - step
                self?.wait(remaining)
            }
        }
    }

    private func wait(_ remaining: Milliseconds) {
        wait = remaining > .zero ? remaining : nil
        if wait == nil, refusal == .attemptDelayed { refusal = nil }
        show()
    }
}
