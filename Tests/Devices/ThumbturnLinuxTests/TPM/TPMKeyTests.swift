import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("A device key in a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMKeyTests {
    private let name = ItemName.sample(8, .deviceKey)

    /// The record of the key, which lies in the folder.
    private func record(in bench: TPMBench) throws -> ItemRecord {
        try #require(try bench.store.record(of: name, .deviceKey))
    }

    /// Writes a record with a right digest, as somebody does who can write the folder.
    private func forge(_ record: ItemRecord, in bench: TPMBench) throws {
        let bytes = record.file(named: name.text, tail: .none()).withBytes { $0.exposed }
        try bench.restore(bytes, to: "items/" + name.text)
    }

    private func refusals(_ bench: TPMBench) async -> [DeviceRefusal?] {
        [
            await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.sign([1], with: name) },
            await refusal { () async throws(DeviceRefusal) in _ = try await bench.store.devicePublicKey(name) },
        ]
    }

    @Test func `it signs for another process, and after a boot`() async throws {
        let bench = try await TPMBench()
        let key = try await bench.store.makeDeviceKey(name)
        let another = try await bench.anotherStore()
        try P256.verify(signature: await another.sign([1, 2], with: name), of: [1, 2], publicKey: key)
        try bench.tpm.restart()
        try P256.verify(signature: await bench.store.sign([3], with: name), of: [3], publicKey: key)
        #expect(try await bench.store.devicePublicKey(name) == key)
    }

    @Test func `the TPM drew it, holds it fast, and counts no guess at it`() async throws {
        let bench = try await TPMBench()
        _ = try await bench.store.makeDeviceKey(name)
        let attributes = try TPMContext.attributes(of: #require(record(in: bench).sealed))
        // Part 2, table 37: fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, sign.
        #expect((0..<32).filter { attributes >> $0 & 1 == 1 } == [1, 4, 5, 6, 10, 18])
    }

    @Test func `many signatures in a row verify, whatever zeros their numbers lead with`() async throws {
        let bench = try await TPMBench()
        let key = try await bench.store.makeDeviceKey(name)
        for count in 0..<64 {
            let message = RandomBytes.make(count)
            try P256.verify(signature: await bench.store.sign(message, with: name), of: message, publicKey: key)
        }
    }

    @Test(.holds("A55")) func `a signature that was changed on the way from the TPM is refused`() async throws {
        let bench = try await TPMBench()
        _ = try await bench.store.makeDeviceKey(name)
        // `TPM2_Sign`: header 10 · size of the parameters 4 · algorithms 4 · size 2 · r.
        bench.proxy.forge { command, answer in
            guard command[8...9] == [0x01, 0x5D], answer.count > 20 else { return answer }
            var answer = answer
            answer[20] ^= 1
            return answer
        }
        // For the second there is no room, since nothing was flushed.
        #expect(await refusals(bench) == [.unclassified, .unavailable])
        bench.proxy.forge(nil)
        // After an answer that was not the TPM's, tpm2-tss flushes nothing, and here no resource manager does.
        try bench.tpm.restart()
        #expect(await refusals(bench) == [nil, nil])
    }

    @Test func `a coordinate whose first zeros a TPM leaves out is the number that it was`() async throws {
        let bench = try await TPMBench()
        _ = try await bench.store.makeDeviceKey(name)
        var object = try #require(record(in: bench).sealed)
        var key = try P256PrivateKey.make().publicKey
        while key[27] != 0 { key = try P256PrivateKey.make().publicKey }
        // size 2 · area, whose end is two coordinates, each behind its size.
        var area = Array(object.publicArea[2...].dropLast(68))
        area += [0, 31]
        area += key[28..<59]
        area += [0, 32]
        area += key[59...]
        object.publicArea = [UInt8(area.count >> 8), UInt8(area.count & 0xFF)] + area
        #expect(try TPMContext.publicKey(of: object) == key)
    }

    @Test func `a lockout does not touch it`() async throws {
        let bench = try await TPMBench()
        let (secret, slot) = (ItemName.sample(9, .deviceSecret), Identifier(high: 3, low: 4))
        let key = try await bench.store.makeDeviceKey(name)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        for _ in 0..<(try #require(await bench.store.lockout()).limit) {
            _ = await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.store.evaluate(secret, for: slot, with: .sample(8), input: [])
            }
        }
        #expect(await bench.store.lockout()?.isLockedOut == true)
        try P256.verify(signature: await bench.store.sign([1], with: name), of: [1], publicKey: key)
    }

    @Test(.holds("A26")) func `its blobs on another TPM sign nothing, also where somebody says that they are its own`()
        async throws
    {
        let (bench, other) = (try await TPMBench(), try await TPMBench())
        _ = try await bench.store.makeDeviceKey(name)
        var record = try record(in: bench)
        try forge(record, in: other)
        #expect(await refusals(other) == [.absent, .absent])
        record.home = try other.store.tpm.talk { context throws(TPMFailure) in try context.parent().name }
        try forge(record, in: other)
        #expect(await refusals(other) == [.damaged, .damaged])
        #expect(await refusals(bench) == [nil, nil])
    }

    @Test(.holds("A25")) func `a damaged blob is told as that, and another object in its place is no key`() async throws
    {
        let bench = try await TPMBench()
        _ = try await bench.store.makeDeviceKey(name)
        try await bench.store.makeDeviceSecret(.sample(9, .deviceSecret))
        let good = try record(in: bench)
        for index in [3, 20, 60, 100] {
            var record = good
            record.sealed?.privateArea[index] ^= 1
            try forge(record, in: bench)
            #expect(await refusals(bench) == [.damaged, .damaged], "at \(index)")
        }
        var record = good
        record.sealed = try bench.store.record(of: .sample(9, .deviceSecret), nil)?.sealed
        try forge(record, in: bench)
        #expect(await refusals(bench) == [.unclassified, .damaged])
        try forge(good, in: bench)
        #expect(await refusals(bench) == [nil, nil])
    }
}
