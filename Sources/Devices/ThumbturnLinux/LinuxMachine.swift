import Glibc
package import ThumbturnRules

/// Whether there is a TPM 2.0, and its properties.
package enum TPMPresence: Hashable, Sendable {
    /// There is no TPM, or it is turned off in the firmware.
    case missing
    /// There is one, which this user may not use.
    case forbidden
    /// There is one, but its library tpm2-tss is not installed.
    case speechless
    /// It answers, but its owner hierarchy has a password, without which no counter can be made.
    case owned
    /// It answers, but its owner hierarchy, which would contain our objects, is off.
    case ownerIsOff
    /// There is one, which does not answer.
    case silent
    /// It answers, with these properties.
    case answering(TPMProperties)

    /// Looks for a TPM; changes nothing.
    ///
    /// - Parameter tcti: the transport in tpm2-tss's notation, never from the environment.
    package static func look(tcti: String = LinuxConfiguration.systemTPM) async -> TPMPresence {
        await lookClosely(tcti: tcti).presence
    }

    /// Does the same, and also returns the TPM's lockout state, nil when it can't be read, and whether its memory is
    /// full.
    package static func lookClosely(
        tcti: String = LinuxConfiguration.systemTPM
    ) async -> (presence: TPMPresence, lockout: TPMLockout?, isFull: Bool) {
        let scheme = "device:"
        if tcti.hasPrefix(scheme), unsafe access(String(tcti.dropFirst(scheme.count)), R_OK | W_OK) != 0 {
            return (errno == EACCES || errno == EPERM ? .forbidden : .missing, nil, false)
        }
        guard TPM.hasSoftware else { return (.speechless, nil, false) }
        guard let tpm = try? TPM(transport: tcti), let standing = try? await tpm.standing() else {
            return (.silent, nil, false)
        }
        guard standing.owner.isOn else { return (.ownerIsOff, standing.lockout, false) }
        let presence = standing.owner.hasPassword ? .owned : TPMPresence.answering(standing.properties)
        return (presence, standing.lockout, standing.isFull)
    }
}

/// What a Linux machine offers for a vault, found out without making, claiming or changing anything.
package struct LinuxMachine: Sendable {
    /// The TPM.
    package let tpm: TPMPresence
    /// The TPM's lockout state after wrong PINs; nil when it can't be read.
    package let lockout: TPMLockout?
    /// The fingerprint readers, and this user's fingers.
    package let fingers: BiometricCapability
    /// Whether logind reports when the session is locked or the machine goes to sleep.
    package let hearsSession: Bool
    /// Where the machine's name comes from, to which key files are bound.
    package let naming: MachineNaming
    /// Whether the TPM's memory has no room for another counter.
    package var isFull = false

    /// Inspects this machine, or one set up by a test.
    package static func look(
        tcti: String = LinuxConfiguration.systemTPM,
        bus address: String? = nil,
        ownedBy owner: UInt32 = 0,
        machineFile: String = MachineNaming.systemFile
    ) async -> LinuxMachine {
        let bus = BusConnection(address: address ?? BusConnection.systemAddress)
        let (tpm, lockout, isFull) = await TPMPresence.lookClosely(tcti: tcti)
        let assurance = if case .answering(let its) = tpm { its.assuranceOfKey } else { Assurance.softwareFile }
        // In parallel, so that a service that does not answer does not delay the other.
        async let fingers = FprintPrompt(bus: bus, assurance: assurance, ownedBy: owner).capability()
        async let hearsSession = LogindWatch.isThere(on: bus, ownedBy: owner)
        return LinuxMachine(
            tpm: tpm,
            lockout: lockout,
            fingers: await fingers,
            hearsSession: await hearsSession,
            naming: MachineNaming.look(machineFile),
            isFull: isFull
        )
    }
}

extension LinuxMachine {
    /// Finds out where the machine's name comes from, for files with keys.
    package static func naming(_ machineFile: String = MachineNaming.systemFile) -> MachineNaming {
        MachineNaming.look(machineFile)
    }

    /// Whether a device could keep its folder at a path; creates nothing.
    ///
    /// An existing folder has to be the user's own and closed to others; otherwise a folder must be creatable in its
    /// parent.
    package static func takesFolder(_ path: String) -> Bool {
        for folder in [path, path + "/items"] where unsafe access(folder, F_OK) == 0 || errno != ENOENT {
            guard (try? PrivateFolder(folder)) != nil else { return false }
        }
        var parent = path
        while unsafe access(parent, F_OK) != 0, errno == ENOENT, let slash = parent.lastIndex(of: "/"), parent != "/" {
            parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
        }
        return unsafe access(parent, W_OK | X_OK) == 0
    }
}
