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
    /// One is there that does not answer.
    case silent
    /// One answers, and says this of itself.
    case answering(TPMProperties)

    /// Looks for a TPM, and changes nothing.
    ///
    /// - Parameter tcti: the transport in tpm2-tss's words, never from the environment.
    package static func look(tcti: String = LinuxConfiguration.systemTPM) async -> TPMPresence {
        let scheme = "device:"
        if tcti.hasPrefix(scheme), unsafe access(String(tcti.dropFirst(scheme.count)), R_OK | W_OK) != 0 {
            return errno == EACCES || errno == EPERM ? .forbidden : .missing
        }
        guard TPM.hasSoftware else { return .speechless }
        guard let tpm = try? TPM(transport: tcti), let properties = try? await tpm.properties(),
            let isOwned = try? await tpm.isOwned()
        else { return .silent }
        return isOwned ? .owned : .answering(properties)
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
        let tpm = await TPMPresence.look(tcti: tcti)
        var (lockout, assurance) = (TPMLockout?.none, Assurance.softwareFile)
        if case .answering(let its) = tpm {
            assurance = its.assuranceOfKey
            lockout = try? await TPM(transport: tcti).lockout()
        }
        return LinuxMachine(
            tpm: tpm,
            lockout: lockout,
            fingers: await FprintPrompt(bus: bus, assurance: assurance, ownedBy: owner).capability(),
            hearsSession: await LogindWatch.isThere(on: bus, ownedBy: owner),
            naming: MachineNaming.look(machineFile)
        )
    }
}
