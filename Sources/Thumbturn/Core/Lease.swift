/// Lets one task in at a time, in the order in which they came.
final class Lease {
    private(set) var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter(isolation: isolated (any Actor)? = #isolation) async {
        guard isHeld else {
            isHeld = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        if waiting.isEmpty { isHeld = false } else { waiting.removeFirst().resume() }
    }
}
