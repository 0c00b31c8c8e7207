import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator
package import ThumbturnTestKit

/// Cuts one transition off at every operation of disk and device, in every way, takes the scene up again in every way, and
/// judges what is found then.
///
/// One numbering covers the writes, syncs, truncations and deletions of SQLite's files and the calls of the device; a
/// stop falls between any two of them.
///
/// The judge knows no transition. It lets each next start happen to the state before the transition, to the state after it
/// and to those between its transactions; what a cut-off transition left must end like one of them, to the last item.
package final class CutExplorer {
    private let transition: CrashTransition
    private let root: String
    /// The disk that everything goes through.
    package let disk = FaultyDisk()
    /// The states that may be found: before, between, after in another way, after.
    private let states: [SceneImage]
    /// The last operation before the slow derivation runs, for a transition that has one.
    private let derivation: Int?
    private var outcomes: [NextStart: Outcomes] = [:]
    private let looks = Known<Place, Ending>()
    private let endings = Known<Beginning, Ending>()
    private let futures = Known<[UInt8], Bool>()
    private let damages = Known<[UInt8], Bool>()
    private let files = Known<[UInt8], Bool>()
    private var report: ExplorationReport

    /// Prepares the transition in `root`, an empty folder, and runs it once without a stop.
    package init(_ transition: CrashTransition, in root: String) async throws {
        self.transition = transition
        self.root = root
        let scene = try await transition.scene(in: root)
        let old = try SceneImage(of: scene)
        var states = [old]
        for stage in transition.between + transition.otherwise {
            let scene = try old.restore(to: root)
            try await stage(scene)
            states.append(try SceneImage(of: scene))
        }

        let trace = Trace()
        disk.onOperation = { trace.names.append($0) }
        let whole = Self.wired(try old.restore(to: root), disk)
        let run = try await Self.run(transition, whole, disk) { [disk] in
            trace.names = []
            disk.arm(.kill(at: .max))
        }
        guard transition.isEnd(run.error) else { throw run.error ?? CrashError.wrongEnd }
        report = ExplorationReport(transition.name, steps: run.operations)
        states.append(try SceneImage(of: whole))
        self.states = states
        let raises = trace.names.indices.filter { trace.names[$0].contains("anchorMove") }
        derivation = transition.attemptRaise.map { raises[$0 - 1] }
    }

    /// Explores every stop, and every next start after each.
    ///
    /// Where two things go wrong, four next starts follow instead of all, each stop having others.
    ///
    /// - Parameter limit: about how many situations at most; then they are evenly drawn, the same ones each time, and four
    ///   next starts follow each stop.
    package func explore(_ modes: [Mode] = Mode.allCases, limit: Int = .max) async throws -> ExplorationReport {
        let cuts = modes.flatMap { mode in
            (1...report.steps + (mode.losesPower ? 1 : 0)).map { Cut(mode: mode, number: $0) }
        }
        let all = NextStart.all
        for (index, cut) in cuts.scattered.enumerated() where report.situations < limit {
            let isWhole = limit == .max && cut.mode.isSingle
            let starts = isWhole ? all : (0..<4).map { all[(4 * index + $0) % all.count] }
            do {
                try await explore(cut, starts)
            } catch {
                report.losses.append("\(transition) \(cut): \(error)")
            }
        }
        return report
    }

    private func explore(_ cut: Cut, _ starts: [NextStart]) async throws {
        let scene = Self.wired(try states[0].restore(to: root), disk)
        if case .failThenDie(let distance) = cut.mode { dieLater(after: distance) }
        let run = try await Self.run(transition, scene, disk, closesAnyway: [.fail, .full].contains(cut.mode)) {
            [disk] in
            disk.arm(cut.stop)
        }
        // Behind the last write nothing meets a full disk.
        guard run.didStop || cut.number > report.steps || cut.mode == .full else { throw CrashError.neverReached }
        // What fails once is told as what can be tried again, and accuses nobody.
        if [.fail, .failAfterEffect, .full].contains(cut.mode), let code = run.error?.code, code != transition.end,
            code.category != .unavailable, !Self.honest.contains(code)
        {
            throw CrashError.toldAs(code.text)
        }
        if cut.mode == .killTwice {
            disk.arm(.kill(at: 1 + cut.number % 9))
            let party = Party(in: scene)
            try? await party.open()
            disk.die()
            await party.close()
            disk.settle()
        }

        let found = try SceneImage(of: scene)
        do {
            _ = try await files.value(for: found.digest) {
                try Self.readFile(of: found, isSuspect: cut.mode.leavesFrames, in: root)
                return true
            }
        } catch {
            report.losses.append("\(transition) \(cut), read as a file: \(error)")
        }
        var isAbsent = false
        // To a place without a vault all ways in are one.
        for start in starts where !isAbsent || start.way == starts[0].way {
            report.situations += 1
            do {
                let allowed = try await outcomes(of: start.steady).portraits
                let ending = try await ending(of: found, start, stumblingAt: 1 + cut.number % 13)
                isAbsent = ending.portrait.isAbsent
                let state = try judge(ending, against: allowed, after: cut, run.error, start)
                if state == states.count - 1 { report.arrived += 1 }
                guard start == NextStart.all[0] else { continue }
                _ = try await futures.value(for: found.digest) {
                    if state == 0 { try await goOn(from: found) } else { try await use(found) }
                    return true
                }
                _ = try await damages.value(for: found.digest) {
                    let seen = try await seenBesideDamage(found)
                    let ending = try await self.ending(of: seen, start, stumblingAt: 0)
                    _ = try judge(ending, against: allowed, after: cut, run.error, start)
                    return true
                }
            } catch {
                report.losses.append("\(transition) \(cut), then \(start): \(error)")
            }
        }
    }

    /// What came of a scene that was found.
    private struct Ending: Equatable {
        var portrait: Portrait
        /// A file in which something lies of a wallet that is gone.
        let remains: String?
    }

    /// What an ending follows from.
    private struct Beginning: Hashable {
        let scene: [UInt8]
        let start: NextStart
        let stumble: Int
    }

    /// What a look at a scene follows from: the scene, and the wallets of which nothing may remain.
    private struct Place: Hashable {
        let scene: [UInt8]
        let wallets: [[UInt8]]
    }

    private func ending(
        of found: SceneImage,
        _ start: NextStart,
        stumblingAt number: Int
    ) async throws -> Ending {
        let beginning = Beginning(scene: found.digest, start: start, stumble: start.stumbles ? number : 0)
        return try await endings.value(for: beginning) {
            let wallets = try await outcomes(of: start.steady).wallets
            let (scene, answer) = try await takeUp(found, start, stumblingAt: number)
            let place = Place(scene: try SceneImage(of: scene).digest, wallets: wallets)
            var ending = try await looks.value(for: place) {
                let portrait = try await Portrait.take(of: scene, isFirst: false)
                return Ending(portrait: portrait, remains: try remains(of: wallets, beside: portrait))
            }
            ending.portrait = ending.portrait.after(start, answer)
            return ending
        }
    }

    /// Takes a scene up again.
    private func takeUp(
        _ image: SceneImage,
        _ start: NextStart,
        stumblingAt number: Int = 0
    ) async throws -> (CrashScene, Answer) {
        let scene = Self.wired(try image.restore(to: root, .nextStart), disk)
        if start.enrolls { try scene.device.simulate(.enroll) }
        disk.arm(start.stumbles ? .fail(at: number) : .kill(at: .max))
        var answer = try await arrive(start.way, scene)
        // Whoever is told that something failed tries once more; any other answer is final.
        if start.stumbles, disk.didStop, Self.passing.contains(answer.said) {
            answer = try await arrive(start.way, scene)
        }
        disk.settle()
        scene.device.interceptor = nil
        return (CrashScene(root: root, device: scene.device), answer)
    }

    fileprivate typealias Answer = (said: String, failures: (UInt32, UInt32), alarms: Set<AuditEventKind>)

    private func arrive(_ way: WayIn, _ scene: CrashScene) async throws -> Answer {
        var failures: (UInt32, UInt32) = (0, 0)
        var said = "opened"
        let party = Party(in: scene)
        do {
            try await party.open()
            if scene.hasCredentials {
                try await way.enter(party.credentials(), in: scene)
            } else {
                let vault = try await party.vault()
                let snapshot = await vault.snapshot
                failures = (snapshot.failedAttempts, snapshot.failedBiometricAttempts)
                if snapshot.condition == .resetPending {
                    said = ErrorCode.resetPending.text
                } else {
                    try await way.arrive(at: vault, in: scene)
                }
            }
        } catch let error as VaultError where error.isAbsence {
            said = try await migrate(way, party)
        } catch let error as VaultError {
            said = error.code.text
        }
        await party.close()
        return (said, failures, scene.log.alarms)
    }

    /// Goes in where there is no vault.
    private func migrate(_ way: WayIn, _ party: Party) async throws -> String {
        guard try party.scene.hasFormer, way != .recoveryKey else { return "no vault" }
        do {
            try await way.migrate(party)
            return "opened"
        } catch let error as VaultError {
            return error.code.text
        }
    }

    /// What passes by itself, or when it is asked for again.
    private static let passing = [
        ErrorCode.storageUnavailable, .biometricsUnavailable, .resetPending, .legacyNotErased, .credentialsNotRead,
    ].map(\.text)

    /// Holds what was found against what may be.
    ///
    /// - Returns: which of the states it is.
    private func judge(
        _ ending: Ending,
        against allowed: [Portrait],
        after cut: Cut,
        _ error: VaultError?,
        _ start: NextStart
    ) throws -> Int {
        let portrait = ending.portrait
        guard let state = allowed.lastIndex(where: { $0.facts == portrait.facts }) else {
            throw CrashError.neither(allowed.map(portrait.differences))
        }
        // What was reported as done is done, whatever happens to the machine next.
        let ends = allowed.suffix(1 + transition.otherwise.count)
        guard !transition.isEnd(error) || ends.contains(where: { $0.facts == portrait.facts }) else {
            throw CrashError.reportedButMissing(portrait.differences(from: allowed[allowed.count - 1]))
        }
        // Nobody tampered with anything, nor lost what counts.
        let alarms = portrait.alarms.subtracting(allowed.flatMap(\.alarms))
        guard alarms.isEmpty else { throw CrashError.falseAlarm(alarms.map(\.name).sorted()) }
        if let path = ending.remains { throw CrashError.notErased(path) }
        if !start.stumbles { try checkCounts(portrait, allowed[0], allowed[allowed.count - 1], cut) }
        return state
    }

    /// What a fault may be told as besides: that nobody can be recognised now, or that an erase is not complete.
    private static let honest: [ErrorCode] = [
        .biometricsUnavailable, .credentialsUnavailable, .migrationNeedsBiometrics, .resetPending,
    ]

    /// What comes of each state that may be found.
    private struct Outcomes {
        let portraits: [Portrait]
        /// The ids of the wallets of the beginning.
        ///
        /// Those alone: what a next start draws for a wallet may be drawn for something else in another one.
        let wallets: [[UInt8]]
    }

    private func outcomes(of start: NextStart) async throws -> Outcomes {
        if let known = outcomes[start] { return known }
        var portraits: [Portrait] = []
        for state in states {
            let (scene, answer) = try await takeUp(state, start)
            portraits.append(try await Portrait.take(of: scene, isFirst: false).after(start, answer))
        }
        let made = Outcomes(portraits: portraits, wallets: portraits[0].ids.filter(states[0].holds))
        outcomes[start] = made
        return made
    }

    private func checkCounts(_ found: Portrait, _ old: Portrait, _ new: Portrait, _ cut: Cut) throws {
        let guesses: UInt32 = transition.attempts ? 1 : 0
        guard [old.failures, old.failures + guesses, new.failures].contains(found.failures),
            [old.biometricFailures, new.biometricFailures].contains(found.biometricFailures)
        else { throw CrashError.miscounted(found.failures, found.biometricFailures) }
        // A10: once the slow derivation ran, its attempt is on record, until a right PIN cleared it.
        if cut.mode.isDeath, let derivation, cut.number > derivation + 1, found.failures == old.failures {
            throw CrashError.miscounted(found.failures, found.biometricFailures)
        }
    }

    /// Where something still lies of one of these wallets that the portrait lacks: file, place, and what stands around it.
    private func remains(of wallets: [[UInt8]], beside portrait: Portrait) throws -> String? {
        let gone = wallets.filter { !portrait.ids.contains($0) }
        guard !gone.isEmpty else { return nil }
        for (path, data) in try FolderImage(of: root + "/vault").files {
            guard let place = gone.lazy.compactMap({ data.range(of: Data($0)) }).first else { continue }
            let around = data[max(0, place.lowerBound - 64)..<min(data.count, place.upperBound + 64)]
            let bytes = String(decoding: TextCode.hexadecimal.encode(Array(around)), as: UTF8.self)
            return "\(path) at \(place.lowerBound) of \(data.count): \(bytes)"
        }
        return nil
    }

    /// The scene once its owner came while all that the device keeps was damaged: whatever comes back whole must be there still.
    private func seenBesideDamage(_ found: SceneImage) async throws -> SceneImage {
        let scene = try found.restore(to: root, .nextStart)
        scene.device.interceptor = { call throws(DeviceRefusal) in
            switch call {
            case .read, .describe, .evaluate, .devicePublicKey, .sign, .anchorPosition: throw .damaged
            case .save, .delete, .makeDeviceSecret, .makeDeviceKey, .anchorMove, .anchorRemove, .prompt, .capability,
                .installation:
                return .proceed
            }
        }
        let party = Party(in: scene)
        do {
            try await party.open()
            if !scene.hasCredentials { try await WayIn.pin.enter(party.vault(), in: scene) }
        } catch is VaultError {}  // What its owner is told is not judged here.
        await party.close()
        scene.device.interceptor = nil
        return try SceneImage(of: scene)
    }

    /// Looks that the old state is as good as ever for the transition.
    private func goOn(from image: SceneImage) async throws {
        let scene = Self.wired(try image.restore(to: root, .nextStart), disk)
        guard transition.isEnd(try await Self.run(transition, scene, disk).error) else { throw CrashError.wrongEnd }
    }

    /// Looks that the new state is as good as ever for its owner.
    private func use(_ found: SceneImage) async throws {
        let (scene, _) = try await takeUp(found, NextStart.all[0])
        let portrait = try await Portrait.take(of: scene, isFirst: false)
        if scene.hasAccount {
            try await scene.useAccount(isThere: !portrait.isAbsent)
        } else if portrait.isAbsent {
            try await scene.create().close()
        } else if let pin = portrait.pins.first {
            let vault = try await scene.open()
            let authorization = try await vault.unlock(with: SecretBytes(text: pin))
            try await vault.changeLocalSecret(to: SecretBytes(text: CrashScene.wrongPIN), authorization)
            await vault.lock()
            try await vault.unlock(with: SecretBytes(text: CrashScene.wrongPIN))
            await vault.close()
        }
    }

    /// Lets the process die so many operations after the one that failed.
    private func dieLater(after distance: Int) {
        disk.arm(.kill(at: .max))  // What stopped in the play before is none of this one's.
        var passed = 0
        disk.onOperation = { [unowned disk] _ in
            guard disk.didStop else { return }
            passed += 1
            if passed == distance { disk.arm(.kill(at: 1)) }
        }
    }

    static func wired(_ scene: CrashScene, _ disk: FaultyDisk) -> CrashScene {
        scene.device.interceptor = { [disk] call throws(DeviceRefusal) in
            switch disk.countForeignOperation("\(call)") {
            case .proceed: return .proceed
            case .failAfterEffect: return .failAfterEffect(.unavailable)
            case .fail, .dead: throw .unavailable
            }
        }
        var scene = scene
        scene.vfs = disk.vfsName
        return scene
    }

    /// How a process fared that ran the transition.
    typealias Run = (error: VaultError?, operations: Int, didStop: Bool)

    /// Lets a process run the transition, close the vault where that went well, and die.
    ///
    /// - Parameter closesAnyway: whether it closes the vault where the transition failed, too.
    /// - Throws: what the library throws and is no `VaultError`.
    static func run(
        _ transition: CrashTransition,
        _ scene: CrashScene,
        _ disk: FaultyDisk,
        closesAnyway: Bool = false,
        arm: () -> Void = {}
    ) async throws -> Run {
        let party = transition.party(in: scene)
        var ended: VaultError?
        do {
            try await transition.run(party, arm: arm)
        } catch let error as VaultError {
            ended = error
        }
        if closesAnyway || transition.isEnd(ended) { await party.close() }
        let run = (ended, disk.operationCount, disk.didStop)
        disk.onOperation = nil
        // What is still open ends with the process: nothing comes later, and nothing is tidied up.
        disk.die()
        await party.close()
        disk.settle()
        return run
    }
}

extension Portrait {
    /// The same with how whoever came first fared.
    fileprivate func after(_ start: NextStart, _ answer: CutExplorer.Answer) -> Portrait {
        var portrait = after("by \(start.way.rawValue): \(answer.said)")
        (portrait.failures, portrait.biometricFailures) = answer.failures
        portrait.alarms.formUnion(answer.alarms)
        return portrait
    }
}

/// What an exploration can find wrong.
package enum CrashError: Error {
    case wrongEnd
    case neverReached
    /// The state is none that may be; how it differs from each of those.
    case neither([String])
    case reportedButMissing(String)
    case miscounted(UInt32, UInt32)
    case notErased(String)
    /// A fault that passes was told as something else.
    case toldAs(String)
    /// Tampering was told where nobody tampered, or a ledger that can't be believed where nothing was lost.
    case falseAlarm([String])
    /// The vault's file, read by itself with its log, says something else than once SQLite opened it.
    case readOtherwise(String, String)
}

/// The names of the operations of one run.
private final class Trace {
    var names: [String] = []
}
