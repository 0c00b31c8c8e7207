public import ThumbturnDevice
public import ThumbturnRules

/// Where a Linux device keeps its secrets, and whom it asks for a finger.
public struct LinuxConfiguration: Sendable {
    /// What holds the secrets.
    public enum Store: Hashable, Sendable {
        /// A TPM 2.0, named in the words of tpm2-tss, never by the environment.
        case tpm(String = systemTPM)
        /// Files that only their owner may read: a thief of the disk has them.
        case files
    }

    /// The TPM behind the kernel's resource manager.
    public static let systemTPM = "device:/dev/tpmrm0"

    /// The user's own folder, in a parent that is there; it is made when it is missing, and nothing else lies in it.
    public var folder: String
    /// What holds the secrets.
    public var store: Store
    /// Hears what the reader says while a prompt is up; called on any thread, in order.
    public var progress: @Sendable (FingerProgress) -> Void = { _ in }
    /// Shows a prompt's words until its task is cancelled, and returns what the user chose; nil when there is no choice.
    ///
    /// The prompt ends once this has returned.
    public var dismissal: @Sendable (PromptText) async -> PromptDismissal? = { _ in nil }
    /// Where the system bus listens.
    package var bus: String?
    /// Who runs the services on it: the superuser but in tests.
    package var owner: UInt32 = 0
    /// Where the system keeps the name of the machine: another file only in tests.
    package var machineFile = LinuxMachine.nameFile
    /// Where the kernel tells the name of this boot: another file only in tests.
    var bootFile = "/proc/sys/kernel/random/boot_id"

    /// How long a call may wait for the TPM: less only in tests.
    var chipLimit = Patience.chip

    /// Describes a device.
    public init(folder: String, store: Store) {
        self.folder = folder
        self.store = store
    }
}

extension Device {
    /// This Linux machine: a TPM 2.0 or files for the secrets, fprintd for the finger, logind for what happens to the session.
    ///
    /// There is no system authentication: nothing here takes a passcode for a finger, so a vault in system mode can't be made.
    ///
    /// - Throws: `.hardwareMissing` without the TPM that was asked for, `.unavailable` when it or the folder can't be used.
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
        let enrolledSet: @Sendable () async throws(DeviceRefusal) -> [UInt8] = { () async throws(DeviceRefusal) in
            try await prompt.enrolledSet()
        }
        let lastSet: @Sendable () async -> Result<[UInt8], DeviceRefusal>? = { prompt.lastLook.set }
        let store: any SecureStore
        let anchor: any Anchor
        var turns: DeviceTurns?
        if let tpm {
            let sealed = try TPMStore(
                on: tpm,
                folder: items,
                prompt: prompt,
                enrolledSet: enrolledSet,
                lastSet: lastSet
            )
            (store, anchor) = (sealed, sealed.anchor)
            turns = DeviceTurns(begin: { tpm.beginTurn() }, end: { await tpm.endTurn() })
        } else {
            let files = try FileStore(
                folder: items,
                machineID: configuration.machineFile,
                prompt: prompt,
                enrolledSet: enrolledSet,
                lastSet: lastSet
            )
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
