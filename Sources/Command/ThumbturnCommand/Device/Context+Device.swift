import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSimulator

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// Chooses the device that a command works with.
extension Context {
    /// A device that may not exist yet, and the protection it would offer.
    struct Prospect: Sendable {
        let choice: DeviceChoice
        /// The assurance for a PIN.
        let assurance: Assurance
        /// The assurance for a finger's key.
        let assuranceOfKey: Assurance
        let doubts: [TPMProperties.Doubt]
        /// Why no vault can be created there now; `nil` if one can.
        var obstacle: Failure?
        /// Whether it may lack room for a vault.
        var mayLackRoom = false

        static let simulated = Prospect(.simulated, worth: .simulated)
        static let files = Prospect(.files, worth: .softwareFile)

        private init(_ choice: DeviceChoice, worth assurance: Assurance) {
            (self.choice, self.assurance, assuranceOfKey, doubts) = (choice, assurance, assurance, [])
        }

        /// Creates the prospect of a TPM that answers.
        ///
        /// - Parameter trouble: the problem with it, if any.
        init(_ tpm: TPMProperties, _ trouble: TPMTrouble? = nil) {
            choice = .tpm
            obstacle = trouble.map { Failure(.attemptDelayed, statement: $0.statement, hint: $0.remedy) }
            obstacle?.retryAfter = trouble?.longestWait
            (assurance, assuranceOfKey, doubts) = (tpm.assuranceOfPIN, tpm.assuranceOfKey, tpm.doubts)
        }

        /// How well it protects keys.
        var worth: Words { choice.worth(doubts) }

        /// The line printed after a vault is created.
        var line: Words { Words("\nDevice: ", "\nAppareil : ") + choice.text + Words("; ", " ; ") + worth + Words(".") }

        /// Returns the policy of a vault on it; accepting a weaker guard for a finger's key is an explicit choice
        /// (C14).
        func policy(withBiometrics: Bool) -> VaultPolicy {
            withBiometrics || choice == .simulated ? .wallet.allowing(assuranceOfKey) : .wallet
        }
    }

    /// Chooses the device of a new vault, without creating anything.
    ///
    /// It is the one that `--device` names, else a TPM if one can be used, else files. In a build without either,
    /// `--device` is required.
    func prospect() async throws(Failure) -> Prospect {
        let prospect = try await firstChoice()
        try requireHardware(of: prospect.assurance)
        if let obstacle = prospect.obstacle { throw obstacle }
        return prospect
    }

    /// Refuses a device that `--require hardware` excludes.
    ///
    /// - Parameter assurance: the device's assurance; `nil` if there is no device.
    func requireHardware(of assurance: Assurance?) throws(Failure) {
        guard assurance == .hardwareBound || !options.requiresHardware else { throw Failure(.hardwareRequired) }
    }

    /// Warns about a device on which the PIN has to withstand guessing, before asking for that PIN.
    func tellWorth(of prospect: Prospect) {
        if prospect.assurance == .softwareFile { output.note(prospect.choice.text(withWorth: prospect.doubts)) }
    }

    /// Warns about an existing device in the same way.
    func tellWorth(of device: Device) {
        guard device.store.assurance(of: .deviceOnly) == .softwareFile, let choice = DeviceChoice(of: device)
        else { return }
        output.note(choice.text(withWorth: device.doubts))
    }

    #if canImport(ThumbturnLinux)
    typealias SeenTPM = (presence: TPMPresence, lockout: TPMLockout?, isFull: Bool)
    #else
    typealias SeenTPM = Never
    #endif

    /// - Parameters:
    ///   - isQuiet: whether to say nothing about a TPM that can't be used.
    ///   - seen: the TPM, if already examined: one that does not answer costs its timeout only once.
    func firstChoice(isQuiet: Bool = false, _ seen: SeenTPM? = nil) async throws(Failure) -> Prospect {
        switch try DeviceOption.chosen(options.device, among: DeviceOption.kinds) {
        case .simulated: return .simulated
        case .files: return try files
        case .linux: return try await bestOfLinux(isQuiet: isQuiet, seen)
        }
    }

    /// Returns a TPM if one can be used, else files.
    private func bestOfLinux(isQuiet: Bool, _ seen: SeenTPM?) async throws(Failure) -> Prospect {
        #if canImport(ThumbturnLinux)
        let looked = if let seen { seen } else { await TPMPresence.lookClosely(tcti: environment.linux.tpm) }
        let (presence, lockout, isFull) = looked
        switch presence {
        case .answering(let properties):
            // A temporary lockout is no reason to settle for files permanently.
            let isLockedOut = lockout?.isLockedOut == true
            var prospect = Prospect(properties, isLockedOut ? .lockedOut(atMost: lockout?.longestWait) : nil)
            prospect.mayLackRoom = isFull
            if prospect.obstacle == nil { prospect.obstacle = try obstacle(inFolderOf: .tpm) }
            return prospect
        case .missing: return try files
        case .forbidden, .speechless, .owned, .ownerIsOff, .silent:
            let note = Words(
                "there is a TPM that can't be used: `thumbturn doctor` says why",
                "il y a un TPM inutilisable : `thumbturn doctor` dit pourquoi"
            )
            if !isQuiet { output.note(note) }
            return try files
        }
        #else
        return .files
        #endif
    }

    /// Files, with the obstacle that keeps them from storing keys here, if any.
    private var files: Prospect {
        get throws(Failure) {
            var prospect = Prospect.files
            #if canImport(ThumbturnLinux)
            prospect.obstacle = try obstacle(inFolderOf: .files)
            if LinuxMachine.naming(environment.linux.machineFile) == .unreadable {
                prospect.obstacle = Failure(
                    .storageUnavailable,
                    statement: Words(
                        "/etc/machine-id can't be read, but it names the machine that keys are bound to.",
                        "/etc/machine-id est illisible, or il nomme la machine à laquelle les clés sont liées."
                    ),
                    hint: MachineNaming.wayToRead
                )
            }
            #endif
            return prospect
        }
    }

    #if canImport(ThumbturnLinux)
    /// Returns why a device's folder can't be used; `nil` if it can.
    private func obstacle(inFolderOf choice: DeviceChoice) throws(Failure) -> Failure? {
        let folder = try environment.deviceFolder(of: choice)
        guard !LinuxMachine.takesFolder(folder) else { return nil }
        return Failure(
            .storageUnavailable,
            statement: Words(
                "The folder of the keys can't be used or made: \(folder).",
                "Le dossier des clés ne peut être utilisé ni créé : \(folder)."
            ),
            hint: Words(
                "it must be yours, with mode 0700, in a folder that you can write to: `ls -ld \(Shell.quoted(folder))`",
                "il doit être à vous, en mode 0700, dans un dossier où vous pouvez écrire : `ls -ld \(Shell.quoted(folder))`"
            )
        )
    }
    #endif

    /// The device a command uses for stored data.
    struct Place: Sendable {
        let device: Device
        /// Whether the device replaces a TPM that is gone.
        let leavesTPM: Bool
    }

    /// Opens the device on which the vault in `folder` was created.
    func device(ofVaultIn folder: String) async throws -> Device {
        try await place(of: KeyOrigin(ofVaultIn: folder)).device
    }

    /// Opens the device on which stored data was created.
    ///
    /// If its keys are gone, it is the device that a recovery would use.
    ///
    /// - Parameter mayLeaveTPM: whether `--device files` may replace a TPM that is gone.
    func place(of origin: KeyOrigin, mayLeaveTPM: Bool = false) async throws -> Place {
        if let made = origin.device, let asked = options.device, made != asked.kind {
            throw Failure(.deviceMismatch, hint: Self.withoutOption)
        }
        let found = try foundChoice(for: origin)
        var choice = if let found { found } else { try await firstChoice().choice }
        var leavesTPM = false
        // Keys that are found nowhere may have been on a TPM too.
        if options.device == .files, found == nil || found == .tpm {
            guard mayLeaveTPM || found == nil else { throw Failure(.deviceMismatch, hint: Self.withoutOption) }
            try requireHardware(of: Prospect.files.assurance)
            try await refusePresentTPM()
            if mayLeaveTPM { output.note(origin.leftBehind(onTPM: found == .tpm)) }
            (choice, leavesTPM) = (.files, mayLeaveTPM)
        }
        let device = try await open(choice, holding: origin)
        try requireHardware(of: device.store.assurance(of: .deviceOnly))
        return Place(device: device, leavesTPM: leavesTPM)
    }

    /// Returns the device that holds the keys of stored data.
    ///
    /// - Throws: if that can't be determined: an unreadable folder is not one without keys (A25).
    func choice(for origin: KeyOrigin) async throws -> DeviceChoice {
        if let found = try foundChoice(for: origin) { return found }
        return try await firstChoice().choice
    }

    /// Returns the device that holds the keys; `nil` if no keys are found.
    private func foundChoice(for origin: KeyOrigin) throws -> DeviceChoice? {
        if origin.device == .simulated { return .simulated }
        var files: [(choice: DeviceChoice, names: [String])] = []
        for choice in DeviceChoice.allCases where choice != .simulated {
            files.append((choice, try Folders.readableNames(in: environment.deviceFolder(of: choice) + "/items")))
        }
        // Look for the exact items first: keys left where a vault used to be must not hide where it is now.
        for item in origin.items {
            if let found = files.first(where: { $0.names.contains(item.text) }) { return found.choice }
        }
        if let vault = origin.vault {
            let prefix = "thumbturn.\(vault.text)."
            if let found = files.first(where: { $0.names.contains { $0.hasPrefix(prefix) } }) { return found.choice }
        }
        // Data being created or erased does not name its device, but the owner may.
        guard origin.device == nil, options.device == nil else { return nil }
        return try Folders.isAbsent(environment.deviceFolder(of: .simulated)) ? nil : .simulated
    }

    /// Opens a device, which is created if missing.
    ///
    /// - Parameter origin: the data stored on it; `nil` if something is to be created.
    func open(_ choice: DeviceChoice, holding origin: KeyOrigin? = nil) async throws -> Device {
        #if canImport(ThumbturnLinux)
        let store: LinuxConfiguration.Store
        switch choice {
        case .simulated: return try openSimulated().device
        case .tpm: store = .tpm(environment.linux.tpm)
        case .files: store = .files
        }
        let folder = try environment.deviceFolder(of: choice)
        try Folders.makeParents(of: folder)
        let panel = FingerPanel(output: output, secrets: secrets)
        let addresses = environment.linux
        var configuration = LinuxConfiguration(folder: folder, store: store)
        configuration.bus = addresses.bus
        configuration.owner = addresses.owner
        configuration.machineFile = addresses.machineFile
        configuration.progress = { panel.show($0) }
        configuration.dismissal = { await panel.ask($0) }
        do throws(DeviceRefusal) {
            return try await Device.linux(configuration)
        } catch {
            throw Failure(
                .storageUnavailable,
                choice == .tpm ? Words("the TPM", "le TPM") : Words("the folder of the keys", "le dossier des clés"),
                hint: Words("`thumbturn doctor` says why", "`thumbturn doctor` dit pourquoi")
                    + (choice == .tpm ? origin?.wayOut ?? Words("") : Words(""))
            )
        }
        #else
        guard choice == .simulated else { throw Failure(.deviceMismatch) }
        return try openSimulated().device
        #endif
    }

    /// Opens the simulated device, which is created if missing.
    func openSimulated() throws -> SimulatedDevice {
        let folder = try environment.deviceFolder(of: .simulated)
        try Folders.makeParents(of: folder)
        do {
            let device = try SimulatedDevice(folder: folder)
            // Who waits for a touch that another terminal never sends gets the terminal back.
            device.promptLimit = .seconds(30)
            return device
        } catch {
            throw Failure(.storageUnavailable, Words("the simulated device", "l'appareil simulé"))
        }
    }
}

#if canImport(ThumbturnLinux)
extension Environment {
    /// The addresses of the TPM and the system bus, and the file with the machine's name.
    ///
    /// Only a debug build reads them from the environment: otherwise an attacker who sets a variable could plant a bus
    /// (A55).
    var linux: (tpm: String, bus: String?, owner: UInt32, machineFile: String) {
        #if DEBUG
        let bus = values["THUMBTURN_TEST_BUS"]
        return (
            values["THUMBTURN_TEST_TPM"] ?? LinuxConfiguration.systemTPM, bus, bus == nil ? 0 : Environment.userNumber,
            values["THUMBTURN_TEST_MACHINE"] ?? MachineNaming.systemFile
        )
        #else
        return (LinuxConfiguration.systemTPM, nil, 0, MachineNaming.systemFile)
        #endif
    }
}
#endif
