import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnRules
import ThumbturnSimulator

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// Which device a command works with.
extension Context {
    /// A device that is not there yet, and what it will be worth.
    struct Prospect: Sendable {
        let choice: DeviceChoice
        /// To a PIN.
        let assurance: Assurance
        /// To a finger's key.
        let assuranceOfKey: Assurance
        let doubts: [TPMProperties.Doubt]
        /// Why nothing can be made there now; nil where it can.
        var obstacle: Failure?
        /// Whether it may have no room for a vault.
        var mayLackRoom = false

        static let simulated = Prospect(.simulated, worth: .simulated)
        static let files = Prospect(.files, worth: .softwareFile)

        private init(_ choice: DeviceChoice, worth assurance: Assurance) {
            (self.choice, self.assurance, assuranceOfKey, doubts) = (choice, assurance, assurance, [])
        }

        /// A TPM that answers.
        ///
        /// - Parameter trouble: what stands against it.
        init(_ tpm: TPMProperties, _ trouble: TPMTrouble? = nil) {
            choice = .tpm
            obstacle = trouble.map { Failure(.attemptDelayed, statement: $0.statement, hint: $0.remedy) }
            obstacle?.retryAfter = trouble?.longestWait
            (assurance, assuranceOfKey, doubts) = (tpm.assuranceOfPIN, tpm.assuranceOfKey, tpm.doubts)
        }

        /// What it is worth to keep keys there.
        var worth: Words { choice.worth(doubts) }

        /// What is said of it once a vault is made.
        var line: Words {
            Words("\nDevice: ", "\nAppareil : ") + choice.text + Words("; ", " ; ") + worth + Words(".")
        }

        /// The policy of a vault on it: what guards a finger's key too little is an explicit choice (C14).
        func policy(withBiometrics: Bool) -> VaultPolicy {
            withBiometrics || choice == .simulated ? .wallet.allowing(assuranceOfKey) : .wallet
        }
    }

    /// What a new vault is made on; nothing is made yet.
    ///
    /// It is what `--device` names, else a TPM where one can be used, else files. Where neither is in the build `--device` has
    /// to say.
    func prospect() async throws(Failure) -> Prospect {
        let prospect = try await firstChoice()
        try requireHardware(of: prospect.assurance)
        if let obstacle = prospect.obstacle { throw obstacle }
        return prospect
    }

    /// Refuses what `--require hardware` excludes.
    ///
    /// - Parameter assurance: of the device; nil where there is none.
    func requireHardware(of assurance: Assurance?) throws(Failure) {
        guard assurance == .hardwareBound || !options.requiresHardware else { throw Failure(.hardwareRequired) }
    }

    /// Says what a device is worth whose PIN has to withstand guessing, before that PIN is asked for.
    func tellWorth(of prospect: Prospect) {
        if prospect.assurance == .softwareFile { output.note(prospect.choice.text(withWorth: prospect.doubts)) }
    }

    /// The same of a device that is there.
    func tellWorth(of device: Device) {
        guard device.store.assurance(of: .deviceOnly) == .softwareFile, let choice = DeviceChoice(of: device)
        else { return }
        output.note(choice.text(withWorth: device.doubts))
    }

    /// Asks for a longer PIN once one has opened a vault on a device that is worth less than when it was chosen.
    func askForLongerSecret(_ vault: Vault) async {
        if await vault.snapshot.asksForLongerSecret { output.note(StatusWarning.secretMayBeTooShort.text) }
    }

    #if canImport(ThumbturnLinux)
    typealias SeenTPM = (presence: TPMPresence, lockout: TPMLockout?, isFull: Bool)
    #else
    typealias SeenTPM = Never
    #endif

    /// - Parameters:
    ///   - isQuiet: whether nothing is said of a TPM that can't be used.
    ///   - seen: the TPM, where it was looked at already: one that does not answer costs its time once.
    func firstChoice(isQuiet: Bool = false, _ seen: SeenTPM? = nil) async throws(Failure) -> Prospect {
        switch try DeviceOption.chosen(options.device, among: DeviceOption.kinds) {
        case .simulated: return .simulated
        case .files: return try files
        case .linux: return try await bestOfLinux(isQuiet: isQuiet, seen)
        }
    }

    /// A TPM where one can be used, else files.
    private func bestOfLinux(isQuiet: Bool, _ seen: SeenTPM?) async throws(Failure) -> Prospect {
        #if canImport(ThumbturnLinux)
        let looked = if let seen { seen } else { await TPMPresence.lookClosely(tcti: environment.linux.tpm) }
        let (presence, lockout, isFull) = looked
        switch presence {
        case .answering(let properties):
            // What passes is no reason to take less for good.
            let isLockedOut = lockout?.isLockedOut == true
            var prospect = Prospect(properties, isLockedOut ? .lockedOut(atMost: lockout?.longestWait) : nil)
            prospect.mayLackRoom = isFull
            if prospect.obstacle == nil { prospect.obstacle = try obstacle(inFolderOf: .tpm) }
            return prospect
        case .missing: return try files
        case .forbidden, .speechless, .owned, .ownerIsOff, .silent:
            let note = Words(
                "there is a TPM that can't be used: `thumbturn doctor` tells why",
                "il y a un TPM inutilisable : `thumbturn doctor` dit pourquoi"
            )
            if !isQuiet { output.note(note) }
            return try files
        }
        #else
        return .files
        #endif
    }

    /// Files, and why they can't keep keys here, if so.
    private var files: Prospect {
        get throws(Failure) {
            var prospect = Prospect.files
            #if canImport(ThumbturnLinux)
            prospect.obstacle = try obstacle(inFolderOf: .files)
            if LinuxMachine.naming(environment.linux.machineFile) == .unreadable {
                prospect.obstacle = Failure(
                    .storageUnavailable,
                    statement: Words(
                        "/etc/machine-id can't be read, and names the machine that keys are bound to.",
                        "/etc/machine-id est illisible, et nomme la machine à laquelle les clés sont liées."
                    ),
                    hint: MachineNaming.wayToRead
                )
            }
            #endif
            return prospect
        }
    }

    #if canImport(ThumbturnLinux)
    /// Why the folder of a device could not be used.
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
                "it has to be yours, with mode 0700, in a folder that you may write: `ls -ld \(Shell.quoted(folder))`",
                "il doit être à vous, en mode 0700, dans un dossier où vous pouvez écrire : `ls -ld \(Shell.quoted(folder))`"
            )
        )
    }
    #endif

    /// What a command works with on something stored.
    struct Place: Sendable {
        let device: Device
        /// Whether the device stands in for a TPM that is gone.
        let leavesTPM: Bool
    }

    /// The device that the vault in `folder` was made on.
    func device(ofVaultIn folder: String) async throws -> Device {
        try await place(of: KeyOrigin(ofVaultIn: folder)).device
    }

    /// The device on which something stored was made.
    ///
    /// Where its keys are gone it is the one that a recovery would use.
    ///
    /// - Parameter mayLeaveTPM: whether `--device files` may stand in for a TPM that is gone.
    func place(of origin: KeyOrigin, mayLeaveTPM: Bool = false) async throws -> Place {
        if let made = origin.device, let asked = options.device, made != asked.kind {
            throw Failure(.deviceMismatch, hint: Self.withoutOption)
        }
        let found = try foundChoice(for: origin)
        var choice = if let found { found } else { try await firstChoice().choice }
        var leavesTPM = false
        // What is found nowhere may have lain on a TPM too.
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

    /// What holds the keys of something stored.
    ///
    /// - Throws: where that can't be said: a folder that can't be looked into is none without keys (A25).
    func choice(for origin: KeyOrigin) async throws -> DeviceChoice {
        if let found = try foundChoice(for: origin) { return found }
        return try await firstChoice().choice
    }

    /// The same; nil where nothing of it is found.
    private func foundChoice(for origin: KeyOrigin) throws -> DeviceChoice? {
        if origin.device == .simulated { return .simulated }
        var files: [(choice: DeviceChoice, names: [String])] = []
        for choice in [DeviceChoice.tpm, .files] {
            files.append((choice, try Folders.readableNames(in: environment.deviceFolder(of: choice) + "/items")))
        }
        // The very items first: what a vault left where it once lay must not hide where it lies now.
        for item in origin.items {
            if let found = files.first(where: { $0.names.contains(item.text) }) { return found.choice }
        }
        if let vault = origin.vault {
            let prefix = "thumbturn.\(vault.text)."
            if let found = files.first(where: { $0.names.contains { $0.hasPrefix(prefix) } }) { return found.choice }
        }
        // What was being made or erased does not say on what; its owner may.
        guard origin.device == nil, options.device == nil else { return nil }
        return try Folders.isAbsent(environment.deviceFolder(of: .simulated)) ? nil : .simulated
    }

    /// Opens a device, which is made when it is missing.
    ///
    /// - Parameter origin: what is stored there; nil where something is to be made.
    func open(_ choice: DeviceChoice, holding origin: KeyOrigin? = nil) async throws -> Device {
        if choice == .simulated { return try openSimulated().device }
        #if canImport(ThumbturnLinux)
        let folder = try environment.deviceFolder(of: choice)
        try Folders.makeParents(of: folder)
        let panel = FingerPanel(output: output, secrets: secrets)
        let addresses = environment.linux
        var configuration = LinuxConfiguration(
            folder: folder,
            store: choice == .tpm ? .tpm(addresses.tpm) : .files
        )
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
                hint: Words("`thumbturn doctor` tells why", "`thumbturn doctor` dit pourquoi")
                    + (choice == .tpm ? origin?.wayOut ?? Words("") : Words(""))
            )
        }
        #else
        throw Failure(.deviceMismatch)
        #endif
    }

    /// Opens the simulated device, which is made when it is missing.
    func openSimulated() throws -> SimulatedDevice {
        let folder = try environment.deviceFolder(of: .simulated)
        try Folders.makeParents(of: folder)
        do {
            return try SimulatedDevice(folder: folder)
        } catch {
            throw Failure(.storageUnavailable, Words("the simulated device", "l'appareil simulé"))
        }
    }
}

#if canImport(ThumbturnLinux)
extension Environment {
    /// Where the TPM, the system bus and the name of the machine are.
    ///
    /// Only a debug build believes the environment: else whoever sets a variable could plant a bus of his own (A55).
    var linux: (tpm: String, bus: String?, owner: UInt32, machineFile: String) {
        #if DEBUG
        let bus = values["THUMBTURN_TEST_BUS"]
        return (
            values["THUMBTURN_TEST_TPM"] ?? LinuxConfiguration.systemTPM, bus, bus == nil ? 0 : Environment.userNumber,
            values["THUMBTURN_TEST_MACHINE"] ?? LinuxMachine.nameFile
        )
        #else
        return (LinuxConfiguration.systemTPM, nil, 0, LinuxMachine.nameFile)
        #endif
    }
}
#endif
