public import ThumbturnDevice
public import ThumbturnRules

/// Where a Linux device keeps its secrets, and how it asks for a finger.
public struct LinuxConfiguration: Sendable {
    /// The kind of storage for the secrets.
    public enum Store: Hashable, Sendable {
        /// A TPM 2.0, in tpm2-tss's notation; never read from the environment.
        case tpm(String = systemTPM)
        /// Files that only their owner may read: someone who steals the disk has the secrets.
        case files
    }

    /// The TPM behind the kernel's resource manager.
    public static let systemTPM = "device:/dev/tpmrm0"

    /// The user's own folder, in an existing parent.
    ///
    /// It is created when it is missing, and holds nothing else.
    public var folder: String
    /// The kind of storage for the secrets.
    public var store: Store
    /// Receives what the reader reports while a prompt is up; called on any thread, in order.
    public var progress: @Sendable (FingerProgress) -> Void = { _ in }
    /// Shows a prompt's text until its task is cancelled, and returns the user's choice; nil when there is no choice.
    ///
    /// The prompt ends only after this has returned.
    public var dismissal: @Sendable (PromptText) async -> PromptDismissal? = { _ in nil }
    /// The address of the system bus; nil for the usual one.
    package var bus: String?
    /// The user id that the bus services run as: root except in tests.
    package var owner: UInt32 = 0
    /// The system file with the machine's name; another file only in tests.
    package var machineFile = MachineNaming.systemFile
    /// The kernel file with the name of this boot; another file only in tests.
    var bootFile = "/proc/sys/kernel/random/boot_id"

    /// How long a call may wait for the TPM; shorter only in tests.
    var chipLimit = Patience.chip

    /// Creates a configuration.
    public init(folder: String, store: Store) {
        self.folder = folder
        self.store = store
    }
}

extension Device {
    /// Creates the device of this Linux machine: a TPM 2.0 or files for the secrets, fprintd for the finger, logind for
    /// session events.
    ///
    /// There is no system authentication: Linux has no passcode to accept instead of a finger, so a vault in system
    /// mode can't be made.
    ///
    /// - Throws: `.hardwareMissing` if the requested TPM is missing, `.unavailable` when it or the folder can't be
    ///   used.
    public static func linux(_ configuration: LinuxConfiguration) async throws(DeviceRefusal) -> Device {
        _ = try PrivateFolder(creating: configuration.folder)
        let bus = BusConnection(address: configuration.bus ?? BusConnection.systemAddress)
        let items = configuration.folder + "/items"
        var tpm: TPM?
        var assurance = Assurance.softwareFile
        if case .tpm(let transport) = configuration.store {
            let chip = try TPM(transport: transport, limit: configuration.chipLimit)
            (tpm, assurance) = (chip, try await chip.properties().assuranceOfKey)
        }
        let prompt = FprintPrompt(
            bus: bus,
            assurance: assurance,
            ownedBy: configuration.owner,
            progress: configuration.progress,
            dismissal: configuration.dismissal
        )
        let gate = OwnerGate(owner: prompt, lastSet: { prompt.lastLook.set }) { () async throws(DeviceRefusal) in
            try await prompt.enrolledSet()
        }
        let store: any SecureStore
        let anchor: any Anchor
        var turns: DeviceTurns?
        if let tpm {
            let sealed = try TPMStore(on: tpm, folder: items, gate: gate)
            (store, anchor) = (sealed, sealed.anchor)
            turns = DeviceTurns(begin: { tpm.beginTurn() }, end: { await tpm.endTurn() })
        } else {
            let files = try FileStore(folder: items, machineID: configuration.machineFile, gate: gate)
            (store, anchor) = (files, files.anchor)
        }
        let clock = LinuxClock(bootFile: configuration.bootFile)
        let installation = LinuxInstallation(folder: configuration.folder, machineFile: configuration.machineFile)
        let events = LogindEvents(bus: bus, ownedBy: configuration.owner)
        return Device(
            kind: .linux,
            store: store,
            prompt: prompt,
            anchor: anchor,
            clock: { clock.reading() },
            installation: { () async throws(DeviceRefusal) in try installation.name() },
            events: { events.stream() },
            turns: turns
        )
    }
}
