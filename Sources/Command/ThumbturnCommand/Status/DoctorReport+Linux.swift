#if canImport(ThumbturnLinux)
import Thumbturn
import ThumbturnConsole
import ThumbturnLinux
import ThumbturnRules

extension DoctorReport {
    /// Adds the TPM, fingerprint reader, session and machine name.
    mutating func add(_ machine: LinuxMachine) {
        add(
            Words("TPM 2.0"),
            machine.tpm.mark,
            machine.tpm.words + room(machine) + lockout(machine),
            ("tpm", json(machine))
        )
        let fingers = machine.fingers
        add(
            Words("fingerprint", "empreinte"),
            fingers.available ? .good : .fair,
            fingers.words,
            ("fingerprint", ["available": .bool(fingers.available), "reason": JSON(fingers.reasonIfUnavailable?.name)])
        )
        add(
            Words("session"),
            machine.hearsSession ? .good : .fair,
            [
                machine.hearsSession
                    ? Words("logind reports sleep and lock", "logind annonce veille et verrouillage")
                    : Words("no logind: nothing reports sleep and lock", "pas de logind : veille non annoncée")
            ],
            ("session", ["isHeard": .bool(machine.hearsSession)])
        )
        let naming = machine.naming
        add(Words("machine"), naming.mark, naming.words, ("machine", ["name": .string(naming.rawValue)]))
    }

    private func room(_ machine: LinuxMachine) -> [Words] {
        guard machine.isFull else { return [] }
        return [Words("its memory is full", "sa mémoire est pleine"), TPMTrouble.full.remedy].compactMap(\.self)
    }

    private func lockout(_ machine: LinuxMachine) -> [Words] {
        guard let lockout = machine.lockout else { return [] }
        let count = Words(
            "wrong tries of all programs: \(lockout.failures) of \(lockout.limit)",
            "codes erronés, tous programmes : \(lockout.failures) sur \(lockout.limit)"
        )
        let span = Milliseconds(Int64(lockout.recoverySeconds) * 1_000)
        let locked =
            lockout.isLockedOut ? [TPMTrouble.lockedOut(atMost: lockout.longestWait).remark] : []
        guard lockout.recoverySeconds > 0 else {
            return locked + [count + Words("; none is counted", " ; aucun n'est compté")]
        }
        return locked + [count + Words("; one is forgotten after ", " ; un oublié après ") + .span(span)]
    }

    private func json(_ machine: LinuxMachine) -> JSON {
        [
            "state": .string(machine.tpm.name),
            "assurance": JSON(machine.tpm.properties?.assuranceOfPIN.name),
            "doubts": machine.tpm.properties.map { .array($0.doubts.map { .string($0.rawValue) }) } ?? .null,
            "hasLockoutPassword": machine.tpm.properties.map { .bool($0.hasLockoutPassword) } ?? .null,
            "recoverySeconds": machine.tpm.properties.map { .integer(Int64($0.recoverySeconds)) } ?? .null,
            "lockoutRecoverySeconds": machine.tpm.properties.map { .integer(Int64($0.lockoutRecoverySeconds)) }
                ?? .null,
            "failures": machine.lockout.map { .integer(Int64($0.failures)) } ?? .null,
            "failureLimit": machine.lockout.map { .integer(Int64($0.limit)) } ?? .null,
            "isLockedOut": machine.lockout.map { .bool($0.isLockedOut) } ?? .null,
        ]
    }
}

extension TPMPresence {
    /// How a user gets access to an existing TPM.
    static var wayIn: Words {
        Words(
            "run `sudo usermod -aG tss $USER`, then log in again",
            "lancez `sudo usermod -aG tss $USER`, puis reconnectez-vous"
        )
    }

    /// How to install the software that talks to a TPM.
    static var software: Words {
        let line = "`sudo apt install libtss2-esys-3.0.2-0 libtss2-tctildr0`"
        return Words("install it: \(line)", "installez-le : \(line)")
    }

    fileprivate var properties: TPMProperties? { if case .answering(let its) = self { its } else { nil } }

    fileprivate var name: String {
        switch self {
        case .missing: "missing"
        case .forbidden: "forbidden"
        case .speechless: "speechless"
        case .owned: "owned"
        case .ownerIsOff: "ownerIsOff"
        case .silent: "silent"
        case .answering: "answering"
        }
    }

    fileprivate var mark: DoctorReport.Mark {
        switch self {
        case .missing: .fair
        case .forbidden, .speechless, .owned, .ownerIsOff, .silent: .bad
        case .answering(let properties):
            properties.doubts.isEmpty ? .good : properties.isChip ? .bad : .fair
        }
    }

    fileprivate var words: [Words] {
        switch self {
        case .missing:
            [
                Words("there is none", "il n'y en a pas"),
                Words(
                    "look in the firmware for TPM, PTT or fTPM, and turn it on",
                    "cherchez TPM, PTT ou fTPM dans le micrologiciel, et activez-le"
                ),
            ]
        case .forbidden:
            [
                Words("there is one that you have no access to", "il y en a un, mais vous n'y avez pas accès"),
                Self.wayIn,
            ]
        case .speechless:
            [
                Words("there is one, but tpm2-tss is not installed", "il y en a un, mais tpm2-tss n'est pas installé"),
                Self.software,
            ]
        case .owned:
            [Words("its owner hierarchy has a password", "sa hiérarchie propriétaire a un mot de passe")]
                + [TPMTrouble.ownerHasPassword.remedy].compactMap(\.self)
        case .ownerIsOff:
            [Words("its owner hierarchy is off", "sa hiérarchie propriétaire est désactivée")]
                + [TPMTrouble.ownerIsOff.remedy].compactMap(\.self)
        case .silent:
            [Words("there is one that does not answer", "il y en a un qui ne répond pas")]
        case .answering(let properties):
            [Words("it answers", "il répond")]
                + (properties.isChip && !properties.doubts.isEmpty
                    ? properties.doubts.map(\.text) : [DeviceChoice.tpm.worth(properties.doubts)])
                + properties.doubts.remedies
        }
    }
}

extension MachineNaming {
    /// How a user gets to read the machine's name.
    static var wayToRead: Words {
        Words("run `sudo chmod 444 /etc/machine-id`", "lancez `sudo chmod 444 /etc/machine-id`")
    }

    fileprivate var mark: DoctorReport.Mark {
        switch self {
        case .system: .good
        case .own: .fair
        case .unreadable: .bad
        }
    }

    fileprivate var words: [Words] {
        switch self {
        case .system:
            [Words("it has a name, and key files are bound to it", "elle a un nom, auquel les clés sont liées")]
        case .own:
            [
                Words(
                    "no /etc/machine-id: key files get a name of their own",
                    "pas de /etc/machine-id : les clés ont leur propre nom"
                ),
                Words("a copy of their folder works elsewhere too", "une copie de leur dossier ouvre ailleurs aussi"),
            ]
        case .unreadable:
            [
                Words(
                    "/etc/machine-id can't be read: no key files",
                    "/etc/machine-id est illisible : pas de fichiers de clés"
                ),
                Self.wayToRead,
            ]
        }
    }
}

extension BiometricCapability {
    fileprivate var words: [Words] {
        switch reasonIfUnavailable {
        case nil:
            [Words("a reader, and one of your fingers is enrolled", "un lecteur, et un de vos doigts est enregistré")]
        case .noHardware?:
            [
                Words("no reader, or no fprintd", "pas de lecteur, ou pas de fprintd"),
                Words("fprintd: `sudo apt install fprintd`", "fprintd : `sudo apt install fprintd`"),
            ]
        case .notEnrolled?:
            [
                Words(
                    "a reader, but none of your fingers is enrolled",
                    "un lecteur, mais aucun de vos doigts n'est enregistré"
                ),
                Words("enrol one: `fprintd-enroll`", "enregistrez-en un : `fprintd-enroll`"),
            ]
        case .temporarilyUnavailable?:
            [
                Words("not available now", "indisponible pour l'instant"),
                Words(
                    "another program uses it, or the system bus does not answer",
                    "un autre programme l'utilise, ou le bus ne répond pas"
                ),
            ]
        case let reason?: [reason.text]
        }
    }
}
#endif
