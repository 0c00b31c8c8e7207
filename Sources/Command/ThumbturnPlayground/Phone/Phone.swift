import Thumbturn
import ThumbturnAccount
import ThumbturnAccountUI
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator
import ThumbturnTransport
import ThumbturnUI

/// The phone: the simulated device, and on it an app that has the real library's vault, behind a host.
@MainActor final class Phone {
    let place: PhonePlace
    let device: SimulatedDevice
    private let output: PhoneOutput
    /// All that the library's screens show, and what they are asked.
    let host: VaultHost
    /// The models behind it.
    let app: any PhoneApp
    /// The owner's other device; nil for an app without an account.
    let other: OtherDevice?
    /// The vault, while there is one.
    private(set) var open: OpenVault?
    private(set) var credentials: OpenCredentials?
    /// What a former app left on the device.
    let former = Monitor<LegacyMigration?>(nil)
    /// The configuration of each vault.
    let configuration: @Sendable (Device) -> VaultConfiguration
    private let events: AsyncStream<AuditEvent>
    /// The trail that was exported last.
    var export: String?
    /// What a vault told that is not the app's yet.
    private var early: [AuditEvent] = []
    private(set) var world: SimulatedSnapshot
    private var phase = AppPhase.active
    /// Whether a system's overlay, other than a prompt, is in front of the app.
    var isCovered = false { didSet { follow() } }
    /// The lines that are not answered yet.
    private var unanswered: Set<Int64> = []
    private var isScheduled = false
    private var last = ""

    /// Who is told of a change: the phone, once it is made.
    private final class Ear {
        weak var phone: Phone?
    }

    /// - Parameter service: the address of the account service, for an app with an account.
    init(_ place: PhonePlace, service: String?, output: PhoneOutput) throws {
        self.place = place
        self.output = output
        let device = try SimulatedDevice(folder: place.device)
        device.promptsWait = true
        self.device = device
        world = device.snapshot
        let (events, line) = AsyncStream.makeStream(of: AuditEvent.self)
        self.events = events
        configuration = { [former] _ in
            VaultConfiguration(legacy: former.change { $0 }) { line.yield($0) }
        }
        let ear = Ear()
        if let service {
            let transport = try AccountTransport.system(origin: service)
            other = try OtherDevice(place, over: transport)
            app = HostedAccount(home: place.folder) {
                ear.phone?.adopt($0)
            } _: { [configuration] in
                AccountSetup(
                    in: place.vault,
                    on: device.device,
                    over: transport,
                    deviceName: "phone",
                    policy: .pd107.allowing(.simulated),
                    configuration: configuration(device.device)
                )
            }
        } else {
            other = nil
            app = HostedVault(
                HostConfiguration(home: place.folder, policy: .wallet.allowing(.simulated), secret: .pin(length: 6)),
                systemMode: SystemModeFlag.open.offer(to: "owner"),
                vaultConfiguration: configuration,
                opened: { vault, _ in ear.phone?.adopt(vault) },
                device: { device.device }
            )
        }
        host = VaultHost(app) { _ in ear.phone?.changed() }
        ear.phone = self
    }

    /// Opens the vault that is there, and tells the state from now on.
    func start() async {
        credentials = try? await OpenCredentials(in: place.credentials, device: device.device) { [weak self] in
            self?.changed()
        }
        Task { [weak self, events] in
            for await event in events { await self?.take(event) }
        }
        await lookForFormer()
        host.appBecame(phase)
        await host.start()
        Task { [weak self] in
            guard let snapshots = self?.device.snapshots() else { return }
            for await snapshot in snapshots { self?.take(snapshot) }
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
        await host.close()
        await other?.end()
        await credentials?.end()
    }

    private func perform(_ order: PhoneLine.Order, _ secret: HeldSecret?) async -> PhoneReply {
        switch order {
        case .act(.app(let action)): return await perform(action, secret)
        case .act(let action): return PhoneReply(await host.send(action.json, secret))
        case .world(let words): return await happen(words)
        case .export:
            guard let export else { return PhoneReply(.authorizationExpired, in: host.language) }
            return PhoneReply([("export", .string(export))])
        case .thief:
            return PhoneReply([("tries", await Thief(place).tries(secret, in: host.language))])
        }
    }

    /// Hears what the app's vault tells, also what it told while it was being made.
    private func adopt(_ vault: Vault) {
        let open = OpenVault(vault) { [weak self] in self?.changed() }
        self.open = open
        let earlier = early
        early = []
        Task { for event in earlier { await open.take(event) } }
    }

    private func take(_ event: AuditEvent) async {
        guard let open else { return early.append(event) }
        await open.take(event)
    }

    /// Looks for what a former app left.
    func lookForFormer() async {
        let found = await FormerWallet.migration(on: device.device, words)
        former.change { $0 = found }
        changed()
    }

    /// The words on a prompt that none of the library's screens asks for.
    var words: PromptText {
        PromptText(
            reason: Words.openVault.in(host.language),
            cancelTitle: Words.cancel.in(host.language),
            fallbackTitle: Words.usePIN.in(host.language)
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
        // An erased vault goes with the screens that asked for another.
        if app.core == nil { open = nil }
        // The PIN opened the export: it goes with the session.
        if open?.snapshot?.state.hasSession != true { export = nil }
        let now = PhoneState(
            host: host.value,
            language: host.language,
            open: open,
            credentials: credentials,
            hasFormer: app.core == nil && former.change { $0 != nil },
            world: world,
            clock: device.device.clock()
        )
        // The clock runs by itself: it is told with something else.
        let text = now.json(withClock: false).wireText
        guard text != last else { return }
        last = text
        output.send(now.json(withClock: true))
    }

    private func take(_ snapshot: SimulatedSnapshot) {
        let hadPrompt = world.prompt != nil
        world = snapshot
        if snapshot.prompt != nil, !hadPrompt {
            tellState()
            tellWaiting(unanswered)
        }
        follow()
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
        host.appBecame(next)
        changed()
    }
}
