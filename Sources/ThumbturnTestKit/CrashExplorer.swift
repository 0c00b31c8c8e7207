import Foundation
import Thumbturn
import ThumbturnDevice

/// Cuts one transition off at every operation of disk and device, in every way, and judges what is found afterwards.
///
/// One numbering covers the writes, syncs, truncations and deletions of SQLite's files and the calls of the device; a
/// stop falls between any two of them.
package final class CrashExplorer {
    private let transition: CrashTransition
    private let root: String
    private let files: FolderImage
    private let device: SimulatedDevice
    /// The disk that everything goes through.
    package let disk = FaultyDisk()
    private let old: VaultPortrait
    private let new: VaultPortrait
    /// A transition of two transactions may also stop between them.
    private var between: VaultPortrait?
    /// The last operation before the slow derivation runs, for a transition that has one.
    private let derivation: Int?
    private var report: Report

    /// Prepares the transition in `root`, an empty folder, and runs it once without a stop.
    package init(_ transition: CrashTransition, in root: String) async throws {
        self.transition = transition
        self.root = root
        device = SimulatedDevice()
        try await transition.prepare(CrashScene(root: root, device: device))
        files = try FolderImage(of: root)
        old = try await VaultPortrait.take(of: CrashScene(root: root, device: device.clone()))

        let trace = Trace()
        disk.onOperation = { trace.names.append($0) }
        try files.restore(to: root)
        let scene = Self.wired(root, device.clone(), disk)
        let error = try await Self.run(transition, scene) { [disk] in
            trace.names = []
            disk.arm(.kill(at: .max))
        }
        let operations = disk.operationCount
        guard transition.isEnd(error) else { throw error ?? CrashError.wrongEnd }
        disk.settle()
        disk.onOperation = nil
        scene.device.interceptor = nil
        new = try await VaultPortrait.take(of: CrashScene(root: root, device: scene.device))
        derivation = transition.countsGuess ? trace.names.firstIndex { $0.contains("anchorRaise") } : nil
        report = Report(transition: transition, operations: operations)

        if transition == .createWithBiometrics {
            try files.restore(to: root)
            let scene = CrashScene(root: root, device: device.clone())
            try await CrashTransition.create.run(in: scene)
            between = try await VaultPortrait.take(of: scene)
        }
    }

    /// Explores every stop of the given modes; of each mode every `stride`th operation.
    package func explore(_ modes: [Mode], stride step: Int = 1) async throws -> Report {
        for (index, mode) in modes.enumerated() {
            // Each mode starts elsewhere, so that together they touch every operation.
            let last = report.operations + (mode.losesPower ? 1 : 0)
            for number in stride(from: 1 + index % step, through: last, by: step) {
                report.situations += 1
                do {
                    try await explore(mode, number)
                } catch {
                    report.losses.append("\(transition) \(mode) at \(number): \(error)")
                }
            }
        }
        return report
    }

    private func explore(_ mode: Mode, _ number: Int) async throws {
        try files.restore(to: root)
        let scene = Self.wired(root, device.clone(), disk)
        if case .failThenDie(let distance) = mode { dieLater(after: distance) }
        let error = try await Self.run(transition, scene) { [disk] in disk.arm(mode.stop(at: number)) }
        guard disk.didStop || number > report.operations else { throw CrashError.neverReached }
        disk.onOperation = nil
        disk.settle()
        if mode == .killTwice {
            disk.arm(.kill(at: 1 + number % 9))
            try? await scene.open().close()
            disk.settle()
        }
        scene.device.interceptor = nil

        let found = CrashScene(root: root, device: scene.device)
        let portrait = try await VaultPortrait.take(of: found)
        try judge(portrait, after: mode, number, error)
        if portrait.essence == new.essence { report.arrived += 1 }
        try checkErasure(portrait)
        try await use(found, portrait)
    }

    /// Lets the process die so many operations after the one that failed.
    private func dieLater(after distance: Int) {
        var passed = 0
        disk.onOperation = { [unowned disk] _ in
            guard disk.didStop else { return }
            passed += 1
            if passed == distance { disk.arm(.kill(at: 1)) }
        }
    }

    private func judge(
        _ portrait: VaultPortrait,
        after mode: Mode,
        _ number: Int,
        _ error: VaultError?
    ) throws {
        let essence = portrait.essence
        if transition.isEnd(error) {
            // What was reported as done is done, whatever happens to the machine next.
            guard essence == new.essence else { throw CrashError.reportedButMissing(portrait) }
        } else {
            let allowed = [old, new, between].compactMap { $0?.essence }
            guard allowed.contains(essence) else { throw CrashError.neither(portrait) }
        }
        let guesses: UInt32 = transition.asksForSecret ? 1 : 0
        guard [old.failures, old.failures + guesses, new.failures].contains(portrait.failures),
            [old.biometricFailures, new.biometricFailures].contains(portrait.biometricFailures)
        else { throw CrashError.miscounted(portrait) }
        // A10: once the slow derivation ran, its attempt is on record, until a right PIN cleared it.
        if mode.isDeath, let derivation, number > derivation + 1, portrait.failures == old.failures {
            throw CrashError.miscounted(portrait)
        }
    }

    /// Looks that nothing of a deleted wallet lies in the vault's files any more.
    private func checkErasure(_ portrait: VaultPortrait) throws {
        let gone = old.ids.filter { !portrait.ids.contains($0) }
        guard !gone.isEmpty else { return }
        for (path, data) in try FolderImage(of: root + "/vault").files
        where gone.contains(where: { data.range(of: Data($0)) != nil }) {
            throw CrashError.notErased(path)
        }
    }

    /// Looks that the vault, or the place for one, is as good as ever.
    private func use(_ scene: CrashScene, _ portrait: VaultPortrait) async throws {
        if portrait.absence != nil || transition == .backUp {
            if transition == .reset {
                _ = try await scene.create()
                return
            }
            if transition == .backUp, portrait.hasBackup { try FileManager.default.removeItem(atPath: scene.backup) }
            try await transition.run(in: scene)
        } else if let pin = portrait.pins.first {
            let vault = try await scene.open()
            let authorization = try await vault.unlock(with: SecretBytes(text: pin))
            try await vault.changeLocalSecret(to: SecretBytes(text: CrashScene.wrongPIN), authorization)
            await vault.close()
            try await scene.open().unlock(with: SecretBytes(text: CrashScene.wrongPIN))
        } else {
            try await transition.run(in: scene)
        }
    }

    private static func wired(_ root: String, _ device: SimulatedDevice, _ disk: FaultyDisk) -> CrashScene {
        device.interceptor = { [disk] call throws(DeviceRefusal) in
            switch disk.countForeignOperation("\(call)") {
            case .proceed: return .proceed
            case .failAfterEffect: return .failAfterEffect(.unavailable)
            case .fail, .dead: throw .unavailable
            }
        }
        return CrashScene(root: root, device: device, vfs: disk.vfsName)
    }

    /// Runs the transition; what it throws and is no `VaultError` comes through as it is.
    private static func run(
        _ transition: CrashTransition,
        _ scene: CrashScene,
        arm: () -> Void
    ) async throws -> VaultError? {
        do {
            try await transition.run(in: scene, arm: arm)
            return nil
        } catch let error as VaultError {
            return error
        }
    }
}

extension CrashTransition {
    /// Whether an attempt at the PIN is counted on the way.
    fileprivate var asksForSecret: Bool { self == .unlock || self == .unlockWrong || self == .unlockRevoked }

    /// Whether earlier failures show that it was counted.
    fileprivate var countsGuess: Bool { self == .unlock || self == .unlockWrong }
}

/// What an exploration can find wrong.
package enum CrashError: Error {
    case wrongEnd
    case neverReached
    case neither(VaultPortrait)
    case reportedButMissing(VaultPortrait)
    case miscounted(VaultPortrait)
    case notErased(String)
}

/// The names of the operations of one run.
private final class Trace {
    var names: [String] = []
}
