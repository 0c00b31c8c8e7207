import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("The store on a TPM", .serialized, .enabled(if: SoftwareTPM.isThere))
struct TPMStoreTests {
    private let secret = ItemName.sample(9, .deviceSecret)
    private let slot = Identifier(high: 3, low: 4)

    @Test(.holds("A9")) func `a TPM that is a program claims no more than a file`() async throws {
        let bench = try await TPMBench()
        #expect(bench.store.assurance(of: .deviceOnly) == .softwareFile)
        let properties = try await TPM(transport: bench.tpm.tcti).properties()
        #expect(!properties.isChip && properties.assuranceOfPIN == .softwareFile)
        #expect(bench.store.properties == properties)
        #expect(bench.store.assurance(of: .currentBiometrySet) == .softwareFile)
        #expect(bench.store.keepsLeases)
    }

    @Test func `no transport is missing hardware, and no TPM behind it is unavailable`() async throws {
        for (tcti, expected) in [("", DeviceRefusal.hardwareMissing), ("swtpm:path=/tmp/nobody", .unavailable)] {
            #expect(
                await refusal { () async throws(DeviceRefusal) in
                    _ = try await TPM(transport: tcti).properties()
                } == expected
            )
        }
    }

    @Test func `an item that nobody guards has no lease`() async throws {
        let bench = try await TPMBench()
        #expect(
            await refusal { () async throws(DeviceRefusal) in
                let lease = ItemLease(thisBootOnly: true)
                try await bench.store.save(.sample(), as: .sample(), access: .deviceOnly, lease: lease)
            } == .unclassified
        )
    }

    @Test func `after a boot a lease of that boot is over, and everything else opens`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1, ItemLease(thisBootOnly: true))
        try await bench.saveGuarded(2, ItemLease(thisBootOnly: false, duration: .hours(1)))
        try await bench.saveGuarded(3)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        let answers = try await answers(of: bench)
        #expect(try await bench.refusalOfMatch(1) == nil)

        try bench.tpm.restart()
        #expect(try await bench.store.describe(.sample(1)) != nil, "it was not revoked")
        let shown = bench.owner.promptsShown
        #expect(await bench.store.refusalOfRead(.sample(1)) == .lockedOut)
        #expect(bench.owner.promptsShown == shown, "nobody is asked for a finger in vain")
        for number: UInt64 in [2, 3] { #expect(try await bench.refusalOfMatch(number) == nil) }
        #expect(try await self.answers(of: bench) == answers)
    }

    private func answers(of bench: TPMBench) async throws -> [[UInt8]] {
        let plain = try await bench.store.evaluate(secret, input: [1, 2])
        let slotted = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [1, 2])
        return [plain.withBytes { $0.exposed }, slotted.withBytes { $0.exposed }]
    }

    @Test func `past its deadline by the TPM's clock an item asks for the PIN`() async throws {
        let bench = try await TPMBench()
        for (number, duration) in [
            (1, Milliseconds.zero), (2, Milliseconds(-5)), (3, .hours(1)), (4, Milliseconds(.max)),
        ]
            as [(UInt64, Milliseconds)]
        {
            try await bench.saveGuarded(number, ItemLease(thisBootOnly: false, duration: duration))
        }
        #expect(try await bench.refusalOfMatch(1) == .lockedOut)
        #expect(try await bench.refusalOfMatch(2) == .lockedOut)
        #expect(try await bench.refusalOfMatch(3) == nil)
        #expect(try await bench.refusalOfMatch(4) == nil)
    }

    @Test func `the TPM itself ends a lease, also when nobody looked before`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1, ItemLease(thisBootOnly: false, duration: .zero))
        try await bench.saveGuarded(2, ItemLease(thisBootOnly: true))
        try bench.tpm.restart()
        for number: UInt64 in [1, 2] {
            let record = try #require(try bench.store.record(of: .sample(number), .item))
            #expect(throws: DeviceRefusal.revoked) { _ = try bench.store.open(record, of: .sample(number)) }
        }
    }

    @Test func `renewal keeps the epoch: the old item goes, the new one stays`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try await bench.saveGuarded(2)
        try await bench.store.delete(.sample(1))
        #expect(try await bench.refusalOfMatch(2) == nil)
    }

    @Test(.holds("A7")) func `with a device secret every copy of its parts ends, and those of another go on`()
        async throws
    {
        let bench = try await TPMBench()
        let other = ItemName.sample(10, .deviceSecret)
        for name in [secret, other] {
            try await bench.store.makeDeviceSecret(name)
            try await bench.store.guardDeviceSecret(name, for: slot, with: .sample(7))
        }
        let use = { (name: ItemName) in
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.store.evaluate(name, for: slot, with: .sample(7), input: [1])
            }
        }
        let files = ["", "." + slot.text].map { "items/" + secret.text + $0 }
        let copies = try files.map { try bench.folder.read($0) }
        #expect(await use(secret) == nil)
        try await bench.store.delete(secret)
        for (file, copy) in zip(files, copies) { try bench.restore(copy, to: file) }
        #expect(await use(secret) == .absent)
        #expect(await use(other) == nil)
        // The counter was made anew for that, above all that were.
        #expect(await use(secret) == .absent)
        #expect(await bench.store.lockout()?.failures == 0)
    }

    @Test func `with the last guarded item every copy of it ends, and the PIN still opens`() async throws {
        let bench = try await TPMBench()
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        try await bench.saveGuarded(1)
        let file = "items/" + ItemName.sample(1).text
        let copy = try bench.folder.read(file)
        let answers = try await answers(of: bench)

        try await bench.store.delete(.sample(1))
        try bench.restore(copy, to: file)
        #expect(try await bench.refusalOfMatch(1) == .revoked)
        #expect(try await bench.store.describe(.sample(1)) == nil)
        let record = try #require(try bench.store.record(of: .sample(1), .item))
        #expect(throws: DeviceRefusal.revoked) { _ = try bench.store.open(record, of: .sample(1)) }
        #expect(try await self.answers(of: bench) == answers)
    }

    @Test func `a counter that was removed and made again never comes back to an old epoch`() async throws {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        let file = "items/" + ItemName.sample(1).text
        let copy = try bench.folder.read(file)
        // The vault's last item takes the counter with it.
        try await bench.store.delete(.sample(1))
        for number: UInt64 in 2...6 {
            try await bench.saveGuarded(number)
            try bench.restore(copy, to: file)
            #expect(try await bench.refusalOfMatch(1) == .revoked)
            try FileManager.default.removeItem(atPath: bench.folder.file(file))
            try await bench.store.delete(.sample(number))
        }
    }

    @Test(.holds("A28")) func `a finger that was enrolled before the prompt had the reader opens nothing`() async throws
    {
        let bench = try await TPMBench()
        let finger = Identifier(high: 9, low: 9)
        try await bench.saveGuarded(1)
        bench.owner.beforePrompt { bench.owner.enrol(finger) }
        #expect(try await bench.refusalOfMatch(1) == .revoked)
        bench.owner.remove(finger)
        #expect(try await bench.refusalOfMatch(1) == .revoked, "the epoch is over")
    }

    @Test(.holds("A28")) func `a set that changed back opens nothing, once the change was seen`() async throws {
        let bench = try await TPMBench()
        let finger = Identifier(high: 9, low: 9)
        try await bench.saveGuarded(1)
        let (file, copy) = (
            "items/" + ItemName.sample(1).text, try bench.folder.read("items/" + ItemName.sample(1).text)
        )
        bench.owner.enrol(finger)
        #expect(try await bench.store.describe(.sample(1)) == nil)
        bench.owner.remove(finger)
        #expect(try await bench.refusalOfMatch(1) == .revoked)
        try bench.restore(copy, to: file)
        #expect(try await bench.refusalOfMatch(1) == .revoked)
    }

    @Test(.holds("C9", "A28"), arguments: [DeviceRefusal.hardwareMissing, .readerFailed(afterMismatch: false)])
    func
        `while nobody can say who is enrolled an item is there, no finger opens it, and a change is not forgotten`(
            refusal: DeviceRefusal
        ) async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        bench.owner.fallSilent(refusal)
        #expect(try await bench.store.describe(.sample(1))?.access == .currentBiometrySet)
        #expect(await bench.store.refusalOfRead(.sample(1)) == refusal)
        #expect(bench.owner.promptsShown == 0)
        bench.owner.enrol(Identifier(high: 9, low: 9))
        #expect(try await bench.store.describe(.sample(1)) != nil)
        bench.owner.fallSilent(nil)
        #expect(try await bench.store.describe(.sample(1)) == nil)
        bench.owner.fallSilent(refusal)
        #expect(try await bench.store.describe(.sample(1)) == nil, "what has ended stays so")
    }

    @Test(.holds("A28"))
    func `a new set's item ends an old one's, so that it is gone also while nobody can say who is enrolled`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        bench.owner.enrol(Identifier(high: 9, low: 9))
        try await bench.saveGuarded(2)
        bench.owner.fallSilent(.unavailable)
        #expect(try await bench.store.describe(.sample(1)) == nil)
        #expect(try await bench.store.describe(.sample(2)) != nil)
    }

    @Test(.holds("A28")) func `an old set's item, found after a new one was saved, does not end the new one`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        bench.owner.enrol(Identifier(high: 9, low: 9))
        try await bench.saveGuarded(2)
        #expect(try await bench.refusalOfMatch(1) == .revoked)
        #expect(try await bench.refusalOfMatch(2) == nil)
    }

    @Test func `vaults have epochs of their own`() async throws {
        let bench = try await TPMBench()
        let other = ItemName.sample(1, vault: 2)
        try await bench.saveGuarded(1)
        try await bench.store.save(.sample(), as: other, access: .currentBiometrySet)
        try await bench.store.delete(.sample(1))
        try bench.touch()
        #expect(await bench.store.refusalOfRead(other) == nil)
    }

    @Test func `a credential outlives another spelling of its folder's path`() async throws {
        let bench = try await TPMBench()
        let name = ItemName.sample(1, .credential)
        try await bench.store.save(.sample(), as: name, access: .currentBiometrySet)
        let parent = bench.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: parent, withDestinationPath: bench.folder.path)
        for path in [bench.folder.path + "//items", bench.folder.path + "/./items", parent + "/items"] {
            let store = try await TPMBench.store(tcti: bench.proxy.tcti, folder: path, bench.owner)
            try bench.touch()
            #expect(await store.refusalOfRead(name) == nil, "\(path)")
        }
    }

    @Test func `credentials share one counter, whatever their names`() async throws {
        let bench = try await TPMBench()
        for vault: UInt64 in 1...4 {
            let name = ItemName.sample(vault, .credential, vault: vault)
            try await bench.store.save(.sample(), as: name, access: .currentBiometrySet)
        }
        let counters = try bench.store.tpm.talk { context throws(TPMFailure) in
            try context.handles(from: 0x0180_0000, count: 16).filter { $0 < 0x01C0_0000 }
        }
        #expect(counters.count == 1)
    }

    @Test(.holds("A26"))
    func `on a TPM that was cleared items are absent, secrets damaged, and nothing secret is sent to it`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try await bench.store.save(.sample(), as: .sample(2), access: .deviceOnly)
        try await bench.store.makeDeviceSecret(secret)
        try await bench.store.guardDeviceSecret(secret, for: slot, with: .sample(7))
        try bench.tpm.replaceState(by: [:])
        bench.proxy.forget()
        #expect(try await bench.refusalOfMatch(1) == .absent)
        #expect(await bench.store.refusalOfRead(.sample(2)) == .absent)
        #expect(
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.store.evaluate(secret, for: slot, with: .sample(7), input: [])
            } == .damaged
        )
        #expect(
            await refusal { () async throws(DeviceRefusal) in
                _ = try await bench.store.evaluate(secret, input: [])
            } == .damaged
        )
        await #expect(throws: DeviceRefusal.damaged) { _ = try await bench.store.describe(secret) }
        #expect(try await bench.store.describe(.sample(2)) == nil)
        #expect(
            await refusal { () async throws(DeviceRefusal) in
                try await bench.store.guardDeviceSecret(secret, for: Identifier(high: 0, low: 1), with: .sample(7))
            } == .absent
        )
        // Create, Load, Unseal, HMAC, StartAuthSession.
        #expect(Set(bench.proxy.codes).isDisjoint(with: [0x153, 0x157, 0x15E, 0x155, 0x176]))
    }

    @Test(.holds("A9")) func `a TPM rolled back with the files opens what was revoked, which is why it is no hardware`()
        async throws
    {
        let bench = try await TPMBench()
        try await bench.saveGuarded(1)
        try bench.tpm.shutDown()
        let state = try bench.tpm.copyState()
        try bench.tpm.start()
        let file = "items/" + ItemName.sample(1).text
        let copy = try bench.folder.read(file)
        try await bench.store.delete(.sample(1))
        try bench.restore(copy, to: file)
        #expect(try await bench.refusalOfMatch(1) == .revoked)

        try bench.tpm.replaceState(by: state)
        #expect(try await bench.refusalOfMatch(1) == nil)
        #expect(bench.store.assurance(of: .currentBiometrySet) < .hardwareBound)
    }
}

extension TPMBench {
    /// Puts a copy of a file in its place, closed to others as it was.
    func restore(_ copy: [UInt8], to file: String) throws {
        try folder.write(copy, to: file)
        unsafe chmod(folder.file(file), 0o600)
    }
}
