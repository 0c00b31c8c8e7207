import Thumbturn
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

/// Lets something else happen at every wait of a transition for the device, and judges what came of both.
///
/// The first goes on to one of its waits, then the other to one of its own or to its end, then each to its end. A wait
/// lies before each call of the device, and one after it.
///
/// The judge knows no transition. It plays each alone, and the calls of both one after the other in every order. What was
/// interleaved must end like one of those to the last item, hold what was reported as done, and accuse nobody.
package final class InterleavingExplorer {
    /// One task's turn: it goes on to so manieth of its waits, or to its end.
    private typealias Turn = (player: Int, wait: Int?)

    /// What came of both.
    private struct Outcome {
        /// How each ended: `done`, or its error's code; nil for one that took no turn.
        var ends: [String?]
        /// How many waits each had come to when the last turn ended.
        var waits: [Int]
        let facts: [String]
        /// What was told that only somebody who changes files should cause.
        let alarms: Set<AuditEventKind>
        /// Wrong PINs that are on record.
        let failures: UInt32
    }

    private let transition: CrashTransition
    private let root: String
    private let image: SceneImage
    private let portraits = Known<[UInt8], Portrait>()

    /// Prepares the transition in `root`, an empty folder.
    package init(_ transition: CrashTransition, in root: String) async throws {
        self.transition = transition
        self.root = root
        let scene = try await transition.scene(in: root)
        image = try SceneImage(of: scene)
    }

    /// Explores every order of both.
    ///
    /// - Parameter limit: how many of the first's waits at most, evenly drawn; then the other always goes to its end.
    /// - Returns: nil where there is no scene for both.
    package func explore(_ other: Other, waits limit: Int? = nil) async throws -> ExplorationReport? {
        guard try await isPossible(beside: other) else { return nil }
        let judge = try await Judge(
            before: play([], other),
            alone: [play([(0, nil)], other), play([(1, nil)], other)],
            serial: playSerially(other),
            stages: [facts(after: transition.between), facts(after: other.between)],
            otherwise: [facts(after: transition.otherwise + transition.overtaken), facts(after: other.otherwise)],
            goals: [transition.end?.text ?? Other.done, other.end],
            attempts: [transition.attempts, other.attempts]
        )
        var report = ExplorationReport("\(transition) + \(other)", steps: judge.alone[0].waits[0])
        // One that is refused where nothing gets in its way would be raced for nothing.
        if let end = judge.alone[0].ends[0], end != judge.goals[0] {
            report.losses.append("\(report.name), alone: \(InterleavingError.ended(end))")
        }
        for first in Array(0...report.steps).evenly(limit ?? .max) {
            var seconds: [Int?] = [nil]
            while !seconds.isEmpty {
                let second = seconds.removeFirst()
                report.situations += 1
                do {
                    let outcome = try await play([(0, first), (1, second)], other)
                    if limit == nil, second == nil { seconds = (0..<outcome.waits[1]).map { $0 + 1 } }
                    if outcome.ends[0] == judge.goals[0] { report.arrived += 1 }
                    try judge.judge(outcome)
                    if first > 0, other.locks, transition.yields, outcome.ends[0] == Other.done {
                        throw InterleavingError.didNotYield
                    }
                } catch {
                    let turn = second.map { "to wait \($0)" } ?? "to its end"
                    report.losses.append("\(report.name), at wait \(first), the other \(turn): \(error)")
                }
            }
        }
        return report
    }

    /// What is held against what.
    private struct Judge {
        let before: Outcome
        let alone: [Outcome]
        let serial: [Outcome]
        /// The states between the transactions of each.
        let stages: [[[String]]]
        /// What each may come to in another way.
        let otherwise: [[[String]]]
        /// How each ends when nothing gets in its way.
        let goals: [String]
        /// Whether each counts an attempt at the PIN.
        let attempts: [Bool]

        func judge(_ outcome: Outcome) throws {
            // What ended as it should is there, and what did not left nothing, or its first transactions. Several calls of
            // each may have come between those of the other, so what each does is put together.
            let left = (0...1).map { number in
                outcome.ends[number] == goals[number]
                    ? [alone[number].facts] + otherwise[number] : [before.facts] + stages[number]
            }
            var allowed = serial.filter { run in
                (0...1).allSatisfy { outcome.ends[$0] != goals[$0] || run.ends[$0] == goals[$0] }
            }
            .map(\.facts)
            for first in left[0] { allowed += left[1].map { before.facts.with(first, and: $0) } }
            guard allowed.contains(where: { Portrait.tells(outcome.facts, as: $0) }) else {
                throw InterleavingError.neither(allowed.map { Portrait.differences(of: outcome.facts, from: $0) })
            }
            let known = Set((serial + alone + [before]).flatMap(\.alarms))
            let alarms = outcome.alarms.subtracting(known)
            guard alarms.isEmpty else { throw InterleavingError.falseAlarm(alarms.map(\.name).sorted()) }
            var counts = (serial + alone + [before]).map(\.failures)
            // A right PIN that a lock overtook may stay counted until the next one.
            for number in 0...1 where attempts[number] && outcome.ends[number] != goals[number] {
                counts += counts.map { $0 + 1 }
            }
            guard counts.contains(outcome.failures) else {
                throw InterleavingError.miscounted(outcome.failures)
            }
            for number in 0...1 where outcome.ends[number] != goals[number] {
                // A party that finds no wallet to begin with was overtaken by a deletion.
                let known = (serial + alone).map { $0.ends[number] } + Self.overtaken.map(\.text) + ["\(PartyError())"]
                guard known.contains(outcome.ends[number]) else {
                    throw InterleavingError.ended(outcome.ends[number] ?? "")
                }
            }
        }

        /// How a call may end that was overtaken by the other.
        private static let overtaken = [
            ErrorCode.vaultMissing, .resetPending, .walletMissing,
            .locked, .authorizationExpired, .promptCancelled, .systemModeOnly, .systemModeOff,
            .migrationConflict, .legacyAlreadyMigrated, .legacyMissing, .vaultExists,
            .credentialsLocked, .credentialsNotLocked, .credentialsAlreadySecured, .strongFactorRequired, .busy,
            .consentMissing,  // More time passed than a consent counts.
            .migrationNeedsBiometrics,  // A lock came before the PIN, which asks for the finger once more.
            .legacyNotErased,  // The wallets are in, and a lock came before what they lay in was erased.
        ]
    }

    /// What each stage of a transition of several transactions leaves, where it can take place here.
    private func facts(after stages: [CrashTransition.Stage]) async throws -> [[String]] {
        var facts: [[String]] = []
        for stage in stages {
            let scene = try image.restore(to: root)
            guard await (try? stage(scene)) != nil else { continue }
            facts.append(try await Portrait.take(of: scene).facts)
        }
        return facts
    }

    /// Lets both take the given turns and then go on to their ends; who has no turn takes no part.
    private func play(_ turns: [Turn], _ other: Other) async throws -> Outcome {
        let stage = Turns()
        let scene = try scene(on: stage)
        let parties = try await parties(in: scene, other)
        let ends = Ends()
        for player in Set(turns.map(\.player)) {
            let calls = player == 0 ? transition.calls : other.calls
            stage.start(player) {
                for call in calls { await ends.note(player) { try await call(parties[player]) } }
            }
        }
        for turn in turns where turn.wait != 0 {
            let standing = stage.advance(turn.player, to: turn.wait)
            // Nobody is before the first, so it must come to where it was sent, or the order is another than is named.
            if turn.player == 0, standing == .isHeldUp { throw InterleavingError.heldUpByNobody }
            // Nobody holds a key any more once the lock began, whatever is under way (A36).
            let isOver = turn.player == 1 && (other.locks || other.endsSession && transition.start == .unlocked)
            if isOver, await parties[0].holdsKey { throw InterleavingError.keyAfterLock }
        }
        let waits = [stage.waits(of: 0), stage.waits(of: 1)]
        guard await stage.finish(Set(turns.map(\.player))) else { throw InterleavingError.waitsForEver }
        // A call that began before the lock brings no key back, however it ends. (A second call begins after it.)
        if turns.count == 2, turns[0].wait != 0, other.locks, transition.calls.count == 1,
            await parties[0].holdsKey
        {
            throw InterleavingError.keyAfterLock
        }
        return try await outcome(of: scene, parties, ends, waits)
    }

    /// Plays the calls of both one after the other, in every order.
    private func playSerially(_ other: Other) async throws -> [Outcome] {
        let calls = [transition.calls, other.calls]
        var outcomes: [Outcome] = []
        for order in [Int].merges(calls[0].count, calls[1].count) {
            let scene = try scene(on: Turns())
            let parties = try await parties(in: scene, other)
            let ends = Ends()
            var rest = calls.map { $0[...] }
            for player in order {
                guard let call = rest[player].popFirst() else { continue }
                await ends.note(player) { try await call(parties[player]) }
            }
            outcomes.append(try await outcome(of: scene, parties, ends, []))
        }
        return outcomes
    }

    private func scene(on stage: Turns) throws -> CrashScene {
        var scene = try image.restore(to: root)
        scene.view =
            WatchedDevice(scene.device, follower: { _ in await stage.reach() }) { _ in
                await stage.reach()
            }.device
        return scene
    }

    private func outcome(
        of scene: CrashScene,
        _ parties: [Party],
        _ ends: Ends,
        _ waits: [Int]
    ) async throws -> Outcome {
        for party in parties { await party.close() }
        let plain = CrashScene(root: root, device: scene.device)
        let image = try SceneImage(of: plain)
        let portrait = try await portraits.value(for: image.digest) { try await Portrait.take(of: plain) }
        return Outcome(
            ends: await ends.all,
            waits: waits,
            facts: portrait.facts,
            alarms: scene.log.alarms,
            failures: portrait.failures
        )
    }

    /// Both, ready to begin.
    private func parties(in scene: CrashScene, _ other: Other) async throws -> [Party] {
        let first = transition.party(in: scene)
        let second: Party
        switch other {
        case .lock, .background, .foreground, .idleness, .close:
            try await first.open()
            second = Party(in: scene, beside: first)
        case .task(let another):
            // Two proofs of the PIN can't stand beside each other in one session: each gives it when its turn comes.
            try await first.open()
            return [first, another.party(in: scene, beside: first)]
        case .process(let another):
            second = another.party(in: scene)
            try await second.begin(another.start)
        }
        try await first.begin(transition.start)
        return [first, second]
    }

    private func isPossible(beside other: Other) async throws -> Bool {
        if other.sharesVault, transition.start == .nothing { return false }
        switch other {
        case .lock, .foreground, .close: break
        case .background, .idleness: if transition.start.isOfCredentials { return false }
        case .task(let another):
            if another.start == .nothing || !transition.races(another) { return false }
        case .process(let another):
            if !transition.races(another) { return false }
        }
        do {
            let parties = try await parties(in: image.restore(to: root), other)
            var isPossible = true
            if case .background = other {
                isPossible = try await parties[0].vault().snapshot.policy.locksInBackground
            }
            for party in parties { await party.close() }
            return isPossible
        } catch let error as VaultError where Self.impossible.contains(error.code) {
            return false
        }
    }

    /// Why there is no scene for both.
    private static let impossible = [ErrorCode.vaultMissing, .keyMissing, .migrationConflict, .credentialsMissing]
}

extension [String] {
    /// These facts, with what the first outcome changed of them and what the second did.
    fileprivate func with(_ first: [String], and second: [String]) -> [String] {
        let lost = without(first) + without(second)
        let gained = first.without(self) + second.without(self)
        return (without(lost) + gained).sorted()
    }

    /// The elements without those of another, each taken away once.
    private func without(_ others: [String]) -> [String] {
        var rest = self
        for other in others {
            if let index = rest.firstIndex(of: other) { rest.remove(at: index) }
        }
        return rest
    }
}

extension [Int] {
    /// Every order of so many turns of player 0 and so many of player 1.
    fileprivate static func merges(_ first: Int, _ second: Int) -> [[Int]] {
        guard first > 0, second > 0 else { return [Array(repeating: first > 0 ? 0 : 1, count: first + second)] }
        return merges(first - 1, second).map { [0] + $0 } + merges(first, second - 1).map { [1] + $0 }
    }
}

/// How both ended.
private actor Ends {
    private(set) var all: [String?] = [nil, nil]

    /// Makes a call; whoever failed before makes none any more.
    func note(_ player: Int, _ body: @Sendable () async throws -> Void) async {
        guard all[player] == nil || all[player] == InterleavingExplorer.Other.done else { return }
        do {
            try await body()
            all[player] = InterleavingExplorer.Other.done
        } catch {
            all[player] = (error as? VaultError)?.code.text ?? "\(error)"
        }
    }
}

/// What an interleaving can find wrong.
enum InterleavingError: Error {
    /// The state is none that may be; how it differs from each of those.
    case neither([String])
    /// A call ended in a way of its own.
    case ended(String)
    case miscounted(UInt32)
    /// Tampering was told where nobody tampered.
    case falseAlarm([String])
    case didNotYield
    case keyAfterLock
    /// Something else than both is under way.
    case heldUpByNobody
    case waitsForEver
}
