import Foundation

extension CrashExplorer {
    /// How an operation goes wrong.
    package enum Mode: Hashable, Sendable {
        case kill, losePower, tear1, tear2, fail, failAfterEffect
        /// The process dies, and the next one dies soon after it began.
        case killTwice
        /// The operation fails, and the process dies so many operations later, while it clears up.
        case failThenDie(after: Int)

        /// One thing goes wrong.
        package static let single: [Mode] = [.kill, .losePower, .tear1, .tear2, .fail, .failAfterEffect]
        /// Two things go wrong.
        package static let double: [Mode] = [.killTwice] + (1...4).map { .failThenDie(after: $0) }

        func stop(at number: Int) -> FaultyDisk.Stop {
            switch self {
            case .kill, .killTwice: .kill(at: number)  // on disk the same as a power failure that loses nothing
            case .losePower: .powerLoss(at: number, keeping: .none)
            case .tear1: .powerLoss(at: number, keeping: .torn(seed: 1))
            case .tear2: .powerLoss(at: number, keeping: .torn(seed: 2))
            case .fail, .failThenDie: .fail(at: number)
            case .failAfterEffect: .failAfterEffect(at: number)
            }
        }

        /// Whether the process ends at the stop.
        var isDeath: Bool { [.kill, .losePower, .tear1, .tear2].contains(self) }

        /// Whether it matters what was not synced when the transition had ended.
        var losesPower: Bool { [.losePower, .tear1, .tear2].contains(self) }
    }

    /// What was explored, and what went wrong.
    package struct Report: Sendable {
        package let transition: CrashTransition
        /// Operations of the transition when nothing stops it.
        package let operations: Int
        package internal(set) var situations = 0
        /// How many of them ended in the new state.
        package internal(set) var arrived = 0
        package internal(set) var losses: [String] = []

        /// One row of the table.
        package var row: String {
            let name = transition.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0)
            return "crash: \(name) \(operations) operations, \(situations) situations, "
                + "\(arrived) arrived, \(losses.count) losses"
        }
    }
}
