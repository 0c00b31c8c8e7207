import ThumbturnTestKit

extension CutExplorer {
    /// How an operation goes wrong.
    package enum Mode: Hashable, Sendable {
        case kill, losePower, tear1, tear2, fail, failAfterEffect
        /// The process dies, and the next one dies soon after it began.
        case killTwice
        /// From the operation on the disk takes nothing more, and the process goes on.
        case full
        /// The operation fails, and the process dies so many operations later, while it clears up.
        case failThenDie(after: Int)

        /// One thing goes wrong, or two.
        package static let allCases: [Mode] =
            [.kill, .losePower, .tear1, .tear2, .fail, .failAfterEffect, .killTwice, .full]
            + (1...4).map { .failThenDie(after: $0) }

        /// Whether one thing goes wrong, and no second.
        var isSingle: Bool {
            switch self {
            case .kill, .losePower, .tear1, .tear2, .fail, .failAfterEffect: true
            case .killTwice, .full, .failThenDie: false
            }
        }

        /// Whether the process ends at the stop.
        var isDeath: Bool { [.kill, .losePower, .tear1, .tear2].contains(self) }

        /// Whether it matters what was not synced when the transition had ended.
        var losesPower: Bool { [.losePower, .tear1, .tear2].contains(self) }

        /// Whether part of a transaction may be left in the log behind the last one: of a torn write, or of one that failed or
        /// whose process was killed, and that was overwritten in part.
        var leavesFrames: Bool { ![.kill, .losePower].contains(self) }
    }

    /// Where a transition is cut off, and how.
    struct Cut: Hashable, CustomStringConvertible {
        let mode: Mode
        /// The operation, counted from 1.
        let number: Int

        var stop: FaultyDisk.Stop {
            switch mode {
            case .kill, .killTwice: .kill(at: number)  // on disk the same as a power failure that loses nothing
            case .losePower: .powerLoss(at: number, keeping: .none)
            case .tear1: .powerLoss(at: number, keeping: .torn(seed: 1))
            case .tear2: .powerLoss(at: number, keeping: .torn(seed: 2))
            case .fail, .failThenDie: .fail(at: number)
            case .failAfterEffect: .failAfterEffect(at: number)
            case .full: .full(from: number)
            }
        }

        var description: String { "\(mode) at \(number)" }
    }
}
