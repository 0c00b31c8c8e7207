import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("The slots of an anchor's file")
struct AnchorSlotsTests {
    static let name = "anchor.a"
    static let record = ItemRecord(kind: .anchor, home: [7])
    static let block = 4_096

    /// A file as it is once it was made.
    static func made(_ position: LedgerPosition, _ record: ItemRecord = record) -> [UInt8] {
        let new = AnchorSlots.make(position, record, named: name)
        guard case .write(let note, let offset) = new.noting else { return [] }
        return new.bytes[..<offset] + note + new.bytes[(offset + note.count)...]
    }

    /// The file before a move to 2 and after it, and where the move wrote its slot.
    private static func move() throws -> (before: [UInt8], after: [UInt8], slot: Range<Int>) {
        let before = made(.sample(1))
        let slots = try AnchorSlots(before, named: name)
        var (after, written) = (before, 0..<0)
        for step in try #require(slots.steps(to: .sample(2), record, named: name)) {
            guard case .write(let bytes, let offset) = step else { continue }
            let range = offset..<offset + bytes.count
            after.replaceSubrange(range, with: bytes)
            if bytes.count == block { written = range }
        }
        return (before, after, written)
    }

    private static func position(_ bytes: [UInt8]) -> LedgerPosition? {
        (try? AnchorSlots(bytes, named: name))?.position
    }

    /// What a file is refused as.
    private static func refusal(_ bytes: [UInt8], named name: String = name) -> DeviceRefusal? {
        do throws(DeviceRefusal) { _ = try AnchorSlots(bytes, named: name) } catch { return error }
        return nil
    }

    @Test func `a move writes one whole block, flushes once, and then notes the slot`() throws {
        let (before, after, slot) = try Self.move()
        let slots = try AnchorSlots(before, named: Self.name)
        let steps = try #require(slots.steps(to: .sample(2), Self.record, named: Self.name))
        let place = 2 * Self.block + slot.lowerBound
        let note = Array(after[place..<place + 57])
        #expect(note.starts(with: [1] + LedgerPosition.sample(2).bytes))
        #expect(
            steps == [
                .write(Array(after[slot]), at: slot.lowerBound), .flush, .write(note, at: place),
            ]
        )
        #expect(slot.lowerBound % Self.block == 0)
        #expect(Self.position(before) == .sample(1) && Self.position(after) == .sample(2))
        #expect(try AnchorSlots(after, named: Self.name).isOnDisk)
    }

    @Test(.holds("A10")) func `a slot that power loss tore anywhere leaves the old position or the new one`() throws {
        let (before, after, slot) = try Self.move()
        for cut in 0...Self.block {
            let place = slot.lowerBound + cut
            for (head, tail) in [(after, before), (before, after)] {
                let torn = Array(head[..<place] + tail[place..<slot.upperBound] + before[slot.upperBound...])
                let isNew = Array(torn[slot]) == Array(after[slot])
                #expect(Self.position(torn) == (isNew ? .sample(2) : .sample(1)), "a cut at \(cut)")
            }
        }
        // Sectors come in any order, and one that was on its way may hold anything.
        for sectors in 0..<1 << 8 {
            for rubbish: UInt8? in [nil, 0x00, 0xFF] {
                var torn = before
                for (number, place) in stride(from: slot.lowerBound, to: slot.upperBound, by: 512).enumerated() {
                    guard sectors >> number & 1 == 1 else { continue }
                    for index in place..<place + 512 { torn[index] = rubbish ?? after[index] }
                }
                let isNew = Array(torn[slot]) == Array(after[slot])
                #expect(Self.position(torn) == (isNew ? .sample(2) : .sample(1)), "sectors \(sectors)")
            }
        }
    }

    @Test(.holds("A10"))
    func `no flipped bit in a slot or a note puts an anchor back, and one in each slot damages it`()
        throws
    {
        let (_, after, slot) = try Self.move()
        for index in 0..<4 * Self.block {
            var bytes = after
            bytes[index] ^= 1 << UInt8(index % 8)
            let slots = try AnchorSlots(bytes, named: Self.name)
            #expect(slots.position == .sample(2), "a flip at \(index)")
            let note = 2 * Self.block + slot.lowerBound
            #expect(slots.isOnDisk == !(slot.contains(index) || (note..<note + 57).contains(index)))
            guard index < 2 * Self.block else { continue }
            var both = bytes
            both[(index + Self.block) % (2 * Self.block)] ^= 1
            #expect(Self.refusal(both) == .damaged, "both slots at \(index)")
            bytes[index + 2 * Self.block - index % Self.block] ^= 1
            #expect(Self.refusal(bytes) == .damaged, "a slot and its note at \(index)")
        }
    }

    @Test(.holds("A25")) func `a whole slot of a later version is not damage`() throws {
        var bytes = Self.made(.sample(1))
        // Magic, the length of the record, and then its version.
        bytes[12] = 2
        bytes.replaceSubrange(
            Self.block - SHA256.byteCount..<Self.block,
            with: SHA256.digest(Array(bytes[..<(Self.block - SHA256.byteCount)]))
        )
        #expect(Self.refusal(bytes) == .unavailable)
    }

    @Test func `a slot of another anchor or another kind is none`() {
        let bytes = Self.made(.sample(1))
        #expect(Self.refusal(bytes, named: "anchor.b") == .damaged)
        #expect(Self.position(Self.made(.sample(1), ItemRecord(kind: .item, home: [7]))) == nil)
        for count in [0, Self.block, bytes.count - 1] { #expect(Self.position(Array(bytes[..<count])) == nil) }
        #expect(Self.position(bytes + [0]) == nil)
    }

    @Test(.holds("A25"))
    func `without a note, without a use, or at the highest number a new file is needed`()
        throws
    {
        let (unused, last) = (LedgerPosition.founding(mark: Identifier(high: 1, low: 1)), LedgerPosition.sample(.max))
        let nameless = AnchorSlots.make(.sample(1), Self.record, named: Self.name).bytes
        for (bytes, next) in [
            (Self.made(unused), .sample(1)), (nameless, .sample(2)),
            (Self.made(last), LedgerPosition(sequence: .max, mark: Identifier(high: 2, low: 2))),
        ] {
            let slots = try AnchorSlots(bytes, named: Self.name)
            #expect(slots.steps(to: next, Self.record, named: Self.name) == nil)
        }
    }

    @Test(.holds("A10")) func `whatever is cut off, and cut off again, nobody goes by what power loss can take back`() {
        var walk = AnchorWalk()
        walk.walk()
        #expect(walk.losses.isEmpty, "\(walk.losses.prefix(5))")
        #expect(walk.states > 300)
    }

    @Test(arguments: [AnchorWalk.Mistake.believesWhatItReads, .flushesNothing])
    func `the walk sees a file that is written carelessly`(mistake: AnchorWalk.Mistake) {
        var walk = AnchorWalk()
        walk.mistake = mistake
        walk.walk()
        #expect(!walk.losses.isEmpty)
    }
}

/// Moves an anchor from 0 to 4 in every way that kills, failed flushes and power losses allow, one after the other.
struct AnchorWalk {
    /// What a careless process would do, to see that it is noticed.
    enum Mistake { case believesWhatItReads, flushesNothing }

    /// A file as processes read it, and what of that the disk has.
    private struct File: Hashable {
        var read: [UInt8]
        var disk: [UInt8]
        /// What was written since the last flush.
        var pending: [AnchorSlots.Step] = []
        /// What lies on the disk under the file's name, while the folder is not flushed.
        var former: Set<[UInt8]> = []

        mutating func write(_ bytes: [UInt8], at offset: Int) {
            read.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            pending.append(.write(bytes, at: offset))
        }

        mutating func flush() { (disk, pending) = (read, []) }

        mutating func replace(by new: [UInt8]) { self = File(read: new, disk: new, former: outcomes) }

        /// What the disk may have when the power goes now: of each write nothing, all, or rubbish.
        var outcomes: Set<[UInt8]> {
            var outcomes: Set = [disk]
            for case .write(let bytes, let offset) in pending {
                for old in outcomes {
                    for part in [bytes, [UInt8](repeating: 0xFF, count: bytes.count)] {
                        var new = old
                        new.replaceSubrange(offset..<offset + bytes.count, with: part)
                        outcomes.insert(new)
                    }
                }
            }
            return outcomes.union(former)
        }
    }

    /// A file between two processes, and where its anchor may be found.
    private struct Situation {
        var file: File
        /// Where somebody saw it stand; it may never stand below.
        var stood: LedgerPosition
        /// Where a move that did not end may have put it.
        var next: LedgerPosition

        var key: [UInt8] {
            var bytes = file.read + file.disk + stood.bytes + next.bytes
            for case .write(let run, let offset) in file.pending { bytes += [UInt8(offset / 4_096)] + run }
            for run in file.former.map({ SHA256.digest($0) }).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                bytes += run
            }
            return SHA256.digest(bytes)
        }
    }

    var mistake: Mistake?
    private(set) var losses: [String] = []
    var states: Int { seen.count }
    private var seen: Set<[UInt8]> = []
    private var todo: [Situation] = []

    mutating func walk() {
        let new = AnchorSlotsTests.made(.sample(0))
        add(Situation(file: File(read: new, disk: new), stood: .sample(0), next: .sample(0)))
        while let situation = todo.popLast(), losses.count < 10 { visit(situation) }
    }

    private mutating func add(_ situation: Situation) {
        if seen.insert(situation.key).inserted { todo.append(situation) }
    }

    /// Lets a process find the file, and move the anchor one up.
    private mutating func visit(_ found: Situation) {
        var now = found
        guard let slots = try? AnchorSlots(now.file.read, named: AnchorSlotsTests.name) else {
            return losses.append("refused, after \(now.stood.sequence)")
        }
        guard [now.stood, now.next].contains(slots.position) else {
            return losses.append("\(slots.position.sequence), after \(now.stood.sequence)")
        }
        if !slots.isOnDisk, mistake != .believesWhatItReads { put(slots.position, in: slots, &now) }
        (now.stood, now.next) = (slots.position, slots.position)
        cut(now)
        guard slots.position.sequence < 4 else { return }
        // What it read may have been written again meanwhile.
        guard let read = try? AnchorSlots(now.file.read, named: AnchorSlotsTests.name) else {
            return losses.append("refused, after its own writing")
        }
        now.next = .sample(slots.position.sequence + 1)
        put(now.next, in: read, &now)
        now.stood = now.next
        cut(now)
    }

    /// As `FileAnchor.put` does.
    private mutating func put(_ next: LedgerPosition, in slots: AnchorSlots, _ now: inout Situation) {
        let (record, name) = (AnchorSlotsTests.record, AnchorSlotsTests.name)
        if let steps = slots.steps(to: next, record, named: name) { return run(steps, &now) }
        let new = AnchorSlots.make(next, record, named: name)
        cut(now)
        now.file.replace(by: new.bytes)
        cut(now)
        if mistake != .flushesNothing { now.file.former = [] }
        run([new.noting], &now)
    }

    private mutating func run(_ steps: [AnchorSlots.Step], _ now: inout Situation) {
        for step in steps {
            cut(now)
            switch step {
            case .write(let bytes, let offset):
                now.file.write(bytes, at: offset)
            case .flush:
                if mistake == .flushesNothing { continue }
                // One that fails may have written anything, and the system tries no more; the call ends.
                for outcome in now.file.outcomes {
                    var failed = now
                    (failed.file.disk, failed.file.pending) = (outcome, [])
                    cut(failed)
                }
                now.file.flush()
            }
        }
    }

    /// Ends the process here, or takes the power.
    private mutating func cut(_ now: Situation) {
        add(now)
        for outcome in now.file.outcomes {
            var lost = now
            lost.file = File(read: outcome, disk: outcome)
            add(lost)
        }
    }
}
