import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnUI

/// The phone: the simulated device, and on it an app that has the real library's vault and models.
@MainActor final class Phone {
    let place: PhonePlace
    let device: SimulatedDevice
    private let output: PhoneOutput
    var app: OpenApp?
    private(set) var credentials: OpenCredentials?
    var onboarding = Onboarding()
    var language = Language.english { didSet { app?.language = language } }
    /// Why there is neither an app nor its beginning; `nil` otherwise.
    private var failure: ErrorCode?
    /// The trail that was exported last.
    var export: String?
    private(set) var world: SimulatedSnapshot
    private var capability: BiometricCapability?
    private var phase = AppPhase.active
    /// Whether a system's overlay, other than a prompt, is in front of the app.
    var isCovered = false { didSet { follow() } }
    /// The lines that are not answered yet.
    private var unanswered: Set<Int64> = []
    private var isScheduled = false
    private var last = ""

    init(_ place: PhonePlace, output: PhoneOutput) throws(DeviceRefusal) {
        self.place = place
        self.output = output
        device = try SimulatedDevice(folder: place.device)
        device.promptsWait = true
        world = device.snapshot
    }

    /// Opens the vault that is there, and tells the state from now on.
    func start() async {
        capability = await device.device.capability()
        credentials = try? await OpenCredentials(in: place.credentials, device: device.device) { [weak self] in
            self?.changed()
        }
        do throws(VaultError) {
            let (events, configuration) = await configuration()
            adopt(try await Vault.open(in: place.vault, device: device.device, configuration: configuration), events)
        } catch {
            if error.code != .vaultMissing { failure = error.code }
            await lookForFormer()
        }
        Task { [weak self] in
            guard let snapshots = self?.device.snapshots() else { return }
            for await snapshot in snapshots { await self?.take(snapshot) }
        }
        changed()
    }

    /// Handles a line, and answers it.
    func handle(_ line: PhoneLine, _ secret: HeldSecret?) async {
        unanswered.insert(line.id)
        Task { [weak self] in
            try? await Task.sleep(nanoseconds: Self.patience)
            // It may wait behind a prompt that was up already.
            if self?.world.prompt != nil { self?.tellWaiting([line.id]) }
        }
        let reply = await perform(line.order, secret)
        guard unanswered.remove(line.id) != nil else { return }
        // First what the action changed: whoever has the answer may look at it.
        tellState()
        output.send(reply.json, to: line.id, secret: reply.secret)
    }

    /// Ends the app and all that is open.
    func end() async {
        // A prompt that is up ends, and the call that waits for it.
        try? device.simulate(.background)
        await app?.end()
        await credentials?.end()
    }

    private func perform(_ order: PhoneLine.Order, _ secret: HeldSecret?) async -> PhoneReply {
        switch order {
        case .act(.screen(let action)): return await perform(action, secret)
        case .act(.app(let action)): return await perform(action, secret)
        case .world(let words): return await happen(words)
        case .export:
            guard let export else { return PhoneReply(.authorizationExpired, in: language) }
            var reply = PhoneReply()
            reply.members.append(("export", .string(export)))
            return reply
        case .thief:
            var reply = PhoneReply()
            reply.members.append(("tries", await Thief(place).tries(secret, in: language)))
            return reply
        }
    }

    /// Takes a vault for the app.
    func adopt(_ vault: Vault, _ events: AsyncStream<AuditEvent>) {
        let app = OpenApp(vault, hearing: events) { [weak self] in self?.changed() }
        app.language = language
        app.unlock.appBecame(phase)
        (self.app, failure) = (app, nil)
        changed()
    }

    /// Returns a configuration, and the events of the vault that gets it.
    func configuration() async -> (AsyncStream<AuditEvent>, VaultConfiguration) {
        let (events, line) = AsyncStream.makeStream(of: AuditEvent.self)
        let legacy = await FormerWallet.migration(on: device.device, words)
        return (events, VaultConfiguration(legacy: legacy) { line.yield($0) })
    }

    /// Looks for what a former app left.
    func lookForFormer() async {
        onboarding.hasFormer = await FormerWallet.migration(on: device.device, words) != nil
        changed()
    }

    /// The words on a prompt that none of the library's screens asks for.
    var words: PromptText {
        PromptText(
            reason: Words.openVault.in(language),
            cancelTitle: Words.cancel.in(language),
            fallbackTitle: Words.usePIN.in(language)
        )
    }
}

// What the page is told.
extension Phone {
    /// Tells the state soon, once for all that changes until then.
    func changed() {
        guard !isScheduled else { return }
        isScheduled = true
        Task { [weak self] in self?.tellState() }
    }

    private func tellState() {
        isScheduled = false
        let now = PhoneState(
            app: app,
            credentials: credentials,
            onboarding: onboarding,
            language: language,
            world: world,
            clock: device.device.clock(),
            capability: capability,
            failure: failure
        )
        // The clock runs by itself: it is told with something else.
        let text = now.json(withClock: false).wireText
        guard text != last else { return }
        last = text
        output.send(now.json(withClock: true))
    }

    private func take(_ snapshot: SimulatedSnapshot) async {
        let hadPrompt = world.prompt != nil
        world = snapshot
        if snapshot.prompt != nil, !hadPrompt {
            tellState()
            tellWaiting(unanswered)
        }
        follow()
        changed()
        // A vault asks by itself, and a question takes a fault of the sensor with it.
        guard app == nil else { return }
        capability = await device.device.capability()
        changed()
    }

    /// Answers lines that wait for a touch: what comes of them, the state tells.
    private func tellWaiting(_ lines: Set<Int64>) {
        for id in lines where unanswered.remove(id) != nil { output.send(PhoneReply.waiting, to: id) }
    }

    /// In nanoseconds: more than any action takes that does not wait, but for Argon2id.
    private static let patience: UInt64 = 250_000_000

    /// Tells the app where it stands; the system's own prompt makes an app inactive too.
    private func follow() {
        let isAway = world.isAppInBackground || world.isDeviceLocked
        let next: AppPhase = isAway ? .background : world.prompt != nil || isCovered ? .inactive : .active
        guard next != phase else { return }
        phase = next
        if next == .background { onboarding = Onboarding(hasFormer: onboarding.hasFormer) }
        app?.unlock.appBecame(next)
        changed()
    }
}
