import CTSS2
import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

extension TPMStore {
    /// The TPM's lockout; nil when it can't be read.
    func lockout() async -> TPMLockout? { try? await tpm.lockout() }
}

/// A store on a software TPM, and everything it stands on.
struct TPMBench: Sendable {
    let tpm: SoftwareTPM
    let proxy: TPMProxy
    let folder: TemporaryFolder
    let owner = ScriptedOwner()
    let store: TPMStore

    var path: String { folder.file("items") }
    var anchor: TPMAnchor { store.anchor }

    /// - Parameter patience: how long a turn that asks for nothing keeps its conversation.
    init(patience: Milliseconds = .seconds(600)) async throws {
        tpm = try SoftwareTPM()
        proxy = try TPMProxy(before: tpm)
        folder = try TemporaryFolder()
        let chip = try TPM(transport: proxy.tcti, patience: patience)
        _ = try await chip.properties()
        store = try TPMStore(on: chip, folder: folder.file("items"), gate: OwnerGate(owner))
    }

    /// What a vault does in one go.
    func turn(_ body: () async throws -> Void) async throws {
        store.tpm.beginTurn()
        do {
            try await body()
        } catch {
            await store.tpm.endTurn()
            throw error
        }
        await store.tpm.endTurn()
    }

    /// Another store on the same TPM and folder, as another process has it.
    func anotherStore() async throws -> TPMStore { try await Self.store(tcti: proxy.tcti, folder: path, owner) }

    static func store(tcti: String, folder: String, _ owner: ScriptedOwner) async throws -> TPMStore {
        let chip = try TPM(transport: tcti)
        _ = try await chip.properties()
        return try TPMStore(on: chip, folder: folder, gate: OwnerGate(owner))
    }

    func touch(_ touch: SimulatedTouch = .match) throws { try owner.simulate(.finger(touch)) }

    /// Saves a guarded sample.
    func saveGuarded(
        _ number: UInt64 = 1,
        _ lease: ItemLease? = nil,
        _ byte: UInt8 = 0xA5
    ) async throws(DeviceRefusal) {
        try await store.save(.sample(byte), as: .sample(number), access: .currentBiometrySet, lease: lease)
    }

    /// Reads a guarded sample with a matching finger: the refusal, or nil when it came back whole.
    func refusalOfMatch(_ number: UInt64 = 1, _ byte: UInt8 = 0xA5) async throws -> DeviceRefusal? {
        let unused = owner.promptsShown
        try touch()
        let refusal = await store.refusalOfRead(.sample(number), byte)
        // A touch that nobody asked for must not stay for the next prompt.
        if owner.promptsShown == unused { try? await owner.prompt(sampleText) }
        return refusal
    }
}

extension TPMBench {
    /// The bench as a device under the contract.
    func contractDevice() -> ContractDevice {
        let simulated = owner.simulated.device
        let device = Device(
            kind: .linux,
            store: store,
            prompt: owner,
            anchor: anchor,
            clock: simulated.clock,
            installation: simulated.installation
        )
        return ContractDevice(
            device: device,
            offers: [.deviceOnly, .currentBiometrySet],
            simulate: { event in
                switch event {
                case .lockDevice:
                    tpm.kill()
                    try setMode(0o755)
                case .unlockDevice:
                    try setMode(0o700)
                    try tpm.start()
                case .restoreElsewhere:
                    try tpm.replaceState(by: [:])
                    try owner.simulate(event)
                case .reboot:
                    try tpm.restart()
                    try owner.simulate(event)
                default:
                    guard event.happensOnLinux else { return false }
                    try owner.simulate(event)
                }
                return true
            },
            promptsShown: { owner.promptsShown }
        )
    }

    func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
}

extension TPMProxy {
    /// How many counters of ours the TPM has.
    func counterCount() throws -> Int {
        try TPM(transport: tcti).talk { context throws(TPMFailure) in
            try context.handles(from: 0x0180_0000, count: 32).filter { $0 < 0x01C0_0000 }.count
        }
    }
}

extension SimulatedEvent {
    /// Whether a Linux machine can be made to suffer it: it has no passcode that an app knows of, its fingerprint service
    /// locks nobody out, its clocks are the system's, and no program is in front of others.
    var happensOnLinux: Bool {
        switch self {
        case .passcode, .passcodeOn, .passcodeOff, .lockout, .advance, .sleep, .clock, .fault, .background, .foreground:
            false
        default: true
        }
    }
}

extension DeviceContract.Clause {
    /// The verdict on a Linux store: kept, but for what no Linux machine can be made to suffer.
    var verdictOnLinux: DeviceContract.Verdict {
        switch self {
        case .lockoutRefuses, .capabilityHasReasons, .passcodeProvesOwner: .undecided(.lockout)
        case .passcodeIsNoFinger, .passcodeBreaksLockout, .passcodeTakesItems: .undecided(.passcode)
        case .clocksRun: .undecided(.advance(.minutes(31)))
        case .clocksMoveWhileRead: .undecided(.advance(.minutes(10)))
        // What logind tells is not what these events do.
        case .changesAreTold: .undecided(.lockDevice)
        default: .kept
        }
    }
}

extension TPMContext {
    /// The Name of a key as tpm2-tss computes it.
    func name(of handle: ESYS_TR) throws(TPMFailure) -> [UInt8] {
        var answer: UnsafeMutablePointer<TPM2B_NAME>?
        try check(unsafe Esys_TR_GetName(esys, handle, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        return unsafe bytes(of: answer.pointee.name, count: answer.pointee.size)
    }
}
