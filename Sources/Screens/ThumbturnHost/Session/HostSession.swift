public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules
import ThumbturnUI

/// One script's way to a host: its calls by the number that it gave them, and secrets that it knows by number alone.
///
/// For a script that holds no objects of ours, such as a JavaScript context. All of it ends with the script, and the vault
/// stays as it is. `SharedHost.open(_:changed:)` makes it.
@MainActor public final class HostSession {
    private let host: VaultHost
    private let owner: (folder: String, device: @MainActor () async throws -> Device)
    private let changed: @MainActor (String) -> Void
    private var calls: [Double: Task<HostAnswer, Never>] = [:]
    private var ownCalls: Set<Task<HostAnswer, Never>> = []
    /// Calls that were cancelled before they came: what a script asks for at once may arrive in any order.
    private var cancelled: [Double] = []
    private var secrets: [Double: (secret: HeldSecret, use: SecretUse)] = [:]
    /// What was given last, until it is shown.
    private var given: (number: Double, secret: HeldSecret)?
    /// Take what was given off the screen.
    private var hides: [@MainActor () -> Void] = []
    private var isOver = false
    /// Whether the app is in the background.
    private var isAway: Bool

    /// Counts for all sessions, so that the number of a former one is never one of this.
    private static var secretCount = 0.0
    /// Far more than can be under way at once; the others were answered long ago.
    private static let mostCancelled = 64

    init(
        _ host: VaultHost,
        owner: (folder: String, device: @MainActor () async throws -> Device),
        isAway: Bool,
        changed: @escaping @MainActor (String) -> Void
    ) {
        (self.host, self.owner, self.isAway, self.changed) = (host, owner, isAway, changed)
    }

    /// The language of messages.
    public var language: Language { host.language }

    /// Ends the session: cancels its calls and wipes its secrets.
    ///
    /// Later calls answer `HostError.notOpen`.
    public func end() {
        isOver = true
        secrets = [:]
        hideGiven()
        for call in calls.values { call.cancel() }
        for call in ownCalls { call.cancel() }
    }

    func tell(_ value: String) {
        if !host.isOpen { hideGiven() }
        if !isOver { changed(value) }
    }

    func appBecame(_ phase: AppPhase) {
        isAway = phase == .background
        if isAway { hideGiven() }
    }

    /// Wipes what was given, and takes it off the screen: the vault is locked, or the app is left.
    private func hideGiven() {
        given = nil
        for hide in hides { hide() }
        hides = []
    }
}

// Calls.
extension HostSession {
    /// Performs an action as `VaultHost.send(_:secret:)` does, and answers exactly once: also when it was cancelled.
    ///
    /// A secret that the action gives stays here: the answer is `{"error":null,"given":N}`, and `take(_:hide:)` has it.
    ///
    /// - Parameters:
    ///   - ticket: the number of this call; no other call that is under way has it.
    ///   - action: JSON.
    ///   - secret: what comes beside the action. It is copied at once, and the text itself can't be wiped.
    ///   - number: instead of that, a secret that `keep(_:for:)` took. It is used up, whatever the answer.
    public func send(
        _ ticket: Double,
        _ action: String,
        secret: String? = nil,
        number: Double? = nil
    ) async -> HostAnswer {
        let held: HeldSecret?
        do throws(HostError) {
            held = try hold(secret, number, for: .vault)
            guard ticket.isFinite, calls[ticket] == nil else { throw .ticketTaken }
        } catch {
            return HostAnswer(error, in: language)
        }
        let call = Task { [host] in await host.send(Array(action.utf8), held) }
        calls[ticket] = call
        defer { calls[ticket] = nil }
        if let index = cancelled.firstIndex(of: ticket) {
            cancelled.remove(at: index)
            call.cancel()
        }
        let answer = await call.value
        guard let secret = answer.secret else { return answer }
        guard !isOver else { return HostAnswer(.notOpen, in: language) }
        // A lock, or leaving the app, came before the answer.
        guard host.isOpen, !isAway else { return HostAnswer(refusing: VaultError(.locked), in: language) }
        Self.secretCount += 1
        given = (Self.secretCount, secret)
        return HostAnswer(given: Self.secretCount)
    }

    /// Cancels a call, and takes the prompt away that it shows; does nothing once it was answered.
    public func cancel(_ ticket: Double) {
        if let call = calls[ticket] { return call.cancel() }
        cancelled.append(ticket)
        if cancelled.count > Self.mostCancelled { cancelled.removeFirst() }
    }

    /// Keeps, reads or erases a short secret of the app's own behind its owner, outside of the vault.
    ///
    /// - Parameters:
    ///   - request: JSON, `{"call":"set"|"get","name":…,"protection":…,"prompt":{"cancel":…,"reason":…}}` or
    ///     `{"call":"remove","name":…}`; the protection is `ownerPresence` or `currentBiometrics`, which `get` asks for at
    ///     least.
    ///   - secret: what `set` keeps, up to `VaultHost.mostSecretBytes`; copied at once.
    ///   - number: instead of that, a secret that `keep(_:for:)` took for this use. It is used up, whatever the answer.
    /// - Returns: an answer, with what `get` found beside it.
    public func ownerSecret(_ request: String, secret: [UInt8]? = nil, number: Double? = nil) async -> HostAnswer {
        let held: HeldSecret?
        do throws(HostError) { held = try hold(secret, number, for: .ownerSecret) } catch {
            return HostAnswer(error, in: language)
        }
        return await run { [owner] in
            let request = try OwnerRequest(reading: request)
            return try await request.perform(held, in: owner.folder, on: try await owner.device())
        }
    }

    /// Gives a key of the app's own, derived from the open vault, as `VaultHost.derivedKey(_:)` does.
    public func derivedKey(_ label: String) async -> HostAnswer {
        guard !isOver else { return HostAnswer(.notOpen, in: language) }
        let answer = await host.derivedKey(label)
        // A reload may have come first.
        return isOver ? HostAnswer(.notOpen, in: language) : answer
    }

    /// Runs a call that is no action of the host; the session's end cancels it.
    private func run(_ body: @escaping @MainActor () async throws -> HeldSecret?) async -> HostAnswer {
        let call = Task { [language] in
            do {
                let found = try await body()
                // A reload may have come first.
                guard !isOver else { throw HostError.notOpen }
                return HostAnswer(found.map { HostReply($0) } ?? HostReply(nil as UserError?))
            } catch {
                return HostAnswer(refusing: error, in: language)
            }
        }
        ownCalls.insert(call)
        defer { ownCalls.remove(call) }
        return await call.value
    }
}

// Secrets.
extension HostSession {
    /// Keeps a secret for one call.
    ///
    /// - Parameters:
    ///   - secret: what was typed.
    ///   - use: what it is for.
    /// - Returns: its number, from 1, which no other secret ever had; 0 once the session has ended.
    public func keep(_ secret: consuming SecretBytes, for use: SecretUse = .vault) -> Double {
        guard !isOver else { return 0 }
        Self.secretCount += 1
        secrets[Self.secretCount] = (HeldSecret(secret), use)
        return Self.secretCount
    }

    /// Wipes a secret that is not needed any more.
    public func drop(_ number: Double) { secrets[number] = nil }

    /// Takes the secret that an answer gave, to be shown natively.
    ///
    /// - Parameters:
    ///   - number: the answer's `given`.
    ///   - hide: called once, when it must not be shown any more: the vault is locked, the app is left, or the script has
    ///     ended.
    /// - Returns: nil for one that was taken, wiped, or followed by another.
    public func take(_ number: Double, hide: @escaping @MainActor () -> Void) -> SecretBytes? {
        guard let given, given.number == number, host.isOpen else { return nil }
        self.given = nil
        hides.append(hide)
        return given.secret.bytes.copy()
    }

    private func hold(_ text: String?, _ number: Double?, for use: SecretUse) throws(HostError) -> HeldSecret? {
        try hold(number, for: use, text?.utf8.count) { text.map { HeldSecret(SecretBytes(typed: $0)) } }
    }

    private func hold(_ bytes: [UInt8]?, _ number: Double?, for use: SecretUse) throws(HostError) -> HeldSecret? {
        try hold(number, for: use, bytes?.count) {
            bytes.map { bytes in
                HeldSecret(unsafe SecretBytes(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) })
            }
        }
    }

    /// Takes what came beside a call: the secret with this number, or one of so many bytes that `make` copies.
    private func hold(
        _ number: Double?,
        for use: SecretUse,
        _ count: Int?,
        _ make: () -> HeldSecret?
    ) throws(HostError) -> HeldSecret? {
        guard !isOver else { throw .notOpen }
        if let number {
            let kept = secrets.removeValue(forKey: number)
            guard count == nil, let kept, kept.use == use else { throw .secretGone }
            return kept.secret
        }
        // Guarded memory is scarce: what no action takes is refused before it is copied.
        guard (count ?? 0) <= VaultHost.mostSecretBytes else { throw .secretTooLong }
        return make()
    }
}
