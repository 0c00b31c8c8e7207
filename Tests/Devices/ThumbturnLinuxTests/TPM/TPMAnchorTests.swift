import CTSS2
import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("Anchors in a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMAnchorTests {
    private let secret = ItemName.sample(9, .deviceSecret)

    @Test func `an anchor begins where it is asked to, and outlives boots`() async throws {
        let bench = try await TPMBench()
        for number: UInt64 in 1...3 {
            let name = ItemName.sample(number, .deviceSecret)
            #expect(try await bench.anchor.move(from: nil, to: .sample(number * 100_000), for: name))
            try bench.tpm.restart()
            #expect(try await bench.anchor.position(for: name) == .sample(number * 100_000))
            let next = LedgerPosition.sample(number * 100_000 + 2)
            #expect(try await bench.anchor.move(from: .sample(number * 100_000), to: next, for: name))
            #expect(try await bench.anchor.position(for: name) == next)
        }
    }

    @Test func `a chain that was defined and has no link is not there, and can be made`() async throws {
        let bench = try await TPMBench()
        _ = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.defineChain(TPMAnchor.key(secret)).isWritten
        }
        #expect(try await bench.anchor.position(for: secret) == nil)
        #expect(try await bench.anchor.move(from: nil, to: .sample(4), for: secret))
        #expect(try await bench.anchor.position(for: secret) == .sample(4))
    }

    @Test func `what others keep in the same places is left alone`() async throws {
        let bench = try await TPMBench()
        let key = TPMAnchor.key(secret)
        // One with a Name of another digest than ours have.
        try bench.tpm.define(key.firstIndex)
        let taken = try (0..<3).map { number in
            // Counters of our form with another mark.
            try bench.store.tpm.talk { context throws(TPMFailure) in
                try context.define(TPMCounterKey(first: key.firstIndex, mark: UInt8(number))).isWritten
            }
        }
        #expect(taken.count == 3)
        try await bench.anchor.rise(to: 2, for: secret)
        #expect(try await bench.anchor.sequence(for: secret) == 2)
        try await bench.anchor.remove(for: secret)
        #expect(try await bench.anchor.sequence(for: secret) == nil)
        let left = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.handles(from: key.firstIndex, count: 4)
        }
        #expect(left == (0..<4).map { key.firstIndex + $0 })
    }

    @Test(.holds("A12")) func `of two stores on one TPM only one moves an anchor`() async throws {
        let bench = try await TPMBench()
        let anchors = [bench.anchor, try await bench.anotherStore().anchor]
        try await bench.anchor.rise(to: 1, for: secret)
        for target: UInt64 in 2...9 {
            let movers = try await withThrowingTaskGroup(of: Bool.self) { group in
                for anchor in anchors {
                    group.addTask {
                        try await anchor.move(from: .sample(target - 1), to: .sample(target), for: secret)
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(movers == 1)
            #expect(try await bench.anchor.sequence(for: secret) == target)
        }
    }

    @Test func `with an owner's password no anchor is made, and an item on the old key opens no more`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try bench.tpm.setOwnerPassword("owner")
        #expect(await bench.store.refusalOfRead(.sample(1)) == .unavailable)
        let raise = await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.anchor.rise(to: 1, for: secret)
        }
        #expect(raise == .unavailable)
        let save = await refusal { () async throws(DeviceRefusal) in
            try await bench.store.save(.sample(), as: .sample(2), access: .currentBiometrySet)
        }
        #expect(save == .unavailable)
    }
}

/// What a thief and an accident leave of an anchor.
@Suite("Anchors in a TPM that were put back", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMAnchorAttackTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private var fileName: String { "anchor." + secret.text }

    /// An anchor that moved to 3.
    private func bench() async throws -> TPMBench {
        let bench = try await TPMBench()
        for number: UInt64 in 1...3 { try await bench.anchor.rise(to: number, for: secret) }
        return bench
    }

    private func file(of bench: TPMBench) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: bench.path + "/" + fileName))
    }

    private func write(_ data: Data?, to bench: TPMBench) throws {
        let path = bench.path + "/" + fileName
        guard let data else { return try FileManager.default.removeItem(atPath: path) }
        try data.write(to: URL(fileURLWithPath: path))
    }

    @Test(.holds("A25"))
    func `a file from before the first commit, beside a chain that went on, tells no unused anchor`()
        async throws
    {
        let bench = try await TPMBench()
        let founding = LedgerPosition.founding(mark: Identifier(high: 1, low: 2))
        #expect(try await bench.anchor.move(from: nil, to: founding, for: secret))
        #expect(try await bench.anchor.position(for: secret) == founding)
        let first = try file(of: bench)
        #expect(try await bench.anchor.move(from: founding, to: .sample(1), for: secret))
        try write(first, to: bench)
        #expect(try await bench.anchor.position(for: secret)?.isUsed == true)
    }

    /// Expects a position that no row fits, at which the anchor stays, and from which a new ledger can begin.
    private func requireUnexplained(_ bench: TPMBench) async throws {
        let found = try #require(try await bench.anchor.position(for: secret))
        #expect((1...9).allSatisfy { LedgerPosition.sample($0).mark != found.mark })
        #expect(try await bench.anchor.position(for: secret) == found)
        for number: UInt64 in 1...3 {
            #expect(try await !bench.anchor.move(from: .sample(number), to: .sample(number + 1), for: secret))
        }
        #expect(try await !bench.anchor.move(from: nil, to: .sample(9), for: secret))
        let (next, last) = (LedgerPosition.sample(found.sequence + 1), LedgerPosition.sample(found.sequence + 2))
        #expect(try await bench.anchor.move(from: found, to: next, for: secret))
        #expect(try await bench.anchor.position(for: secret) == next)
        #expect(try await bench.anchor.move(from: next, to: last, for: secret))
    }

    enum Loss: CaseIterable {
        case putBack, lost, damaged, empty
    }

    @Test(.holds("A8"), arguments: Loss.allCases)
    func `a file that is lost, damaged, or of before explains nothing`(loss: Loss) async throws {
        let bench = try await bench()
        let former = try file(of: bench)
        try await bench.anchor.rise(to: 4, for: secret)
        try await bench.anchor.rise(to: 5, for: secret)
        var present = try file(of: bench)
        present[present.count / 2] ^= 1
        switch loss {
        case .putBack: try write(former, to: bench)
        case .lost: try write(nil, to: bench)
        case .damaged: try write(present, to: bench)
        case .empty: try write(Data(), to: bench)
        }
        try await requireUnexplained(bench)
    }

    @Test(.holds("A8"))
    func `who writes the folder can't name a position, be it a former one or the present one under another number`()
        async throws
    {
        let bench = try await bench()
        let content = try bench.content(of: secret)
        for position in [
            LedgerPosition.sample(1), .sample(2), LedgerPosition(sequence: 9, mark: LedgerPosition.sample(3).mark),
        ] {
            // What a forger can do best: the true content, a link that is there, another position.
            for former in [content, try bench.note(of: secret).links[0].former, [UInt8](repeating: 0, count: 32)] {
                let forged = AnchorNote(
                    links: [AnchorNote.Link(former: former, position: position)],
                    seed: AnchorNote.Link(former: former, position: position).digest
                )
                try bench.put(forged, of: secret)
                let found = try await bench.anchor.position(for: secret)
                #expect(found != nil && found != position && found?.mark != LedgerPosition.sample(3).mark)
            }
        }
        try await requireUnexplained(bench)
    }

    @Test(.holds("A8")) func `who extends the chain ends what it stood for, and puts nothing back`() async throws {
        let bench = try await bench()
        try bench.tpm.extend(
            TPMAnchor.key(secret).firstIndex,
            by: AnchorNote.Link(former: [], position: .sample(1)).digest
        )
        try await requireUnexplained(bench)
    }

    @Test(.holds("A8")) func `who removes the chain and plays every known link again gets none of its contents`()
        async throws
    {
        let bench = try await bench()
        #expect(try bench.note(of: secret).seed == nil, "the first link is forgotten")
        let known = (1...3).map { AnchorNote.Link(former: [], position: .sample($0)).digest }
        let before = try bench.content(of: secret)
        let index = TPMAnchor.key(secret).firstIndex
        try bench.tpm.undefine(index)
        #expect(try await bench.anchor.position(for: secret) == nil)
        _ = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.defineChain(TPMAnchor.key(secret)).isWritten
        }
        for link in known { try bench.tpm.extend(index, by: link) }
        #expect(try bench.content(of: secret) != before)
        try await requireUnexplained(bench)
    }

    @Test(.holds("A12"))
    func `of two copies of the device's folder one goes on, and the other one's anchor is nowhere`()
        async throws
    {
        let bench = try await bench()
        let copy = bench.folder.file("copy")
        try FileManager.default.copyItem(atPath: bench.path, toPath: copy)
        let other = try await TPMBench.store(tcti: bench.proxy.tcti, folder: copy, bench.owner).anchor
        #expect(try await other.position(for: secret) == .sample(3))
        #expect(try await other.move(from: .sample(3), to: .sample(4), for: secret))
        #expect(try await !bench.anchor.move(from: .sample(3), to: .sample(4), for: secret))
        try await requireUnexplained(bench)
    }

    @Test(.holds("A12")) func `who is overtaken between his look and his link did not move it`() async throws {
        let bench = try await bench()
        let index = TPMAnchor.key(secret).firstIndex
        let done = Shared(false)
        bench.proxy.intrude { _, command in
            guard command[8...9] == [0x01, 0x36], !done.value else { return nil }
            done.change { $0 = true }
            return SoftwareTPM.extending(index, by: [UInt8](repeating: 1, count: 32))
        }
        let refused = await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.anchor.move(from: .sample(3), to: .sample(4), for: secret)
        }
        #expect(refused == .unavailable && done.value)
        bench.proxy.intrude(nil)
        try await requireUnexplained(bench)
    }

    @Test(.holds("A10"), arguments: [false, true])
    func `a cut before the link leaves it where it stood, and one after the link is found at the next look`(
        isAfter: Bool
    ) async throws {
        let bench = try await bench()
        let (tpm, seen) = (bench.tpm, Shared(false))
        bench.proxy.intrude { _, command in
            let isLink = command[8...9] == [0x01, 0x36]
            if isAfter ? seen.value : isLink { tpm.kill() }
            if isLink { seen.change { $0 = true } }
            return nil
        }
        let refused = await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.anchor.move(from: .sample(3), to: .sample(4), for: secret)
        }
        #expect(refused == .unavailable)
        bench.proxy.intrude(nil)
        try tpm.start()
        #expect(try await bench.anchor.position(for: secret) == .sample(isAfter ? 4 : 3))
        let next = LedgerPosition(sequence: 5, mark: Identifier(high: 7, low: 7))
        #expect(try await bench.anchor.move(from: .sample(isAfter ? 4 : 3), to: next, for: secret))
        #expect(try await bench.anchor.position(for: secret) == next)
    }
}

extension TPMBench {
    func content(of secret: ItemName) throws -> [UInt8] {
        try store.tpm.talk { context throws(TPMFailure) in
            guard let chain = try context.chain(TPMAnchor.key(secret)) else { throw .malformed }
            return try context.content(of: chain, ESYS_TR(ESYS_TR_PASSWORD))
        }
    }

    private func record(of secret: ItemName) throws -> (ItemRecord, [UInt8]) {
        let file = "anchor." + secret.text
        return try store.folder.withLock { folder throws(DeviceRefusal) in
            guard let found = try folder.item(file) else { throw .absent }
            return (found.record, found.tail.bytes(0..<found.tail.byteCount))
        }
    }

    func note(of secret: ItemName) throws -> AnchorNote { try AnchorNote(parsing: record(of: secret).1) }

    func put(_ note: AnchorNote, of secret: ItemName) throws {
        let (file, record) = ("anchor." + secret.text, try record(of: secret).0)
        try store.folder.withLock { folder throws(DeviceRefusal) in
            try folder.replace(file, by: record.file(named: file, tail: SecretBytes(record: note.bytes)))
        }
    }
}

extension TPMCounterKey {
    /// A key of somebody else, in the same places.
    init(first: UInt32, mark: UInt8) {
        self.init(firstIndex: first, mark: [UInt8](repeating: mark, count: SHA256.byteCount))
    }
}
