import CTSS2
import Foundation
import Glibc
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

/// What the calls of one turn share, and what becomes of it.
@Suite("A turn on a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMTurnTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)

    /// A device secret with a slot's part, and its anchor at 3.
    private func bench(patience: Milliseconds = .seconds(600)) async throws -> TPMBench {
        let bench = try await TPMBench(patience: patience)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        for number: UInt64 in 1...3 { try await bench.anchor.rise(to: number, for: secret) }
        // A TPM notes the first use of a counted object after a boot, and asks for the command once more.
        #expect(await guess(at: bench) == nil)
        bench.proxy.forget()
        return bench
    }

    private func guess(_ byte: UInt8 = 7, at bench: TPMBench) async -> DeviceRefusal? {
        await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.store.evaluate(secret, for: slot, with: .sample(byte), input: [1])
        }
    }

    /// What an unlock asks a device for.
    private func unlock(_ bench: TPMBench, to next: UInt64 = 4) async throws {
        let position = try await bench.anchor.position(for: secret)
        #expect(try await bench.anchor.move(from: position, to: .sample(next), for: secret))
        #expect(await guess(at: bench) == nil)
    }

    // ReadPublic, CreatePrimary, StartAuthSession; NV_ReadPublic, NV_Read, NV_Extend; GetCapability, Load, Unseal; FlushContext.
    private static let (key, primary, session): (UInt32, UInt32, UInt32) = (0x173, 0x131, 0x176)
    private static let (area, read, extend): (UInt32, UInt32, UInt32) = (0x169, 0x14E, 0x136)
    private static let (ask, load, unseal, flush): (UInt32, UInt32, UInt32, UInt32) = (0x17A, 0x157, 0x15E, 0x165)
    // PolicyNV, PolicyAuthValue.
    private static let policy: [UInt32] = [0x149, 0x16B]

    @Test(arguments: [false, true])
    func `an unlock sends one key, one session, and each command of its own once`(isPersistent: Bool) async throws {
        let bench = try await bench()
        if isPersistent { try bench.tpm.makePersistentKey() }
        bench.proxy.forget()
        try await bench.turn { try await unlock(bench) }
        let begin = isPersistent ? [Self.key, Self.session] : [Self.key, Self.primary, Self.session]
        // The object, the policy's session, and a key that is not persistent.
        let end = [UInt32](repeating: Self.flush, count: isPersistent ? 2 : 3)
        #expect(
            bench.proxy.codes == begin + [Self.area, Self.read, Self.extend, Self.read] + [Self.ask]
                + [Self.area, Self.flush, Self.session] + Self.policy + [Self.load, Self.unseal] + end
        )
        bench.proxy.forget()
        try await unlock(bench, to: 5)
        #expect(bench.proxy.codes.filter { $0 == Self.session }.count == 4, "without a turn nothing is kept")
    }

    @Test func `once its secret was used, at its end, or while it waits, a turn has nothing in the TPM`() async throws {
        let bench = try await bench(patience: Milliseconds(20))
        try await bench.turn { () async throws in
            try await unlock(bench)
            #expect(try bench.leftHandles() == [])
        }
        try await bench.turn { _ = try await bench.anchor.position(for: secret) }
        #expect(try bench.leftHandles() == [])
        try await bench.turn { () async throws in
            _ = try await bench.anchor.position(for: secret)
            while try bench.leftHandles() != [] { await Task.yield() }
            try await unlock(bench, to: 5)
        }
    }

    @Test func `turns may overlap, and the last one gives back what was kept`() async throws {
        let bench = try await bench()
        try await bench.turn { () async throws in
            try await bench.turn { _ = try await bench.anchor.position(for: secret) }
            #expect(try await bench.store.describe(secret) != nil)
            #expect(try bench.leftHandles().count == 2, "the parent and the session, and no object")
            try await unlock(bench)
        }
        #expect(try bench.leftHandles() == [])
    }

    @Test func `while a prompt is up nothing is kept, since others use the TPM meanwhile`() async throws {
        let bench = try await bench()
        try await bench.saveGuarded(1)
        let left = Shared<[UInt32]?>(nil)
        bench.owner.beforePrompt { left.change { $0 = try? bench.leftHandles() } }
        try await bench.turn { () async throws in
            _ = try await bench.anchor.position(for: secret)
            #expect(try await bench.refusalOfMatch(1) == nil)
        }
        #expect(left.value == [])
    }

    enum Loss: CaseIterable {
        case restart, session, key
    }

    @Test(arguments: Loss.allCases)
    func `what the TPM lost in the middle of a turn is made anew`(loss: Loss) async throws {
        let bench = try await bench()
        try await bench.turn { () async throws in
            for number: UInt64 in 4...6 {
                let position = try await bench.anchor.position(for: secret)
                try lose(loss, at: bench)
                #expect(try await bench.anchor.move(from: position, to: .sample(number), for: secret))
                #expect(try await bench.anchor.position(for: secret) == .sample(number))
                try lose(loss, at: bench)
                #expect(await guess(at: bench) == nil)
            }
        }
        #expect(try bench.leftHandles() == [])
    }

    private func lose(_ loss: Loss, at bench: TPMBench) throws {
        switch loss {
        case .restart: try bench.tpm.restart()
        // What a turn had no use for any more may be gone already.
        case .session: try? bench.tpm.flush(0x0200_0000)
        case .key: try? bench.tpm.flush(0x8000_0000)
        }
    }

    @Test func `a TPM that dies in the middle of a turn is unavailable, and the next turn has it back`() async throws {
        let bench = try await bench()
        try await bench.turn { () async throws in
            let position = try await bench.anchor.position(for: secret)
            bench.tpm.kill()
            let refused = await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.anchor.move(from: position, to: .sample(4), for: secret)
            }
            #expect(refused == .unavailable)
            #expect(await guess(at: bench) == .unavailable)
            try bench.tpm.start()
            try bench.tpm.forgiveGuesses()
            #expect(await guess(at: bench) == nil)
        }
        try await bench.turn { try await unlock(bench) }
    }

    @Test func `a move whose answer was lost is found to be done, by a conversation of its own`() async throws {
        let bench = try await bench()
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x36] else { return answer }
            bench.proxy.forge(nil)
            return [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x01, 0x01]
        }
        try await bench.turn { () async throws in
            let position = try await bench.anchor.position(for: secret)
            #expect(try await bench.anchor.move(from: position, to: .sample(4), for: secret))
        }
        #expect(try await bench.anchor.position(for: secret) == .sample(4))
    }

    @Test(.holds("A56")) func `a wrong guess is made once, whatever the answer to it`() async throws {
        let bench = try await bench()
        try await bench.turn { () async throws in
            _ = try await bench.anchor.position(for: secret)
            #expect(await guess(8, at: bench) == .wrongAuthorisation)
        }
        #expect(await bench.store.lockout()?.failures == 1)
        bench.proxy.forge { command, answer in
            command[8...9] == [0x01, 0x5E] ? [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x01, 0x01] : answer
        }
        try await bench.turn { () async throws in
            _ = try await bench.anchor.position(for: secret)
            #expect(await guess(8, at: bench) == .unavailable)
        }
        #expect(bench.proxy.codes.filter { $0 == Self.unseal }.count == 1)
        bench.proxy.forge(nil)
        #expect(await bench.store.lockout()?.failures == 2)
    }

    @Test(.holds("A53")) func `another object in the place of the one that was loaded opens nothing`() async throws {
        let bench = try await bench()
        try await bench.store.save(.sample(1), as: .sample(1), access: .deviceOnly)
        try await bench.store.save(.sample(2), as: .sample(2), access: .deviceOnly)
        // Somebody on the bus loads the other one's blob, and says that it is this one.
        let loads = Shared<[([UInt8], [UInt8])]>([])
        bench.proxy.forge { command, answer in
            if command[8...9] == [0x01, 0x57] { loads.append((command, answer)) }
            return answer
        }
        for number: UInt64 in [1, 2] {
            #expect(await bench.store.refusalOfRead(.sample(number), UInt8(number)) == nil)
        }
        let (first, second) = (loads.value[0], loads.value[1])
        bench.proxy.replace { $0[8...9] == [0x01, 0x57] ? second.0 : nil }
        bench.proxy.forge { command, answer in command[8...9] == [0x01, 0x57] ? first.1 : answer }
        #expect(await bench.store.refusalOfRead(.sample(1), 1) != nil)
        #expect(bench.proxy.codes.contains(Self.unseal))
        bench.proxy.forge(nil)
        bench.proxy.replace(nil)
        #expect(await bench.store.refusalOfRead(.sample(1), 1) == nil)
    }
}

/// Two who move one anchor, one of them in the middle of the other's turn.
@Suite("A turn that is overtaken", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMOvertakenTurnTests {
    private let secret = ItemName.sample(9, .deviceSecret)

    private func bench() async throws -> TPMBench {
        let bench = try await TPMBench()
        for number: UInt64 in 1...3 { try await bench.anchor.rise(to: number, for: secret) }
        return bench
    }

    @Test(.holds("A12")) func `a move by another process between look and move is seen`() async throws {
        let bench = try await bench()
        let other = try await bench.anotherStore().anchor
        try await bench.turn { () async throws in
            #expect(try await bench.anchor.position(for: secret) == .sample(3))
            #expect(try await other.move(from: .sample(3), to: .sample(4), for: secret))
            let next = LedgerPosition(sequence: 4, mark: Identifier(high: 5, low: 5))
            #expect(try await !bench.anchor.move(from: .sample(3), to: next, for: secret))
            #expect(try await bench.anchor.position(for: secret) == .sample(4))
            #expect(try await bench.anchor.move(from: .sample(4), to: .sample(5), for: secret))
            #expect(try await other.position(for: secret) == .sample(5))
        }
    }

    @Test(.holds("A8", "A12")) func `who extends the chain between look and move did so for nobody`() async throws {
        let bench = try await bench()
        let index = TPMAnchor.key(secret).firstIndex
        try await bench.turn { () async throws in
            #expect(try await bench.anchor.position(for: secret) == .sample(3))
            try bench.tpm.extend(index, by: [UInt8](repeating: 1, count: 32))
            let refused = await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.anchor.move(from: .sample(3), to: .sample(4), for: secret)
            }
            #expect(refused == .unavailable)
            let found = try #require(try await bench.anchor.position(for: secret))
            #expect((1...9).allSatisfy { LedgerPosition.sample($0).mark != found.mark })
        }
    }

    @Test(.holds("A12")) func `a move that the TPM refused is not done because somebody else made it`() async throws {
        let bench = try await bench()
        let index = TPMAnchor.key(secret).firstIndex
        // He reads the file, and extends the chain by its link while the TPM has no room for us.
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x36] else { return answer }
            bench.proxy.replace(nil)
            bench.proxy.forge(nil)
            return [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x09, 0x03]
        }
        bench.proxy.replace { [secret] command in
            guard command[8...9] == [0x01, 0x36], let link = try? bench.note(of: secret).links.last else { return nil }
            return SoftwareTPM.extending(index, by: link.digest)
        }
        try await bench.turn { () async throws in
            #expect(try await bench.anchor.position(for: secret) == .sample(3))
            #expect(try await !bench.anchor.move(from: .sample(3), to: .sample(4), for: secret))
            #expect(try await bench.anchor.position(for: secret) == .sample(4))
        }
    }

    @Test func `a look of before refuses nobody`() async throws {
        let bench = try await bench()
        let other = try await bench.anotherStore().anchor
        try await bench.turn { () async throws in
            #expect(try await bench.anchor.position(for: secret) == .sample(3))
            try bench.tpm.extend(TPMAnchor.key(secret).firstIndex, by: [UInt8](repeating: 1, count: 32))
            let found = try await other.position(for: secret)
            #expect(try await bench.anchor.move(from: found, to: .sample(10), for: secret))
        }
        #expect(try await other.position(for: secret) == .sample(10))
    }

    @Test func `moves of one turn follow each other, and another secret's look is none of this one's`() async throws {
        let bench = try await bench()
        let other = ItemName.sample(10, .deviceSecret)
        try await bench.turn { () async throws in
            #expect(try await bench.anchor.move(from: .sample(3), to: .sample(4), for: secret))
            #expect(try await bench.anchor.move(from: .sample(4), to: .sample(5), for: secret))
            #expect(try await bench.anchor.move(from: nil, to: .sample(3), for: other))
            #expect(
                try await bench.anchor.move(from: .sample(3), to: .sample(4), for: other),
                "a chain that was just made"
            )
            #expect(try await !bench.anchor.move(from: .sample(3), to: .sample(6), for: secret))
            #expect(try await bench.anchor.move(from: .sample(5), to: .sample(6), for: secret))
            try await bench.anchor.remove(for: other)
            #expect(try await bench.anchor.position(for: other) == nil)
        }
        #expect(try await bench.anchor.position(for: secret) == .sample(6))
    }
}

/// Whose key lies at 0x81000001.
@Suite("A storage key in its place", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMPersistentKeyTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)
    private static let (createPrimary, readPublic): (UInt32, UInt32) = (0x131, 0x173)

    private func bench() async throws -> TPMBench {
        let bench = try await TPMBench()
        try await bench.store.save(.sample(), as: .sample(1), access: .deviceOnly)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        return bench
    }

    /// Uses all that there is; whether the primary key was made for it.
    private func usesPrimary(_ bench: TPMBench) async throws -> Bool {
        bench.proxy.forget()
        #expect(await bench.store.refusalOfRead(.sample(1)) == nil)
        let answer = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [1])
        #expect(answer.byteCount == 32)
        #expect(bench.proxy.codes.contains(Self.readPublic))
        return bench.proxy.codes.contains(Self.createPrimary)
    }

    @Test(.holds("A53")) func `the Name is that of the key which tpm2-tss encrypts to`() async throws {
        let bench = try await bench()
        let home = try #require(try bench.store.record(of: .sample(1), .item)?.home)
        try bench.tpm.makePersistentKey()
        let (pinned, used) = try bench.store.tpm.talk { context throws(TPMFailure) in
            let parent = try context.parent(named: home)
            guard parent.isPersistent else { throw .anotherTPM }
            return (parent.name, try context.name(of: parent.handle))
        }
        #expect(pinned == used && pinned == home)
    }

    @Test func `it spares the primary key where it is the one that the vault was made on`() async throws {
        let bench = try await bench()
        #expect(try await usesPrimary(bench))
        try bench.tpm.makePersistentKey()
        #expect(try await !usesPrimary(bench))
        try bench.tpm.evict()
        #expect(try await usesPrimary(bench), "what was made goes on without it")
    }

    @Test func `new objects are made on the primary key, which can be made again`() async throws {
        let bench = try await bench()
        try bench.tpm.makePersistentKey(in: .endorsement)
        try await bench.store.save(.sample(), as: .sample(2), access: .deviceOnly)
        try bench.tpm.evict()
        #expect(await bench.store.refusalOfRead(.sample(2)) == nil)
    }

    @Test(.holds("A53")) func `a session is salted with the key that its commands are for`() async throws {
        let bench = try await bench()
        let names = [ItemName.sample(1, .deviceKey), ItemName.sample(2, .deviceKey)]
        try bench.tpm.makePersistentKey(in: .endorsement)
        // With an owner's password there is that key alone.
        try bench.tpm.setOwnerPassword("owner")
        _ = try await bench.store.makeDeviceKey(names[0])
        try bench.tpm.setOwnerPassword("", insteadOf: "owner")
        _ = try await bench.store.makeDeviceKey(names[1])
        bench.proxy.forget()
        try await bench.turn { () async throws in
            for name in names + names.reversed() { _ = try await bench.store.sign([1], with: name) }
        }
        // StartAuthSession.
        #expect(bench.proxy.codes.filter { $0 == 0x176 }.count == 3)
        #expect(try bench.leftHandles() == [])
    }

    @Test(.holds("A53")) func `another's key there is left alone, of the same form as it may be`() async throws {
        let bench = try await bench()
        try bench.tpm.makePersistentKey(in: .endorsement)
        #expect(try await usesPrimary(bench))
    }

    @Test func `one that can't be read keeps nobody out`() async throws {
        let bench = try await bench()
        try bench.tpm.makePersistentKey()
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x73] else { return answer }
            var answer = answer
            // header 10 · length 2 · a kind of key that nobody knows yet.
            answer[12] = 0x7F
            return answer
        }
        #expect(try await usesPrimary(bench))
        bench.proxy.forge { command, answer in
            command[8...9] == [0x01, 0x73] ? [0x80, 0x01, 0, 0, 0, 10, 0, 0, 0x01, 0x43] : answer
        }
        #expect(try await usesPrimary(bench), "a command that it does not have")
    }

    @Test func `one with a password is not loaded under, and keeps nobody out`() async throws {
        let bench = try await bench()
        try bench.tpm.makePersistentKey(password: "a password")
        #expect(try await usesPrimary(bench))
        try await bench.turn { () async throws in
            _ = try await bench.anchor.position(for: secret)
            try await bench.store.save(.sample(), as: .sample(2), access: .deviceOnly)
        }
        #expect(await bench.store.lockout()?.failures == 0)
        #expect(try bench.leftHandles() == [])
    }

    @Test(.holds("A53")) func `who answers with a key of his own, and the Name of ours, gets no session`() async throws
    {
        let bench = try await bench()
        try bench.tpm.makePersistentKey()
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x73] else { return answer }
            var answer = answer
            // header 10 · public area with its length 2: its last byte is of the point.
            let end = 12 + Int(answer[10]) << 8 + Int(answer[11])
            answer[end - 1] ^= 1
            return answer
        }
        #expect(try await usesPrimary(bench))
        bench.proxy.forge(nil)
        #expect(try await !usesPrimary(bench))
    }

    @Test(.holds("A8", "A53"))
    func `who tells an index otherwise than it is, under its Name, is refused`() async throws {
        let bench = try await bench()
        try await bench.anchor.rise(to: 3, for: secret)
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x69] else { return answer }
            var answer = answer
            // header 10 · length 2 · index 4 · hash 2 · attributes 4 · length 2 · policy 32, whose last bytes say nothing of a
            // chain.
            answer[55] ^= 1
            return answer
        }
        let refused = await refusal { () async throws(DeviceRefusal) in
            _ = try await bench.anchor.position(for: secret)
        }
        #expect(refused == .unclassified)
        bench.proxy.forge(nil)
        #expect(try await bench.anchor.position(for: secret) == .sample(3))
    }
}

@Suite("A TPM as the kernel offers it", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMDeviceFileTests {
    @Test func `it works through a device file, which no program that is started meanwhile inherits`() async throws {
        let tpm = try SoftwareTPM()
        let device = try PseudoDevice(before: tpm)
        let folder = try TemporaryFolder()
        // A busy machine must not outlast what a turn keeps.
        let chip = try TPM(transport: "device:" + device.path, patience: .minutes(10))
        let store = try TPMStore(on: chip, folder: folder.file("items"), gate: OwnerGate(ScriptedOwner()))
        try await store.save(.sample(), as: .sample(1), access: .deviceOnly)
        #expect(await store.refusalOfRead(.sample(1)) == nil)
        store.tpm.beginTurn()
        _ = try await store.describe(.sample(1))
        #expect(try device.openFiles().map { fcntl($0, F_GETFD) } == [FD_CLOEXEC])
        await store.tpm.endTurn()
        #expect(try device.openFiles() == [])
    }
}

@Suite struct WorkThreadTests {
    @Test func `what is kept for a next job is given back once none came for a while`() async throws {
        let (idle, done) = (Shared(0), Shared(0))
        let thread = WorkThread(patience: Milliseconds(10)) { idle.change { $0 += 1 } }
        for round in 1...3 {
            for _ in 1...20 { try await thread.run { done.change { $0 += 1 } } }
            while idle.value < round { await Task.yield() }
        }
        #expect(done.value == 60)
    }
}
