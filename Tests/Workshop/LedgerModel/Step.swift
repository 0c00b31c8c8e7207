/// One thing that happens in a world.
enum Step: Sendable {
    case begins(Int)
    case looks(Int)
    case attempts(Int)
    case failsFinger(Int)
    case dates(Int)
    case clears(Int, byHead: Bool)
    case ends(Int)
    case writes(Int, Answer)
    case moves(Int, Answer)
    case derives(Int, Answer)
    case killed(Int, Answer)
    case movesLate
    case boots
    case putsBack(Int, Int)
    case deletes(Int)
    case exchangesSlot(Int)

    /// What became of an effect.
    enum Answer: String, Sendable {
        case done, refused, wrong, right
        case failedUndone = "failed, not done"
        case failedDone = "failed, but done"
        case failedLater = "failed, may happen later"
    }
}

extension Step: CustomStringConvertible {
    var description: String {
        switch self {
        case .begins(let copy): "\(name(copy)): reads its row"
        case .looks(let copy): "\(name(copy)): reads the anchor"
        case .attempts(let copy): "\(name(copy)): begins an attempt"
        case .failsFinger(let copy): "\(name(copy)): a finger failed"
        case .dates(let copy): "\(name(copy)): dates its wait"
        case .clears(let copy, let byHead): "\(name(copy)): clears the failures\(byHead ? " with a new head" : "")"
        case .ends(let copy): "\(name(copy)): ends"
        case .writes(let copy, let answer): "\(name(copy)): writes its row: \(answer.rawValue)"
        case .moves(let copy, let answer): "\(name(copy)): moves the anchor: \(answer.rawValue)"
        case .derives(let copy, let answer): "\(name(copy)): derives: \(answer.rawValue)"
        case .killed(let copy, .failedDone): "\(name(copy)): killed right after its move"
        case .killed(let copy, .failedLater): "\(name(copy)): killed with its move under way"
        case .killed(let copy, _): "\(name(copy)): killed"
        case .movesLate: "the anchor moves late"
        case .boots: "the device boots"
        case .putsBack(let copy, let row): "\(name(copy)): row \(row) is put back"
        case .deletes(let copy): "\(name(copy)): its row is deleted or forged"
        case .exchangesSlot(let copy): "\(name(copy)): another slot for a PIN"
        }
    }

    private func name(_ copy: Int) -> String { ["A", "B", "C"][copy] }
}
