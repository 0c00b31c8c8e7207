import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

@Suite("The envelope of an account's keys") struct AccountEnvelopeTests {
    private static let origin = "https://id.example.org"

    private static func name(_ text: String = "ada") throws -> AccountName { try #require(AccountName(text)) }

    private static func key(_ password: String = "a password", salt: UInt8 = 7) throws -> EnvelopeKey {
        try AccountPassword(
            SecretBytes(text: password),
            salt: [UInt8](repeating: salt, count: 16),
            kdf: AccountRoom.kdf
        ).takeEnvelopeKey()
    }

    private static func seal(_ envelope: borrowing AccountEnvelope, _ key: borrowing EnvelopeKey) throws -> [UInt8] {
        try envelope.sealed(under: key, of: name(), at: origin)
    }

    private static func open(_ sealed: [UInt8]?, _ key: borrowing EnvelopeKey) throws -> AccountEnvelope {
        try AccountEnvelope(opening: sealed, with: key, of: name(), at: origin)
    }

    /// The key of a name, in the open.
    private static func bytes(_ envelope: borrowing AccountEnvelope, _ name: Identifier) -> [UInt8]? {
        envelope.bytes(of: name)
    }

    @Test func `what was sealed opens, with all that was in it`() throws {
        let (one, two) = (Identifier.make(), Identifier.make())
        let first = try AccountEnvelope.first(for: one)
        let envelope = try first.noting(two, wrappedUnder: first.keys.newest).changing()
        let key = try Self.key()
        let opened = try Self.open(Self.seal(envelope, key), key)
        #expect(opened.keys.names == envelope.keys.names && opened.wrapped == envelope.wrapped)
        for name in envelope.keys.names { #expect(Self.bytes(opened, name) == Self.bytes(envelope, name)) }
        #expect(opened.keys.names.count == 2 && opened.keys.names[1] == first.keys.newest)
        #expect(opened.wrapped == [one: first.keys.newest, two: first.keys.newest])
        #expect(Self.bytes(opened, opened.keys.newest) != Self.bytes(opened, first.keys.newest))
    }

    @Test func `of another password, account, service, salt or cost, or changed in any bit, it opens for nobody`()
        throws
    {
        let key = try Self.key()
        let sealed = try Self.seal(AccountEnvelope.first(for: .make()), key)
        func refused(
            _ sealed: [UInt8]?,
            _ key: borrowing EnvelopeKey,
            _ name: String = "ada",
            _ origin: String = Self.origin
        ) throws {
            let account = try Self.name(name)
            do throws(AccountFailure) {
                _ = try AccountEnvelope(opening: sealed, with: key, of: account, at: origin)
                Issue.record("opened")
            } catch {
                #expect(error == .keyMissing)
            }
        }
        try refused(nil, key)
        try refused([], key)
        try refused(sealed, Self.key("another"))
        try refused(sealed, Self.key(salt: 8))
        try refused(sealed, key, "adb")
        try refused(sealed, key, "ada", "https://id.example.com")
        try refused(sealed + [0], key)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1 << UInt8(index % 8)
            try refused(changed, key)
            try refused(Array(sealed.prefix(index)), key)
        }
        #expect(VaultError(AccountFailure.keyMissing).code == .accountKeyMissing)
    }

    @Test func `the associated data names purpose, format, service, account, salt and cost`() throws {
        let key = try Self.key()
        let data = try AccountEnvelope.associatedData(key, Self.name(), Self.origin)
        var expected: [UInt8] = [0, 0, 0, 29] + Array("thumbturn.v1.account-envelope".utf8) + [1]
        expected += [0, 0, 0, 22] + Array(Self.origin.utf8) + [0, 0, 0, 3] + Array("ada".utf8)
        expected += [0, 0, 0, 16] + [UInt8](repeating: 7, count: 16) + [0, 0, 0x4C, 0, 0, 0, 0, 2]
        #expect(data == expected)
    }

    @Test func `33 keys and 128 devices fit, and no more are taken`() throws {
        let first = Identifier.make()
        var envelope = try AccountEnvelope.first(for: first)
        for _ in 0..<AccountEnvelope.mostFormerKeys { envelope = try envelope.changing() }
        while envelope.wrapped.count < AccountEnvelope.mostDevices {
            envelope = try envelope.noting(.make(), wrappedUnder: envelope.keys.newest)
        }
        let key = try Self.key()
        let sealed = try Self.seal(envelope, key)
        #expect(envelope.keys.names.count == 33 && sealed.count <= 4_096)
        #expect(try Self.open(sealed, key).wrapped == envelope.wrapped)
        let newest = envelope.keys.newest
        #expect(throws: AccountFailure.devicesLag) { _ = try envelope.changing() }
        #expect(throws: AccountFailure.devicesLag) { _ = try envelope.noting(.make(), wrappedUnder: newest) }
        #expect(throws: AccountFailure.keyMissing) { _ = try envelope.noting(first, wrappedUnder: .make()) }
        #expect(VaultError(AccountFailure.devicesLag).code == .accountDevicesLag)
    }

    @Test func `a former key goes when every listed device is noted and none needs it`() throws {
        let (one, two, three) = (Identifier.make(), Identifier.make(), Identifier.make())
        var envelope = try AccountEnvelope.first(for: one)
        let oldest = envelope.keys.newest
        envelope = try envelope.noting(two, wrappedUnder: oldest).changing()
        let newest = envelope.keys.newest
        envelope = try envelope.noting(one, wrappedUnder: newest)
        #expect(try envelope.dropping(whenListed: [one, two]).keys.names == [newest, oldest])  // two needs it
        envelope = try envelope.noting(two, wrappedUnder: newest)
        #expect(try envelope.dropping(whenListed: [one, two, three]).keys.names == [newest, oldest])  // three may
        #expect(try envelope.dropping(whenListed: [one, two]).keys.names == [newest])
        #expect(try envelope.dropping(whenListed: []).keys.names == [newest])
    }

    @Test func `a device that is listed no more needs no key`() throws {
        let (one, two) = (Identifier.make(), Identifier.make())
        var envelope = try AccountEnvelope.first(for: one)
        let oldest = envelope.keys.newest
        envelope = try envelope.noting(two, wrappedUnder: oldest).changing()
        let newest = envelope.keys.newest
        envelope = try envelope.noting(one, wrappedUnder: newest).withoutDevices { $0 != one }
        #expect(envelope.wrapped == [one: newest] && envelope.keys.names == [newest, oldest])
        #expect(try envelope.dropping(whenListed: [one]).keys.names == [newest])
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `no order of operations loses the newest key, or one that a device needs`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let devices = (0..<5).map { _ in Identifier.make() }
        var listed = Set(devices.prefix(2))
        var envelope = try AccountEnvelope.first(for: devices[0])
        var known = [envelope.keys.newest: Self.bytes(envelope, envelope.keys.newest)]
        for _ in 0..<60 {
            let device = try #require(devices.randomElement(using: &generator))
            let (former, newest) = (envelope.wrapped, envelope.keys.newest)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                let name = try #require(envelope.keys.names.randomElement(using: &generator))
                envelope = try envelope.noting(device, wrappedUnder: name)
            case 1 where envelope.keys.names.count <= AccountEnvelope.mostFormerKeys:
                envelope = try envelope.changing()
                #expect(envelope.keys.newest != newest && envelope.keys.names.dropFirst().first == newest)
                known[envelope.keys.newest] = Self.bytes(envelope, envelope.keys.newest)
            case 2: listed.formSymmetricDifference([device])
            case 3: envelope = try envelope.withoutDevices { !listed.contains($0) }
            default:
                let names = envelope.keys.names
                envelope = try envelope.dropping(whenListed: Array(listed))
                #expect(envelope.keys.newest == newest && envelope.wrapped == former)
                if !listed.allSatisfy({ former[$0] != nil }) { #expect(envelope.keys.names == names) }
            }
            for name in envelope.keys.names { #expect(Self.bytes(envelope, name) == known[name], "seed \(seed)") }
            #expect(envelope.wrapped.values.allSatisfy(envelope.keys.names.contains), "seed \(seed)")
        }
    }

    @Test func `whatever a device sealed that had our key, it opens to one thing or to none`() throws {
        let key = try Self.key()
        let account = try Self.name()
        let data = try AccountEnvelope.associatedData(key, account, Self.origin)
        let first = try AccountEnvelope.first(for: .make())
        let envelope = try first.noting(.make(), wrappedUnder: first.keys.newest).changing()
        let plain = envelope.plaintext.withBytes { $0.exposed }
        var generator = SeededGenerator(seed: 16)
        for _ in 0..<2_000 {
            let changed = generator.mutate(plain)
            let sealed = try unsafe AES256GCM.seal(
                changed.span.bytes,
                key: key.bytes,
                associatedData: data,
                prefix: [AccountEnvelope.format]
            )
            guard sealed.count <= AccountEnvelope.mostBytes else { continue }
            do throws(AccountFailure) {
                let opened = try AccountEnvelope(opening: sealed, with: key, of: account, at: Self.origin)
                #expect(opened.plaintext.withBytes { $0.exposed } == changed)
            } catch {
                #expect(error == .keyMissing)
            }
        }
    }

    /// Format 1, frozen: under the key of `a password`, for `ada` at `https://id.example.org`.
    private static let sample = """
        019a3e971e68eefd35cda5eb34306c33a2a457a1e114d78d4ca3dacc4f5cb7a5a97a964b643ffa0168a9c66974186ffc\
        c66fc79b4a780e10e439ed3188d9f22352601d0c6e8489dd0fa96cb0ce9dc2936130be0cbcd2bec0fb99ed407a1c2f45\
        8528f5384a0b834c40c2dcc04fd17722b68c0b0cfbb7aab43911cb40071569514da38f99b6e90ca392b993e85c2f2255\
        09ee00feefe2d665417721391a07e6674aeb
        """

    @Test func `what format 1 once sealed opens for ever`() throws {
        let (newest, former) = ("09db84869797a6c031644491ff2ec630", "0841e2fd8abcfcae71c51c74490454c6")
        let opened = try Self.open(TextCode.hexadecimal.decode(Array(Self.sample.utf8)), Self.key())
        #expect(opened.keys.names.map(\.text) == [newest, former])
        let one = try #require(Identifier(text: "000102030405060708090a0b0c0d0e0f"))
        let two = try #require(Identifier(text: "101112131415161718191a1b1c1d1e1f"))
        #expect(opened.wrapped.mapValues(\.text) == [one: newest, two: former])
        let keys = opened.keys.names.map { TextCode.hexadecimal.encode(Self.bytes(opened, $0) ?? []) }
        #expect(
            keys.map { String(decoding: $0, as: UTF8.self) } == [
                "be124ee7f47cda65eacc5c4c416192a1ece5825911fffbc44c88e722898bb671",
                "96bcda7055fedc7c346dc424bb949bdf8d234dc1b8a087e2741cb03ff20f5fd5",
            ]
        )
    }
}
