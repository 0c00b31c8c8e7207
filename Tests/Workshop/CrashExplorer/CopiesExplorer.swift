import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

/// Calls two copies of a vault's folder on one device in turn, stops each call everywhere, and counts guesses (A12).
///
/// The judge asks one thing: no copy that can still be opened shows fewer failures than guesses were answered in both together
/// since the right PIN was last given, unless it stands in the longest wait. Guesses that another anchor counts were at
/// another PIN.
package final class CopiesExplorer {
    private struct State {
        let image: SceneImage
        /// Wrong PINs of which somebody learned that they are wrong, by the anchor that counts them.
        let answered: [String: UInt32]
    }

    /// What the folders are called after the vault's own.
    private static let copies = ["", "-copy"]
    private let transition: CrashTransition
    private let root: String
    private let disk = FaultyDisk()
    private let start: State
    private var images: [[UInt8]: SceneImage] = [:]
    private let plays = Known<Call, Play>()
    private let looks = Known<[UInt8], Look?>()
    private var report: ExplorationReport

    /// Prepares the transition in `root`, an empty folder, and copies the vault's.
    package init(_ transition: CrashTransition, in root: String) async throws {
        self.transition = transition
        self.root = root
        let scene = try await transition.scene(in: root)
        try FileManager.default.copyItem(atPath: scene.vaultFolder, toPath: scene.inCopy(Self.copies[1]).vaultFolder)
        start = State(image: try SceneImage(of: scene), answered: [:])
        report = ExplorationReport("\(transition) + a copy", steps: 0)
    }

    /// Explores every stop of the transition in the one copy, each followed by every call in the other, which is stopped
    /// everywhere too.
    package func explore() async throws -> ExplorationReport {
        let whole = try await play(transition, in: 0, from: start, .kill(at: .max))
        report = ExplorationReport("\(transition) + a copy", steps: whole.operations)
        let stops = (1...max(1, whole.operations)).flatMap { [FaultyDisk.Stop.kill(at: $0), .failAfterEffect(at: $0)] }
        for stop in stops + [.kill(at: .max)] {
            let first = try await play(transition, in: 0, from: start, stop).state
            try await judge(first, "\(transition) \(stop)")
            for other in Self.others {
                let what = "\(transition) \(stop), then \(other) in the copy"
                let second = try await play(other, in: 1, from: first, .kill(at: .max))
                try await judge(second.state, what)
                try await guessOn(from: second.state, what)
                guard second.operations > 0 else { continue }
                for number in 1...second.operations {
                    let stopped = try await play(other, in: 1, from: first, .kill(at: number)).state
                    try await judge(stopped, "\(what), killed at \(number)")
                }
            }
        }
        return report
    }

    /// Guesses once more in each copy.
    private func guessOn(from state: State, _ what: String) async throws {
        var state = state
        for copy in Self.copies.indices {
            state = try await play(Self.guess, in: copy, from: state, .kill(at: .max)).state
            try await judge(state, "\(what), then a guess in \(copy == 0 ? "the first" : "each")")
        }
    }

    private func play(
        _ transition: CrashTransition,
        in copy: Int,
        from state: State,
        _ stop: FaultyDisk.Stop
    ) async throws -> (state: State, operations: Int) {
        let call = Call(scene: state.image.digest, transition: transition.name, copy: copy, stop: stop)
        let played = try await plays.value(for: call) { try await play(transition, in: copy, from: state.image, stop) }
        var answered = state.answered
        if transition.name == Self.guess.name {
            if let anchor = played.derivation {
                answered[anchor, default: 0] += 1
            } else if played.said == .strongFactorRefused {
                report.losses.append("a guess after \(self.transition) was answered before anybody counted it")
            }
        } else if !Self.withoutSecret.contains(where: { $0.name == transition.name }) {
            if played.derivation != nil || played.ended || transition.start == .unlocked { answered = [:] }
        }
        return (State(image: played.image, answered: answered), played.operations)
    }

    /// What a play follows from.
    private struct Call: Hashable {
        let scene: [UInt8]
        let transition: String
        let copy: Int
        let stop: FaultyDisk.Stop
    }

    private struct Play: Equatable {
        let image: SceneImage
        let operations: Int
        /// Why the call failed.
        let said: ErrorCode?
        /// Whether the call ended without an error, or could not begin.
        let ended: Bool
        /// The anchor that counts a guess which was answered.
        let derivation: String?
    }

    private func play(
        _ transition: CrashTransition,
        in copy: Int,
        from image: SceneImage,
        _ stop: FaultyDisk.Stop
    ) async throws -> Play {
        let scene = CutExplorer.wired(try image.restore(to: root), disk).inCopy(Self.copies[copy])
        let trace = Trace()
        disk.onOperation = { trace.names.append($0) }
        let run = try? await CutExplorer.run(transition, scene, disk) { [disk] in
            trace.names = []
            disk.arm(stop)
        }
        disk.onOperation = nil
        if run == nil {
            // It could not begin: the copy opens no more, or not without a wait.
            disk.die()
            disk.settle()
        }
        let left = try SceneImage(of: scene)
        let image = images[left.digest] ?? left
        images[left.digest] = image  // Each is kept once, however often it was come to.
        return Play(
            image: image,
            operations: run?.operations ?? 0,
            said: run?.error?.code,
            ended: run?.error == nil,
            derivation: trace.derivation(until: stop)
        )
    }

    private func judge(_ state: State, _ what: String) async throws {
        for copy in Self.copies {
            report.situations += 1
            let found = try await looks.value(for: state.image.digest + copy.utf8) {
                try await look(at: state.image.restore(to: root).inCopy(copy))
            }
            guard let look = found else { continue }
            report.arrived += 1
            let answered = state.answered[look.anchor, default: 0]
            if look.failures < answered {
                let name = copy.isEmpty ? "the first" : "the copy"
                report.losses.append("\(what): \(name) shows \(look.failures) of \(answered) guesses")
            }
        }
    }

    /// What a copy shows that can still be opened, and who counts.
    private struct Look: Equatable {
        let failures: UInt32
        let anchor: String
    }

    private func look(at scene: CrashScene) async throws -> Look? {
        let trace = Trace()
        scene.device.interceptor = { call in
            trace.names.append("\(call)")
            return .proceed
        }
        // One that opens no more answers no guess either.
        guard let vault = try? await scene.open() else { return nil }
        let snapshot = await vault.snapshot
        await vault.close()
        guard snapshot.condition == .ready, snapshot.mode == .local, let anchor = trace.anchor else { return nil }
        if !snapshot.ledgerIsReliable, snapshot.nextAttempt != .allowed { return nil }
        return Look(failures: snapshot.failedAttempts, anchor: anchor)
    }

    private static let guess = CrashTransition("guess", from: .locked, end: .strongFactorRefused) { party in
        try await party.vault().unlock(with: SecretBytes(text: CrashScene.wrongPIN))
    }

    private static let pin = CrashTransition("PIN", from: .locked) { party in
        try await party.vault().unlock(with: SecretBytes(text: CrashScene.firstPIN))
    }

    private static let finger = CrashTransition("finger", from: .locked) { party in
        try party.scene.device.simulate(.finger(.match))
        try await party.vault().unlockWithBiometrics(TestVault.words)
    }

    private static let wrongFinger = CrashTransition(
        "wrongFinger",
        from: .locked,
        end: .biometricsNotRecognised
    ) { party in
        try party.scene.device.simulate(.finger(.mismatch))
        try await party.vault().unlockWithBiometrics(TestVault.words)
    }

    private static let enrolment = CrashTransition("enrolment", from: .locked) { party in
        try party.scene.device.simulate(.enroll)
        _ = try await party.vault().refresh()
    }

    private static let others = [guess, pin, finger, wrongFinger]
    private static let withoutSecret = [finger, wrongFinger, enrolment]

    /// What is called in the first copy.
    package static let all = [guess, pin] + withoutSecret + CrashTransition.all.filter { known.contains($0.name) }
    private static let known = ["changePIN", "recoverForgotten", "disableBiometrics", "importWallet", "unlockStronger"]
}

extension CrashScene {
    /// The same scene, with another folder for the vault.
    fileprivate func inCopy(_ copy: String) -> CrashScene {
        var scene = self
        scene.copy = copy
        return scene
    }
}

/// The names of the operations of one run.
private final class Trace: @unchecked Sendable {
    // Safe to share: one call is under way at a time.
    var names: [String] = []

    /// The anchor that counts a guess which the device answered before the run was stopped, or nil: the device is asked right
    /// after an anchor moved.
    func derivation(until stop: FaultyDisk.Stop) -> String? {
        let passed: [String]
        switch stop {
        case .kill(let number), .powerLoss(let number, _): passed = Array(names.prefix(number - 1))
        case .fail(let number), .failAfterEffect(let number):
            passed = names.enumerated().filter { $0.offset != number - 1 }.map(\.element)
        case .full: passed = names
        }
        let moves = ["anchorRaise", "anchorMove"]
        guard let moved = passed.firstIndex(where: { name in moves.contains { name.hasPrefix($0) } }),
            passed[moved...].contains(where: { $0.hasPrefix("evaluate") })
        else { return nil }
        return Self.argument(of: passed[moved])
    }

    /// The anchor that counts: the one that was asked last of those that stay.
    ///
    /// A former PIN's is asked after it, and removed.
    var anchor: String? {
        let removed = Set(names.filter { $0.hasPrefix("anchorRemove") }.map(Self.argument))
        return names.filter { $0.hasPrefix("anchor") }.map(Self.argument).last { !removed.contains($0) }
    }

    private static func argument(of name: String) -> String { String(name.drop { $0 != "(" }) }
}
