public import ThumbturnCrypto
public import ThumbturnRules
import ThumbturnUI

/// One script's way to a host: its calls by the number that it gave them, and secrets that it knows by number alone.
///
/// For a script that holds no objects of ours, such as a JavaScript context. All of it ends with the script, and the vault
/// stays as it is. `SharedHost.open(_:changed:)` makes it.
@MainActor public final class HostSession {
    private let host: VaultHost
    private let changed: @MainActor (String) -> Void
    private var calls: [Double: Task<HostAnswer, Never>] = [:]
    private var ownCalls: Set<Task<String, Never>> = []
    /// Calls that were cancelled before they came: what a script asks for at once may arrive in any order.
    private var cancelled: [Double] = []
    private var secrets: [Double: HeldSecret] = [:]
    private var isOver = false

    /// Counts for all sessions, so that the number of a former one is never one of this.
    private static var secretCount = 0.0
    /// Far more than can be under way at once; the others were answered long ago.
    private static let mostCancelled = 64

    init(_ host: VaultHost, changed: @escaping @MainActor (String) -> Void) {
        (self.host, self.changed) = (host, changed)
    }

    /// The language of messages.
    public var language: Language { host.language }

    /// Ends the session: cancels its calls and wipes its secrets.
    ///
    /// Later calls answer `HostError.notOpen`.
    public func end() {
        isOver = true
        secrets = [:]
        for call in calls.values { call.cancel() }
        for call in ownCalls { call.cancel() }
    }

    func tell(_ value: String) { if !isOver { changed(value) } }
}

// Calls.
extension HostSession {
    /// Performs an action as `VaultHost.send(_:secret:)` does, and answers exactly once: also when it was cancelled.
    ///
    /// - Parameters:
    ///   - ticket: the number of this call; no other call that is under way has it.
    ///   - action: JSON.
    ///   - secret: what comes beside the action. It is copied at once, and the text itself can't be wiped.
    ///   - number: instead of that, a secret that `keep(_:)` took. It is used up, whatever the answer.
    public func send(
        _ ticket: Double,
        _ action: String,
        secret: String? = nil,
        number: Double? = nil
    ) async -> HostAnswer {
        let held: HeldSecret?
        do throws(HostError) {
            held = try hold(secret, number)
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
        return await call.value
    }

    /// Cancels a call, and takes the prompt away that it shows; does nothing once it was answered.
    public func cancel(_ ticket: Double) {
        if let call = calls[ticket] { return call.cancel() }
        cancelled.append(ticket)
        if cancelled.count > Self.mostCancelled { cancelled.removeFirst() }
    }

    /// Runs a call of the app's own, which is no action of the host; the session's end cancels it.
    ///
    /// - Returns: the JSON that `body` returns, or the form of a refusal for what it throws.
    public func run(_ body: @escaping @MainActor () async throws -> String) async -> String {
        let call = Task { [isOver, language] in
            do {
                guard !isOver else { throw HostError.notOpen }
                return try await body()
            } catch {
                return HostAnswer(refusing: error, in: language).json
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
    /// - Returns: its number, from 1, which no other secret ever had; 0 once the session has ended.
    public func keep(_ secret: consuming SecretBytes) -> Double {
        guard !isOver else { return 0 }
        Self.secretCount += 1
        secrets[Self.secretCount] = HeldSecret(secret)
        return Self.secretCount
    }

    /// Wipes a secret that is not needed any more.
    public func drop(_ number: Double) { secrets[number] = nil }

    /// Takes what came beside a call of the app's own: a text, or the number of a kept secret, which is used up.
    ///
    /// - Returns: a text that can't be wiped, for a store of texts.
    /// - Throws: `.notOpen`, `.secretGone`, `.secretTooLong`.
    public func text(_ text: String?, number: Double?) throws(HostError) -> String? {
        try hold(text, number)?.bytes.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    private func hold(_ text: String?, _ number: Double?) throws(HostError) -> HeldSecret? {
        guard !isOver else { throw .notOpen }
        if let number {
            guard text == nil, let kept = secrets.removeValue(forKey: number) else { throw .secretGone }
            return kept
        }
        guard let text else { return nil }
        // Guarded memory is scarce: what no action takes is refused before it is copied.
        guard text.utf8.count <= VaultHost.mostSecretBytes else { throw .secretTooLong }
        return HeldSecret(SecretBytes(typed: text))
    }
}
