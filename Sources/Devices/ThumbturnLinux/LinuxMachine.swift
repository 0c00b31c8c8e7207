import Glibc
package import ThumbturnRules

/// Whether there is a TPM 2.0, and what it is worth.
package enum TPMPresence: Hashable, Sendable {
    /// No TPM is there, or it is turned off in the firmware.
    case missing
    /// One is there that this user may not use.
    case forbidden
    /// One is there, and tpm2-tss, which speaks with it, is not installed.
    case speechless
    /// One answers whose owner hierarchy has a password, without which no counter can be made.
    case owned
    /// One answers whose owner hierarchy is off, in which all that is ours would lie.
    case ownerIsOff
    /// One is there that does not answer.
    case silent
    /// One answers, and says this of itself.
    case answering(TPMProperties)

    /// Looks for a TPM, and changes nothing.
    ///
    /// - Parameter tcti: the transport in tpm2-tss's words, never from the environment.
    package static func look(tcti: String = LinuxConfiguration.systemTPM) async -> TPMPresence {
        await lookClosely(tcti: tcti).presence
    }

    /// The same, with how the TPM stands to wrong PINs, nil when it can't be asked, and whether its memory is full.
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

/// What a Linux machine has for a vault, found out without making, claiming or changing anything.
package struct LinuxMachine: Sendable {
    /// The TPM.
    package let tpm: TPMPresence
    /// How the TPM stands to wrong PINs; nil when it can't be asked.
    package let lockout: TPMLockout?
    /// The fingerprint readers, and this user's fingers.
    package let fingers: BiometricCapability
    /// Whether logind tells when the session is locked or the machine goes to sleep.
    package let hearsSession: Bool
    /// What names the machine where files keep the keys.
    package let naming: MachineNaming
    /// Whether the TPM's memory takes no further counter.
    package var isFull = false

    /// Where the system keeps the name of the machine.
    package static let nameFile = "/etc/machine-id"

    /// Looks at this machine.
    package static func look() async -> LinuxMachine { await look(tcti: LinuxConfiguration.systemTPM) }

    /// Looks at a machine of the tests' own.
    package static func look(
        tcti: String,
        bus address: String? = nil,
        ownedBy owner: UInt32 = 0,
        machineFile: String = nameFile
    ) async -> LinuxMachine {
        let bus = BusConnection(address: address ?? BusConnection.systemAddress)
        let (tpm, lockout, isFull) = await TPMPresence.lookClosely(tcti: tcti)
        let assurance = if case .answering(let its) = tpm { its.assuranceOfKey } else { Assurance.softwareFile }
        // At once, so that one that does not answer costs the other nothing.
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
    /// What names this machine, where files are to keep keys.
    package static func naming(_ machineFile: String = nameFile) -> MachineNaming { MachineNaming.look(machineFile) }

    /// Whether a device could keep its folder at a path; nothing is made.
    ///
    /// One that is there has to be the user's own, and closed to others; else its parent has to take one.
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
