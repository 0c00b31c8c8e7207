public import Thumbturn
public import ThumbturnDevice
public import ThumbturnRules

/// The one host of an app whose scripts come and go, such as React Native's: a reload finds the vault as it was.
///
/// The app's phase is not a script's to tell: follow it by `HostEvents`, from the start on.
@MainActor public final class SharedHost {
    private let vaultConfiguration: @Sendable (Device) -> VaultConfiguration
    private let makeDevice: @MainActor () async throws -> Device
    private let changed: @MainActor (String?) -> Void
    private var made: Device?
    private var host: VaultHost?
    private var configuration: HostConfiguration?
    private var session: HostSession?
    private var phase: AppPhase
    private var closing: Task<Void, Never>?
    private var openings = 0

    /// Prepares to open a vault for a script.
    ///
    /// - Parameters:
    ///   - phase: the app's phase now.
    ///   - vaultConfiguration: the app's choices, such as who hears of events.
    ///   - device: makes the device; called once, and again if it throws.
    ///   - changed: receives the value before its script does; nil while a vault is opened and there is none yet.
    public init(
        _ phase: AppPhase,
        vaultConfiguration: @escaping @Sendable (Device) -> VaultConfiguration = { _ in VaultConfiguration() },
        device: @escaping @MainActor () async throws -> Device,
        changed: @escaping @MainActor (String?) -> Void
    ) {
        (self.phase, self.vaultConfiguration) = (phase, vaultConfiguration)
        (makeDevice, self.changed) = (device, changed)
    }

    /// Whether a prompt of this process asks the owner now; for any thread.
    public nonisolated static var isAsking: Bool { PromptGate.shared.isTaken }

    /// Reports the app's phase.
    public func appBecame(_ phase: AppPhase) {
        self.phase = phase
        session?.appBecame(phase)
        host?.appBecame(phase)
    }

    /// Opens the vault for a script, and ends the session of the script before it.
    ///
    /// Where the vault is open under this configuration, it stays as it is: unlocked, or waiting; the script is told its value
    /// soon. Under another, it is closed and opened anew; another language alone is no other configuration.
    ///
    /// - Parameters:
    ///   - configuration: where the vault is, and how it speaks.
    ///   - changed: receives the value at each change, until the session ends.
    public func open(
        _ configuration: HostConfiguration,
        changed: @escaping @MainActor (String) -> Void
    ) -> HostSession {
        session?.end()
        let session = HostSession(
            host(for: configuration),
            owner: (
                configuration.home + "/owner",
                { [weak self] in
                    guard let self else { throw CancellationError() }
                    return try await device()
                }
            ),
            isAway: phase == .background,
            changed: changed
        )
        self.session = session
        return session
    }

    /// The device, made once.
    public func device() async throws -> Device {
        if let made { return made }
        let device = try await makeDevice()
        made = made ?? device
        return made ?? device
    }

    private func host(for configuration: HostConfiguration) -> VaultHost {
        let language = configuration.language
        if let host, var present = self.configuration {
            present.language = language
            if present == configuration {
                host.language = language
                Task { [weak self, openings] in self?.tell(host.fields, openings) }
                return host
            }
        }
        let former = host
        openings += 1
        let opening = openings
        let host = VaultHost(configuration, vaultConfiguration: vaultConfiguration) { [weak self] in
            guard let self else { throw CancellationError() }
            return try await device()
        } changed: { [weak self] in
            self?.tell($0, opening)
        }
        (self.host, self.configuration) = (host, configuration)
        changed(nil)
        // One after the other: a vault opens once all before it are closed.
        let closing = Task { [before = self.closing] in
            await before?.value
            await former?.close()
        }
        self.closing = closing
        Task { [weak self] in
            await closing.value
            if let phase = self?.phase { host.appBecame(phase) }
            await host.start()
        }
        return host
    }

    private func tell(_ value: String, _ opening: Int) {
        // A host that is being closed is nobody's any more.
        guard opening == openings else { return }
        changed(value)
        session?.tell(value)
    }
}
