import Testing

@testable import ThumbturnService

/// Every order of what can happen to two instances that write one log: each step may fail, commit without an answer, or
/// be the last before a crash; answers are lost; the signer comes and goes.
///
/// It runs the product's machine and rule; the store is a list, of which a transaction replaces what it has read.
@Suite("The sequencer's machine", .timeLimit(.minutes(10))) struct SequencerModelTests {
    @Test(.holds("INV-107-10")) func `no order of events loses a record, stores one twice, or answers too early`() {
        var model = Explorer()
        model.run()
        #expect(model.faults.isEmpty, "\(model.faults.prefix(3))")
        #expect(model.seen.count > 500_000)
        #expect(model.complete > 0)
    }
}

/// A record of one of two devices' chains.
private struct Record: Hashable {
    let chain: Int
    let seq: UInt64

    var hash: [UInt8] { [UInt8(chain), UInt8(seq)] }
    /// What the first record of a chain continues is no record.
    var link: [UInt8] { seq == 0 ? [UInt8(chain)] : [UInt8(chain), UInt8(seq - 1)] }
}

private struct Instance: Hashable {
    var machine = SequencerMachine()
    /// The log as it was last read or written.
    var known: [Record] = []
    var queue: [Record] = []
    /// Stored, not answered: a record, and the size that has to be signed.
    var stored: [Stored] = []

    struct Stored: Hashable {
        let record: Record
        let size: UInt64
    }
}

private struct World: Hashable {
    /// How many records each of the two chains has.
    static let counts: [UInt64] = [1, 1]

    var log: [Record] = []
    var signed: UInt64?
    var instances = [Instance(), Instance()]
    /// How many records of each chain its device has a receipt for.
    var acknowledged: [UInt64] = [0, 0]
    /// What may still go wrong, so that the number of worlds has an end.
    var mishaps = 2

    var head: SequencerMachine.Head { SequencerMachine.Head(size: UInt64(log.count), signed: signed) }

    var isComplete: Bool { acknowledged == Self.counts }
}

private struct Explorer {
    var seen: Set<World> = []
    var faults: [String] = []
    var complete = 0

    mutating func run() {
        var next = [World()]
        seen = [World()]
        while let world = next.popLast() {
            check(world)
            if world.isComplete { complete += 1 }
            let successors = steps(from: world)
            if successors.isEmpty, !world.isComplete { faults.append("stuck: \(world)") }
            for successor in successors where seen.insert(successor).inserted { next.append(successor) }
        }
    }

    private mutating func check(_ world: World) {
        if Set(world.log).count != world.log.count { faults.append("twice: \(world)") }
        for chain in 0...1 {
            let mine = world.log.filter { $0.chain == chain }.map(\.seq)
            if mine != Array(0..<UInt64(mine.count)) { faults.append("order: \(world)") }
            let covered = world.log.prefix(Int(world.signed ?? 0)).filter { $0.chain == chain }.count
            if world.acknowledged[chain] > covered { faults.append("answered too early: \(world)") }
        }
    }

    /// Every world that one step leads to.
    private func steps(from world: World) -> [World] {
        var worlds: [World] = []
        for index in world.instances.indices {
            for chain in 0...1 { worlds += sending(chain, to: index, in: world) }
            worlds += working(index, in: world)
            worlds += signing(index, in: world)
            worlds += answering(index, in: world)
            if world.mishaps > 0, world.instances[index] != Instance() {
                var crashed = world
                crashed.instances[index] = Instance()
                crashed.mishaps -= 1
                worlds.append(crashed)
            }
        }
        return worlds
    }

    /// A device sends its next record, to either instance, and to the other too when no answer comes.
    private func sending(_ chain: Int, to index: Int, in world: World) -> [World] {
        let record = Record(chain: chain, seq: world.acknowledged[chain])
        let instance = world.instances[index]
        guard record.seq < World.counts[chain], !instance.queue.contains(record),
            !instance.stored.contains(where: { $0.record == record })
        else { return [] }
        var next = world
        next.instances[index].queue.append(record)
        return [next]
    }

    private func working(_ index: Int, in world: World) -> [World] {
        let instance = world.instances[index]
        switch instance.machine.next(hasWork: !instance.queue.isEmpty) {
        case .wait: return []
        case .load:
            var next = world
            next.instances[index].known = world.log
            next.instances[index].machine.loaded(world.head)
            return [next]
        case .write(let signature): return writing(index, signature, in: world)
        }
    }

    private func writing(_ index: Int, _ signature: UInt64?, in world: World) -> [World] {
        var next = world
        guard world.instances[index].machine.head == world.head else {
            next.instances[index].machine.missed()
            return [next]
        }
        var log = world.instances[index].known
        var stored = world.instances[index].stored
        for record in world.instances[index].queue {
            let mine = log.filter { $0.chain == record.chain }
            let verdict = IngestRule.judge(
                IngestRule.Upload(first: record.seq, link: record.link, hashes: [record.hash]),
                next: UInt64(mine.count),
                head: mine.last?.hash ?? [UInt8(record.chain)],
                isEnded: false
            ) { mine[Int($0)].hash }
            switch verdict {
            case .append: log.append(record)
            case .known: break
            case .gap, .fork: continue
            }
            let place = log.firstIndex(of: record) ?? log.count
            stored.append(Instance.Stored(record: record, size: UInt64(place + 1)))
        }
        let signed = signature ?? world.signed
        next.log = log
        next.signed = signed
        next.instances[index].known = log
        next.instances[index].queue = []
        next.instances[index].stored = stored
        next.instances[index].machine.wrote(next.head)
        guard world.mishaps > 0 else { return [next] }
        // Nothing was written, or it was and the answer of the store is lost: either way the row is read anew.
        var failed = world
        failed.instances[index].machine.missed()
        failed.mishaps -= 1
        var uncertain = failed
        (uncertain.log, uncertain.signed) = (log, signed)
        return [next, failed, uncertain]
    }

    /// The signer takes a head, and gives its signature; while it is gone it does neither.
    private func signing(_ index: Int, in world: World) -> [World] {
        var worlds: [World] = []
        var next = world
        if next.instances[index].machine.takeUnsigned() != nil { worlds.append(next) }
        if world.instances[index].machine.signing != nil {
            next = world
            next.instances[index].machine.signed()
            worlds.append(next)
        }
        return worlds
    }

    /// An answer arrives, or is lost.
    private func answering(_ index: Int, in world: World) -> [World] {
        var worlds: [World] = []
        for item in world.instances[index].stored where world.instances[index].machine.answers(item.size) {
            var next = world
            next.instances[index].stored.removeAll { $0 == item }
            if world.mishaps > 0 {
                var lost = next
                lost.mishaps -= 1
                worlds.append(lost)
            }
            next.acknowledged[item.record.chain] = max(next.acknowledged[item.record.chain], item.record.seq + 1)
            worlds.append(next)
        }
        return worlds
    }
}
