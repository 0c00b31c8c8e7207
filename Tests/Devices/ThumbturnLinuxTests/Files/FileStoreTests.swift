import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("The store of a machine without a TPM")
struct FileStoreTests {
    let folder: TemporaryFolder
    let owner = ScriptedOwner()
    let store: FileStore

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("0123456789abcdef".utf8), to: "machine-id")
        store = try Self.store(folder, owner)
    }

    private static func store(_ folder: TemporaryFolder, _ owner: ScriptedOwner) throws -> FileStore {
        try FileStore(folder: folder.file("items"), machineID: folder.file("machine-id"), gate: OwnerGate(owner))
    }

    private static func device(_ folder: TemporaryFolder, _ owner: ScriptedOwner) throws -> Device {
        let (store, simulated) = (try store(folder, owner), owner.simulated.device)
        return Device(
            kind: .linux,
            store: store,
            prompt: owner,
            anchor: store.anchor,
            clock: simulated.clock,
            installation: simulated.installation
        )
    }

    @Test(arguments: DeviceContract.Clause.allCases)
    func `a store and anchor of files keep`(clause: DeviceContract.Clause) async throws {
        let (folder, owner) = (try TemporaryFolder(), ScriptedOwner())
        try folder.write(Array("one".utf8), to: "machine-id")
        let contract = DeviceContract {
            let machine = LatestDevice(try Self.device(folder, owner))
            return ContractDevice(device: machine.device, offers: [.deviceOnly, .currentBiometrySet]) { event in
                switch event {
                case .lockDevice, .unlockDevice:
                    let mode = event == .lockDevice ? 0o755 : 0o700
                    let path = folder.file("items")
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                case .restoreElsewhere:
                    try folder.write(Array("two".utf8), to: "machine-id")
                    machine.become(try Self.device(folder, owner))
                    try owner.simulate(event)
                default:
                    guard event.happensOnLinux else { return false }
                    try owner.simulate(event)
                }
                return true
            } promptsShown: {
                owner.promptsShown
            }
        }
        #expect(try await contract.check(clause) == clause.verdictOnLinux)
    }

    @Test func `it claims no more than a file, counts no guesses, keeps no leases`() async throws {
        for access in AccessControl.allCases { #expect(store.assurance(of: access) == .softwareFile) }
        #expect(!store.keepsLeases)

        let (name, slot) = (ItemName.sample(1, .deviceSecret), Identifier(high: 0, low: 1))
        try await store.makeDeviceSecret(name)
        try await store.guardDeviceSecret(name, for: slot, with: .sample(1))
        let plain = try await store.evaluate(name, input: [1])
        let slotted = try await store.evaluate(name, for: slot, with: .sample(2), input: [1])
        #expect(SecretBytes.constantTimeEqual(plain, slotted) == true)

        let lease = ItemLease(thisBootOnly: true, duration: .zero)
        try await store.save(.sample(), as: .sample(), access: .deviceOnly, lease: lease)
        #expect(await store.refusalOfRead() == nil)
    }

    @Test func `a device key signs for another process too, and from a damaged file nothing`() async throws {
        let name = ItemName.sample(1, .deviceKey)
        let key = try await store.makeDeviceKey(name)
        let another = try Self.store(folder, owner)
        try P256.verify(signature: await another.sign([1, 2], with: name), of: [1, 2], publicKey: key)

        let file = "items/" + name.text
        var bytes = try folder.read(file)
        bytes[bytes.count - SHA256.byteCount - 1] ^= 1
        try folder.write(bytes, to: file)
        await #expect(throws: DeviceRefusal.damaged) { _ = try await another.sign([1], with: name) }
        await #expect(throws: DeviceRefusal.damaged) { _ = try await another.devicePublicKey(name) }
    }

    @Test(.holds("A28")) func `a finger that was enrolled before the prompt had the reader opens nothing`() async throws
    {
        let finger = Identifier(high: 9, low: 9)
        try await store.save(.sample(), as: .sample(), access: .currentBiometrySet)
        owner.beforePrompt { [owner] in owner.enrol(finger) }
        try owner.simulate(.finger(.match))
        #expect(await store.refusalOfRead() == .revoked)
        owner.remove(finger)
        try owner.simulate(.finger(.match))
        #expect(await store.refusalOfRead() == .revoked, "the secret is gone")
    }

    @Test(.holds("A28")) func `an item that another process ended while the prompt was up opens nothing`() async throws
    {
        let finger = Identifier(high: 9, low: 9)
        try await store.save(.sample(), as: .sample(), access: .currentBiometrySet)
        owner.beforePrompt { [owner, store] in
            owner.enrol(finger)
            _ = try? await store.describe(.sample())
            owner.remove(finger)
        }
        try owner.simulate(.finger(.match))
        #expect(await store.refusalOfRead() == .revoked)
    }

    @Test(.holds("A28")) func `an item of another set is gone, also when the set comes back`() async throws {
        let finger = Identifier(high: 9, low: 9)
        try await store.save(.sample(), as: .sample(), access: .currentBiometrySet)
        owner.enrol(finger)
        #expect(try await store.describe(.sample()) == nil)
        owner.remove(finger)
        try owner.simulate(.finger(.match))
        #expect(await store.refusalOfRead() == .revoked)
        #expect(
            try folder.read("items/" + ItemName.sample().text).filter { $0 == 0xA5 }.count < 32,
            "the secret is gone"
        )
    }

    @Test(.holds("C9", "A28"), arguments: [DeviceRefusal.hardwareMissing, .readerFailed(afterMismatch: false)])
    func
        `while nobody can say who is enrolled an item is there, no finger opens it, and a change is not forgotten`(
            refusal: DeviceRefusal
        ) async throws
    {
        try await store.save(.sample(), as: .sample(1), access: .currentBiometrySet)
        owner.fallSilent(refusal)
        #expect(try await store.describe(.sample(1))?.access == .currentBiometrySet)
        #expect(await store.refusalOfRead(.sample(1)) == refusal)
        #expect(owner.promptsShown == 0)
        owner.enrol(Identifier(high: 9, low: 9))
        #expect(try await store.describe(.sample(1)) != nil)
        owner.fallSilent(nil)
        #expect(try await store.describe(.sample(1)) == nil)
        owner.fallSilent(refusal)
        #expect(try await store.describe(.sample(1)) == nil, "what has ended stays so")
    }

    @Test(.holds("A25")) func `every flipped bit and every cut of a file says damaged, and never absent`()
        async throws
    {
        try await store.save(.sample(), as: .sample(), access: .deviceOnly)
        let file = "items/" + ItemName.sample().text
        let good = try folder.read(file)
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 1 << UInt8(index % 8)
            try folder.write(bytes, to: file)
            #expect(await store.refusalOfRead() == .damaged, "a flip at \(index)")
            try folder.write(Array(good[..<index]), to: file)
            #expect(await store.refusalOfRead() == .damaged, "a cut at \(index)")
        }
        await #expect(throws: DeviceRefusal.damaged) { _ = try await store.describe(.sample()) }
        try folder.write(good, to: file)
        #expect(await store.refusalOfRead() == nil)
    }

    @Test(.holds("A25")) func `a whole file of a later version is unavailable`() async throws {
        try await store.save(.sample(), as: .sample(), access: .deviceOnly)
        let file = "items/" + ItemName.sample().text
        var body = Array(try folder.read(file).dropLast(SHA256.byteCount))
        // Magic, the length of the record, and then its version.
        body[12] = 2
        try folder.write(body + SHA256.digest(body), to: file)
        #expect(await store.refusalOfRead() == .unavailable)
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await store.describe(.sample()) }
    }

    @Test func `a file under another item's name is not that item`() async throws {
        try await store.save(.sample(), as: .sample(1), access: .deviceOnly)
        let items = folder.file("items/")
        try FileManager.default.copyItem(
            atPath: items + ItemName.sample(1).text,
            toPath: items + ItemName.sample(2).text
        )
        #expect(await store.refusalOfRead(.sample(2)) == .damaged)
    }

    @Test func `a name that could be a path is no item's`() async throws {
        let odd = try #require(ItemName(text: "thumbturn.../../etc/passwd"))
        #expect(await store.refusalOfRead(odd) == .absent)
        #expect(
            await refusal { () async throws(DeviceRefusal) in
                try await store.save(.sample(), as: odd, access: .deviceOnly)
            } == .unclassified
        )
    }

    // MARK: A machine that the system does not name

    @Test(arguments: ["", "uninitialized\n", nil])
    func `a machine without a name gets one of its own, which stays`(content: String?) async throws {
        let folder = try TemporaryFolder()
        if let content { try folder.write(Array(content.utf8), to: "machine-id") }
        try await Self.store(folder, owner).save(.sample(), as: .sample(), access: .deviceOnly)
        #expect(try await Self.store(folder, owner).refusalOfRead() == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("items/machine"))[.posixPermissions]
        #expect(mode as? Int == 0o600)

        try folder.write(Array("named at last".utf8), to: "machine-id")
        #expect(try await Self.store(folder, owner).refusalOfRead() == nil)
    }

    @Test func `two machines without a name have two`() throws {
        let folders = try [TemporaryFolder(), TemporaryFolder()]
        for folder in folders { _ = try Self.store(folder, owner) }
        #expect(try folders[0].read("items/machine") != folders[1].read("items/machine"))
    }

    @Test func `a machine's name that a sandbox hides behind a device is none`() throws {
        let folder = try TemporaryFolder()
        let items = try PrivateFolder(creating: folder.file("items"))
        let home = try MachineHome(naming: "/dev/null", in: items).home
        #expect(try MachineHome(naming: folder.file("machine-id"), in: items).home == home)
    }

    @Test func `many that ask first find one name`() async throws {
        let folder = try TemporaryFolder()
        let homes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 1...16 {
                group.addTask {
                    let items = try PrivateFolder(creating: folder.file("items"))
                    return try MachineHome(naming: folder.file("machine-id"), in: items).home
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(homes.count == 1)
    }

    @Test(.holds("A25"))
    func `while the machine's name is missing nothing of it is called absent, and all is there again after`()
        async throws
    {
        let secret = ItemName.sample(1, .deviceSecret)
        try await store.save(.sample(), as: .sample(), access: .deviceOnly)
        try await store.makeDeviceSecret(secret)
        try await store.anchor.rise(to: 7, for: secret)
        try FileManager.default.removeItem(atPath: folder.file("machine-id"))
        let nameless = try Self.store(folder, owner)
        #expect(await nameless.refusalOfRead() == .unavailable)
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await nameless.describe(secret) }
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await nameless.anchor.sequence(for: secret) }

        try folder.write(Array("0123456789abcdef".utf8), to: "machine-id")
        let named = try Self.store(folder, owner)
        #expect(await named.refusalOfRead() == nil)
        #expect(try await named.anchor.sequence(for: secret) == 7)
    }

    @Test(.holds("A25")) func `a damaged name is told by what was made under it, and stays as it is`() async throws {
        let folder = try TemporaryFolder()
        try await Self.store(folder, owner).save(.sample(), as: .sample(), access: .deviceOnly)
        let good = try folder.read("items/machine")
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 1
            try folder.write(bytes, to: "items/machine")
            #expect(try await Self.store(folder, owner).refusalOfRead() == nil, "a flip at \(index)")
            #expect(try folder.read("items/machine") == bytes)
        }
        // Beside a name of the system's nothing tells whose a file is that names another.
        try folder.write(Array("named at last".utf8), to: "machine-id")
        #expect(try await Self.store(folder, owner).refusalOfRead() == .damaged)
        try folder.write(good, to: "items/machine")
        #expect(try await Self.store(folder, owner).refusalOfRead() == nil)
    }

    @Test func `a damaged name that nothing is bound to is made anew`() throws {
        let folder = try TemporaryFolder()
        _ = try Self.store(folder, owner)
        try folder.write([1], to: "items/machine")
        _ = try Self.store(folder, owner)
        #expect(try folder.read("items/machine").count > 32)
    }
}
