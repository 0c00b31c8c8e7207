import Foundation
import StandIn
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("What lies in the keychain", .serialized)
struct StoreTests {
    /// The flags of a guard, as Apple's headers number them.
    static let flags: [AccessControl: UInt] = [
        .deviceOnly: 0,
        .currentBiometrySet: Control.biometryCurrentSet,
        .anyBiometryOrPasscode: Control.biometryAny | Control.or | Control.devicePasscode,
    ]

    @Test(
        "each item has the guard that was asked for",
        .holds("A32", "C2"),
        arguments: AccessControl.allCases,
        [Carrier.enclave, .keychain]
    )
    func guards(access: AccessControl, carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save(1, access)
        for row in app.phone.itemRows {
            let isGuarded = row.service == "thumbturn.secret"
            #expect(row.control.flags == (isGuarded ? Self.flags[access] : 0))
        }
        #expect(
            app.phone.itemRows.contains { $0.service == "thumbturn.secret" }
                == (carrier == .keychain || access != .deviceOnly)
        )
    }

    @Test(
        "every row stays on this device, in the app's own group, out of sync",
        .holds("A62", "B-12"),
        arguments: Carrier.allCases
    )
    func attributes(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        for access in AccessControl.allCases { try await app.save(UInt64(access.rawValue), access) }
        try await app.device.store.makeDeviceSecret(app.name(9, .deviceSecret))
        try await app.device.anchor.rise(to: 1, for: app.name(9, .deviceSecret))
        _ = try await app.device.installation()
        #expect(app.phone.rows.count > 8)
        for row in app.phone.rows {
            #expect(row.control.protection == .whenUnlockedThisDeviceOnly)
            #expect(row.attributes["sync"] == .flag(false))
            #expect(row.text("agrp") == App.group)
        }
        #expect(app.phone.restoredOnNewDevice().rows.isEmpty)
    }

    @Test("on a Mac every row lies in the keychain that knows access control")
    func mac() async throws {
        let app = try await App.installed(PhoneSetup(kind: .mac, sensor: .touchID))
        try await app.save()
        #expect(app.phone.rows.allSatisfy { $0.keychain == .dataProtection })
        #expect(await app.refusalOfRead() == nil)
    }

    @Test("behind the enclave no row holds a secret, or what only the keychain would keep", .holds("B-06"))
    func sealed() async throws {
        let app = try await App.installed()
        for access in AccessControl.allCases { try await app.save(UInt64(access.rawValue), access) }
        let secret = SecretBytes.sample.withBytes { Data($0.exposed) }
        #expect(app.phone.rows.allSatisfy { $0.value.range(of: secret) == nil })
        #expect(app.phone.enclaveKeyCount == 3)
    }

    @Test(
        "nothing that the sensor or the system says of fingers and faces is kept",
        .holds("INV-107-06"),
        arguments: Carrier.allCases
    )
    func nothingBiometric(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save()
        #expect(await app.refusalOfRead() == nil)
        let state = try #require(app.phone.biometryState.hash)
        for row in app.phone.rows {
            #expect(row.value.range(of: state) == nil)
            #expect(!row.attributes.values.contains(.data(state)))
        }
    }

    @Test(
        "an attribute that the platform drops shows, whatever row it was meant for",
        .holds("A32"),
        arguments: ["accc", "pdmn", "sync"],
        [Carrier.enclave, .keychain]
    )
    func dropped(attribute: String, carrier: Carrier) async throws {
        for row in 0..<2 where !(attribute == "accc" && row == 0) {
            let app = try await App.installed(PhoneSetup(), carrier)
            _ = try await app.device.installation()
            app.phone.fail(.itemAdd, .drops([attribute]), skipping: row)
            try await app.save()
            let description = try await app.device.store.describe(app.name())
            #expect(description != ItemDescription(access: .currentBiometrySet, staysOnDevice: true), "row \(row)")
        }
    }

    @Test("a key of the enclave that works for anybody is described as what it is", .holds("A32"))
    func unguardedKey() async throws {
        let app = try await App.installed()
        let keychain = Keychain(accessGroup: App.group)
        let fresh = try EnclaveKey.make(for: .deviceOnly)
        let record = ItemRecord(kind: .item, access: .currentBiometrySet, place: .enclave(fresh.key, box: [1]))
        try keychain.add(secret(try record.bytes), as: app.row(.record))
        try keychain.add(.marker, as: app.row(.secret), under: .currentBiometrySet)
        let description = try await app.device.store.describe(app.name())
        #expect(description == ItemDescription(access: .deviceOnly, staysOnDevice: true))
    }

    @Test("a record that was moved to another name, or says less than it did, opens nothing", .holds("A30"))
    func swappedRecord() async throws {
        let app = try await App.installed()
        let keychain = Keychain(accessGroup: App.group)
        try await app.save(1, .deviceOnly)
        let stolen = try keychain.value(of: app.row(.record, 1))
        try keychain.add(secret(Array(stolen)), as: app.row(.record, 2))
        #expect(await app.refusalOfRead(2) == .unclassified)

        var record = try ItemRecord(parsing: Array(stolen))
        record.access = .anyBiometryOrPasscode
        try keychain.delete(app.row(.record, 1))
        try keychain.add(secret(try record.bytes), as: app.row(.record, 1))
        #expect(await app.refusalOfRead(1) == .unclassified)
        // It was the record: as it was, it opens.
        try keychain.delete(app.row(.record, 1))
        try keychain.add(secret(Array(stolen)), as: app.row(.record, 1))
        #expect(await app.refusalOfRead(1) == nil)
    }

    @Test(
        "on a device, a record of the simulator's carrier opens nothing, and is vouched for by nobody",
        .holds("A32"),
        arguments: AccessControl.allCases,
        [Carrier.enclave, .keychain]
    )
    func simulatorsRecord(access: AccessControl, carrier: Carrier) async throws {
        let simulator = try await App.installed(PhoneSetup(), .simulated)
        try await simulator.save(1, access)
        try await simulator.device.store.makeDeviceSecret(simulator.name(2, .deviceSecret))
        #expect(await simulator.refusalOfRead() == nil)
        let rows = simulator.phone.itemRows.count
        simulator.phone.forgetPrompts()
        let app = try await App.launched(in: simulator.container, carrier)
        #expect(await app.refusalOfRead() == .unavailable)
        #expect(await app.refusalOfEvaluation(2) == .unavailable)
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.describe(app.name()) }
        #expect(app.phone.promptsShown == 0 && app.phone.itemRows.count == rows)
        try await app.device.store.delete(app.name())
        try await app.device.store.delete(app.name(2, .deviceSecret))
        #expect(app.phone.itemRows.isEmpty)
    }

    @Test(
        "a record of a later version is not taken for none, and stays",
        .holds("A25"),
        arguments: [[2, 0, 1, 0], [1], []] as [[UInt8]]
    )
    func laterVersion(bytes: [UInt8]) async throws {
        let app = try await App.installed()
        try Keychain(accessGroup: App.group).add(secret(bytes), as: app.row(.record))
        #expect(await app.refusalOfRead() == .unavailable)
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.describe(app.name()) }
        #expect(app.phone.itemRows.count == 1)
    }

    @Test(
        "each code that a read of a record can end with leaves everything as it was",
        .holds("A25"),
        arguments: [
            -25291, -25308, -25300, -25315, -25320, -26275, -34018, -25293, -50, -4_711,
        ]
    )
    func faultyReads(code: Int) async throws {
        for skipping in 0..<4 {
            let app = try await App.installed()
            let secret = app.name(9, .deviceSecret)
            try await app.device.store.makeDeviceSecret(secret)
            try await app.device.anchor.rise(to: 3, for: secret)
            let before = app.phone.rows.map(\.value)
            app.phone.fail(.itemCopy, .refuses(code), skipping: skipping, times: 100)
            let refusals = [
                await app.refusalOfEvaluation(9),
                await app.refusal { () async throws(DeviceRefusal) in _ = try await app.device.store.describe(secret) },
                await app.refusal { () async throws(DeviceRefusal) in
                    _ = try await app.device.anchor.position(for: secret)
                },
                await app.refusal { () async throws(DeviceRefusal) in try await app.device.store.delete(secret) },
            ]
            #expect(!refusals.contains(.absent), "\(code) after \(skipping)")
            app.phone.repair()
            #expect(app.phone.rows.map(\.value) == before)
            #expect(try await app.device.anchor.sequence(for: secret) == 3)
        }
    }

    @Test("a key that the enclave has forgotten is absent only while the enclave works")
    func deadKey() async throws {
        let app = try await App.installed()
        let secret = app.name(9, .deviceSecret)
        try await app.device.store.makeDeviceSecret(secret)
        try await app.save(1, .deviceOnly)
        app.phone.forgetEnclaveKeys()
        app.phone.fail(.makeKey, .refuses(-50))
        #expect(await app.refusalOfEvaluation(9) == .unavailable)
        app.phone.fail(.makeKey, .refuses(-50))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.describe(secret) }

        // Its row lies there, so no new PIN let it go; an item is gone.
        #expect(await app.refusalOfEvaluation(9) == .damaged)
        await #expect(throws: DeviceRefusal.damaged) { try await app.device.store.describe(secret) }
        #expect(await app.refusalOfRead() == .absent)
        #expect(app.phone.promptsShown == 0)
    }

    @Test("a fault of the enclave that passes costs nothing")
    func passingFault() async throws {
        let app = try await App.installed()
        let secret = app.name(9, .deviceSecret)
        try await app.device.store.makeDeviceSecret(secret)
        for call in [Call.openKey, .agreeKey] {
            app.phone.fail(call, .refuses(-50))
            #expect(await app.refusalOfEvaluation(9) == .unavailable)
        }
        #expect(await app.refusalOfEvaluation(9) == nil)
    }

    @Test("a device key signs for the app that is started again", arguments: Carrier.allCases)
    func deviceKey(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        let name = app.name(8, .deviceKey)
        let key = try await app.device.store.makeDeviceKey(name)
        let again = try await app.relaunched()
        let signature = try await again.device.store.sign([1, 2], with: name)
        try ThumbturnCrypto.P256.verify(signature: signature, of: [1, 2], publicKey: key)
        #expect(app.phone.itemRows.count == (carrier == .enclave ? 1 : 2))
        #expect(app.phone.enclaveKeyCount == (carrier == .enclave ? 1 : 0))
    }

    @Test("a device key that the enclave has forgotten is absent only while the enclave works", .holds("A25"))
    func deadDeviceKey() async throws {
        let app = try await App.installed()
        let name = app.name(8, .deviceKey)
        _ = try await app.device.store.makeDeviceKey(name)
        for call in [Call.openKey, .signKey] {
            app.phone.fail(call, .refuses(-50))
            #expect(await app.refusalOfSignature(8) == .unavailable)
        }
        #expect(await app.refusalOfSignature(8) == nil)

        app.phone.forgetEnclaveKeys()
        app.phone.fail(.makeKey, .refuses(-50))
        #expect(await app.refusalOfSignature(8) == .unavailable)
        app.phone.fail(.makeKey, .refuses(-50))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.describe(name) }
        #expect(await app.refusalOfSignature(8) == .absent)
        #expect(try await app.device.store.describe(name) == nil)
        await #expect(throws: DeviceRefusal.absent) { try await app.device.store.devicePublicKey(name) }
    }

    @Test("an enclave that makes no device key refuses it, and leaves nothing")
    func noDeviceKey() async throws {
        let app = try await App.installed()
        let name = app.name(8, .deviceKey)
        app.phone.fail(.makeKey, .refuses(-50))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.makeDeviceKey(name) }
        #expect(app.phone.itemRows.isEmpty)
        _ = try await app.device.store.makeDeviceKey(name)
    }

    @Test(
        "a secret whose second row is missing is one that was never saved whole",
        arguments: [Carrier.keychain, .simulated]
    )
    func halfAnItem(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        let record = ItemRecord(kind: .item, access: .deviceOnly, place: .row(carrier))
        try Keychain(accessGroup: App.group).add(secret(try record.bytes), as: app.row(.record))
        #expect(await app.refusalOfRead() == .absent)
        #expect(try await app.device.store.describe(app.name()) == nil)
    }

    @Test(
        "both rows or none: a save that fails at the second takes the first back",
        arguments: [Carrier.enclave, .keychain]
    )
    func halfASave(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        _ = try await app.device.installation()
        app.phone.fail(.itemAdd, .refuses(-25308), skipping: 1)
        await #expect(throws: DeviceRefusal.unavailable) { try await app.save() }
        #expect(app.phone.itemRows.isEmpty)
        try await app.save()
    }

    @Test("an enclave that makes no key refuses the save, and leaves nothing")
    func noKey() async throws {
        let app = try await App.installed()
        app.phone.fail(.makeKey, .refuses(-50))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.save() }
        #expect(app.phone.itemRows.isEmpty)
    }

    @Test("a sensor that is locked out is no reason not to save")
    func lockedOut() async throws {
        let app = try await App.installed()
        app.phone.lockOutBiometry()
        try await app.save()
        #expect(app.phone.promptsShown == 0)
    }

    @Test("a deletion that does not come to an end says so")
    func endlessDeletion() async throws {
        let app = try await App.installed()
        try await app.save(1, .deviceOnly)
        // Nothing goes, and the keychain says that it went.
        app.phone.fail(.itemDelete, .refuses(0), times: 100)
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.delete(app.name()) }
        app.phone.repair()
        app.phone.fail(.itemDelete, .refuses(-25293))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.store.delete(app.name()) }
    }

    @Test("the simulator says what it is, asks, and keeps nothing behind an access control")
    func simulator() async throws {
        let app = try await App.installed(PhoneSetup(kind: .simulator), .simulated)
        try await app.save()
        #expect(await app.refusalOfRead() == nil)
        app.phone.script(.cancel)
        #expect(await app.refusalOfRead() == .cancelledByUser(afterMismatch: false))
        #expect(app.phone.rows.allSatisfy { !$0.hasAccessControl })
        #expect(app.device.store.assurance(of: .currentBiometrySet) == .simulated)
        #expect(await app.device.prompt.capability().assurance == .simulated)
    }

    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}

@Suite("The record of an item")
struct ItemRecordTests {
    private static let key = EnclaveKey(
        sealedKey: [0xA1, 0xA2, 0xA3],
        peer: [4] + (0..<64).map { UInt8($0) }
    )

    private static let records: [ItemRecord] = [
        ItemRecord(kind: .item, access: .currentBiometrySet, place: .enclave(key, box: [9, 8, 7])),
        ItemRecord(kind: .deviceSecret, access: .deviceOnly, place: .enclave(key, box: [])),
        ItemRecord(kind: .item, access: .anyBiometryOrPasscode, place: .row(.keychain)),
        ItemRecord(kind: .deviceKey, access: .deviceOnly, place: .signer(EnclaveSigner(sealedKey: [0xA1, 0xA2, 0xA3]))),
        ItemRecord(kind: .deviceKey, access: .deviceOnly, place: .row(.keychain)),
        ItemRecord(kind: .item, access: .deviceOnly, place: .row(.simulated)),
    ]

    @Test("reads back as it was written", arguments: records)
    func roundTrip(record: ItemRecord) throws {
        #expect(try ItemRecord(parsing: record.bytes) == record)
    }

    @Test func `its bytes are what the formats say`() throws {
        let peer = (0..<64).map { UInt8($0) }
        let start: [UInt8] = [1, 0, 1, 0, 0, 0, 0, 3, 0xA1, 0xA2, 0xA3, 4]
        #expect(try Self.records[0].bytes == start + peer + [0, 0, 0, 3, 9, 8, 7])
        #expect(try Self.records[2].bytes == [1, 0, 2, 1])
        #expect(try Self.records[3].bytes == [1, 2, 0, 0, 0, 0, 0, 3, 0xA1, 0xA2, 0xA3])
    }

    @Test("is refused when a byte is missing, or one too many", arguments: records)
    func malformed(record: ItemRecord) throws {
        let bytes = try record.bytes
        for count in bytes.indices {
            #expect(throws: CryptoError.self) { try ItemRecord(parsing: Array(bytes[..<count])) }
        }
        #expect(throws: CryptoError.self) { try ItemRecord(parsing: bytes + [0]) }
        for index in 0..<4 {
            var other = bytes
            other[index] = 0xFF
            #expect(throws: CryptoError.self) { try ItemRecord(parsing: other) }
        }
    }

    @Test func `a box that could not be read back is not written`() {
        let record = ItemRecord(
            kind: .item,
            access: .deviceOnly,
            place: .enclave(Self.key, box: Array(repeating: 0, count: 65_565))
        )
        #expect(throws: CryptoError.parametersOutOfRange) { try record.bytes }
    }
}

extension App {
    func row(_ kind: Keychain.Row.Kind, _ number: UInt64 = 1) -> Keychain.Row {
        Keychain.Row(kind: kind, name: name(number).text)
    }
}
