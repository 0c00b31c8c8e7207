public import Thumbturn
public import ThumbturnCrypto
public import ThumbturnDevice
package import ThumbturnJSON
public import ThumbturnRules
import ThumbturnScreenJSON

/// One app's vault and the models of all its screens, behind two things: a JSON value, and actions.
///
/// For a host that is not Swift, or another process. The value says what every screen shows, and never has a secret; an
/// action is one call of a model, which decides. The host's own part is the way between them, and no rule.
///
/// ```swift
/// let host = VaultHost(HostConfiguration(home: folder)) { try await Device.apple(…) } changed: { show($0) }
/// await host.start()
/// ```
@MainActor public final class VaultHost {
    /// The most bytes of a secret beside an action.
    public static let mostSecretBytes = 4_096

    /// The language of messages, on all screens.
    public var language: Language {
        didSet {
            app.language = language
            note()
        }
    }

    private let app: any HostedApp
    private let changed: @MainActor (String) -> Void
    /// The value as text, until something changes.
    private var text: String?
    private var told: String?
    private var isTelling = false
    private var hasStarted = false
    private var isClosed = false
    private var calls: [Int: Task<Void, Never>] = [:]
    private var waiting: [Int: CheckedContinuation<HostReply, Never>] = [:]
    private var callCount = 0

    /// Prepares to open the vault of an app with a PIN or password, or to make it with its owner.
    ///
    /// - Parameters:
    ///   - configuration: where the vault is, and how it speaks.
    ///   - systemMode: the feature flag's offer to this user; nil hides turning system authentication on.
    ///   - vaultConfiguration: the app's choices, such as who hears of events.
    ///   - device: makes the device; called again at the next start if it throws.
    ///   - changed: receives the value once for each change of it.
    public convenience init(
        _ configuration: HostConfiguration,
        systemMode: SystemModeOffer? = nil,
        vaultConfiguration: @escaping @Sendable (Device) -> VaultConfiguration = { _ in VaultConfiguration() },
        device: @escaping @Sendable () async throws -> Device,
        changed: @escaping @MainActor (String) -> Void
    ) {
        let app = HostedVault(
            configuration,
            systemMode: systemMode,
            vaultConfiguration: vaultConfiguration,
            device: device
        )
        self.init(app, changed: changed)
    }

    /// Hosts an app: the door for one with another kind of vault.
    package init(_ app: any HostedApp, changed: @escaping @MainActor (String) -> Void) {
        (self.app, self.changed) = (app, changed)
        language = app.language
        app.changed = { [weak self] in self?.note() }
    }

    /// The value now, as one line of JSON.
    ///
    /// `{"language":"en","phrases":{"olderCopy":…,"reset":…},"screens":{NAME:{…}|null,…},"secret":{"kind":…,"length":…}}`.
    public var fields: String {
        if let text { return text }
        let made = value.wireText
        text = made
        return made
    }

    /// The same, for a host that puts it into JSON of its own.
    package var value: JSON {
        let screens = isClosed ? [] : app.screens.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        return [
            "language": .string(language.code),
            "phrases": [
                "olderCopy": .string(OlderCopyConfirmation.phrase), "reset": .string(ResetConfirmation.phrase),
            ],
            "screens": .object(screens), "secret": app.secret.json,
        ]
    }

    /// Looks for the vault, unless it is there; returns when that has ended.
    public func start() async {
        guard !isClosed else { return }
        hasStarted = true
        _ = await run { [app] in
            await app.start()
            return HostReply(nil)
        }
        tell()
    }

    /// Reports the app's phase: before this returns, what is half typed is wiped, and the value covers.
    ///
    /// A return to the front looks for a vault that could not be opened before.
    public func appBecame(_ phase: AppPhase) {
        guard !isClosed else { return }
        app.appBecame(phase)
        tell()
        // What could not be opened while the phone was locked may be opened now.
        if phase == .active, hasStarted { Task { await start() } }
    }

    /// Closes the host: cancels every call, wipes what was typed or shown, and leaves the vault as it is.
    ///
    /// Calls that were under way, and all later ones, answer `HostError.closed`. The value then has no screen, and is told
    /// no more.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        text = nil
        app.changed = nil
        app.stop()
        for call in calls.values { call.cancel() }
        // Each is taken out here: waiting for one that has ended suspends nobody, and its caller would not get to it.
        while let call = calls.popFirst()?.value { await call.value }
        await app.close()
    }
}

// Actions.
extension VaultHost {
    /// Performs an action, and returns when it has ended: also when a prompt that it shows has.
    ///
    /// The end of the caller's task ends it, and takes the prompt away. What it changed on its own screen is told before
    /// this returns; what the vault says of itself may follow.
    ///
    /// - Parameters:
    ///   - action: JSON, `{"screen":…,"name":…}` and what the action needs besides, up to 4,096 bytes.
    ///   - secret: what comes beside an action that has `"secret":"taken"`.
    public func send(_ action: [UInt8], secret: consuming SecretBytes? = nil) async -> HostAnswer {
        await send(action, HeldSecret(ifAny: secret))
    }

    /// As above.
    package func send(_ bytes: [UInt8], _ secret: HeldSecret?) async -> HostAnswer {
        let json: JSON
        do throws(ScreenActionError) { json = try ScreenAction.read(bytes) } catch {
            return HostAnswer(isClosed ? .closed : HostError(error), in: language)
        }
        return await send(json, secret)
    }

    /// The same of an action that its host has read already.
    package func send(_ json: JSON, _ secret: HeldSecret?) async -> HostAnswer {
        let action: HostedAction
        do throws(HostError) { action = try read(json, with: secret) } catch {
            return HostAnswer(error, in: language)
        }
        let reply = await run { await action.perform(secret) }
        guard !isClosed else { return HostAnswer(.closed, in: language) }
        tell()
        return HostAnswer(reply)
    }

    private func read(_ json: JSON, with secret: HeldSecret?) throws(HostError) -> HostedAction {
        guard !isClosed else { throw .closed }
        let action: HostedAction
        do throws(ScreenActionError) { action = try app.action(json) } catch {
            throw HostError(error)
        }
        guard action.takesSecret == (secret != nil) else {
            throw action.takesSecret ? .secretMissing : .secretUnexpected
        }
        let count = secret?.bytes.withBytes { $0.byteCount } ?? 0
        guard count <= Self.mostSecretBytes else { throw .secretTooLong }
        return action
    }

    /// Gives a key of the app's own, derived from the vault's master key while its session is open.
    ///
    /// - Parameter label: as for `Vault.withDerivedKey(_:_:)`.
    /// - Returns: an answer with 32 bytes beside it, or the vault's refusal.
    public func derivedKey(_ label: String) async -> HostAnswer {
        guard !isClosed else { return HostAnswer(.closed, in: language) }
        do {
            guard let core = app.core else { throw VaultError(.vaultMissing) }
            let key = try await core.withDerivedKey(label) { HeldSecret(SecretBytes(copying: $0)) }
            guard !isClosed else { return HostAnswer(.closed, in: language) }
            return HostAnswer(HostReply(key))
        } catch {
            return HostAnswer(refusing: error, in: language)
        }
    }

    /// Whether the vault's session is open.
    var isOpen: Bool { !isClosed && app.isOpen }

    /// Runs a call in a task that the caller's end and `close()` cancel.
    ///
    /// What waits is resumed on the main actor: `Task.value` would go by another thread and back, at each action.
    private func run(_ body: @escaping @MainActor () async -> HostReply) async -> HostReply {
        callCount += 1
        let number = callCount
        let call = Task {
            let reply = await body()
            calls[number] = nil
            waiting.removeValue(forKey: number)?.resume(returning: reply)
        }
        calls[number] = call
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting[number] = $0 }
        } onCancel: {
            call.cancel()
        }
    }
}

// Changes.
extension VaultHost {
    /// Tells the value soon, once for all that changes until then.
    private func note() {
        text = nil
        guard !isTelling, !isClosed else { return }
        isTelling = true
        Task { [weak self] in self?.tell() }
    }

    private func tell() {
        isTelling = false
        guard !isClosed else { return }
        let now = fields
        guard now != told else { return }
        told = now
        changed(now)
    }
}
