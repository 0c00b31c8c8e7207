import CrashExplorer
import ThumbturnTestKit

/// A part of the exploration that one process does.
struct Job: Sendable, CustomStringConvertible {
    /// The longest first, so that at the end no core waits for one.
    enum Kind: String, CaseIterable {
        /// It is called in one of two copies of the folder, stopped everywhere, and then the other is used.
        case copies
        /// The transition is cut off at every operation, and taken up again.
        case cut
        /// Something else happens at each of its waits: another process, another task, a lock and its like.
        case process, task, event

        var transitions: [CrashTransition] { self == .copies ? CopiesExplorer.all : CrashTransition.all }
    }

    let kind: Kind
    let transition: CrashTransition

    init?(_ kind: String, _ transition: String) {
        guard let kind = Kind(rawValue: kind),
            let transition = kind.transitions.first(where: { $0.name == transition })
        else { return nil }
        self.init(kind: kind, transition: transition)
    }

    private init(kind: Kind, transition: CrashTransition) {
        self.kind = kind
        self.transition = transition
    }

    static let all = Kind.allCases.flatMap { kind in
        kind.transitions.map { Job(kind: kind, transition: $0) }
    }

    var description: String { "\(kind) \(transition)" }

    func explore() async throws -> [ExplorationReport] {
        Dice.load()
        let folder = try TemporaryFolder(inMemory: true)
        switch kind {
        case .cut:
            return [try await CutExplorer(transition, in: folder.path).explore()]
        case .event:
            return try await interleave(InterleavingExplorer.Other.events, in: folder)
        case .task:
            return try await interleave(CrashTransition.all.map { .task($0) }, in: folder)
        case .process:
            return try await interleave(CrashTransition.all.map { .process($0) }, in: folder)
        case .copies:
            return [try await CopiesExplorer(transition, in: folder.path).explore()]
        }
    }

    /// Every order of every fourth pair, and each other pair at six waits: all orders of all pairs would take an hour.
    private func limit(_ other: Int) -> Int? {
        let index = CrashTransition.all.firstIndex { $0.name == transition.name } ?? 0
        return kind == .event || (index + other) % 4 == 0 ? nil : 6
    }

    private func interleave(
        _ others: [InterleavingExplorer.Other],
        in folder: TemporaryFolder
    ) async throws -> [ExplorationReport] {
        let explorer = try await InterleavingExplorer(transition, in: folder.path)
        var sum: ExplorationReport?
        for (index, other) in others.enumerated() {
            guard let report = try await explorer.explore(other, waits: limit(index)) else { continue }
            sum = sum?.adding(report) ?? report.named("\(transition) + any \(kind)")
        }
        return sum.map { [$0] } ?? []
    }
}
