import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnAccount

/// Who answers a device that asks, and has not the key of its last login.
@Suite("The proof of a contact", .serialized) struct ContactProofTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new

    private static func made(in room: AccountRoom, registering: Bool = true) async throws -> TestDevice {
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        return try await TestDevice.make(in: room, old, registering: registering, policy: policy)
    }

    private static func isContact(_ sent: Sent) -> Bool { sent.path.hasSuffix("/contact") }

    /// What somebody without the key makes of the true answer.
    private static let lies: [(String, @Sendable (Answer) -> Answer)] = [
        ("none", { with($0) { $0.proof = nil } }), ("empty", { with($0) { $0.proof = "" } }),
        ("another", { with($0) { $0.proof = [UInt8](repeating: 0, count: 32).base64.text } }),
        ("cut short", { with($0) { $0.proof?.removeLast(4) } }),
        ("a higher epoch", { $0.with("policyEpoch", .integer(9)) }),
        ("a lower epoch", { $0.with("policyEpoch", .integer(0)) }),
        ("another form", { with($0) { $0.body.append(0x20) } }),
        ("revoked", { Answer(status: 403, proof: $0.proof, body: Array(#"{"code":"DEVICE_REVOKED"}"#.utf8)) }),
        ("plainly revoked", { _ in .problem(403, "DEVICE_REVOKED") }),
    ]

    private static func with(_ answer: Answer, _ change: (inout Answer) -> Void) -> Answer {
        var answer = answer
        change(&answer)
        return answer
    }

    @Test(.holds("A50", "F-107-09"))
    func `an answer without it renews nothing and revokes nothing, and a login is asked for`() async throws {
        let room = try AccountRoom()
        let made = try await Self.made(in: room)
        try await made.change(Self.old, Self.new)
        try await made.enableBiometrics(Self.new)
        for (name, lie) in Self.lies {
            room.wire.through { sent, forward throws(TransportFailure) in
                Self.isContact(sent) ? lie(forward(sent)) : forward(sent)
            }
            #expect(await refusal { try await made.account.contact() } == .contactNotProved, "\(name)")
            try await made.touch()
            await made.vault.lock()
            try await made.account.unlockOffline(with: SecretBytes(text: Self.new))
        }
        // An answer of before, to another question of this very device.
        let first = Mutex<Answer?>(nil)
        room.wire.through { sent, forward throws(TransportFailure) in
            guard Self.isContact(sent) else { return forward(sent) }
            return first.withLock { kept in
                if let kept { return kept }
                kept = forward(sent)
                return kept ?? forward(sent)
            }
        }
        try await made.account.contact()
        #expect(await refusal { try await made.account.contact() } == .contactNotProved)
        // The silence goes on.
        try made.simulated.simulate(.advance(.days(8)))
        #expect(await refusal { try await made.account.contact() } == .contactNotProved)
        _ = try await made.vault.refresh()
        #expect(await made.vault.snapshot.biometrics == .revoked(.serverWordMissing))
        room.wire.through(nil)
        try await made.account.contact()
    }

    @Test(.holds("A50", "F-107-05"))
    func `who answers for the service keeps no former password alive beyond the silence that may be`() async throws {
        let room = try AccountRoom()
        let (made, other) = (try await Self.made(in: room), try await Self.made(in: room, registering: false))
        // The thief has the device and a former password; he saw true answers.
        let kept = Mutex<[Answer]>([])
        room.wire.through { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            if Self.isContact(sent) { kept.withLock { $0.append(answer) } }
            return answer
        }
        try await made.account.contact()
        try await other.change(Self.old, Self.new)
        room.wire.through { sent, _ throws(TransportFailure) in
            guard Self.isContact(sent), let answer = kept.withLock(\.first) else { throw .unreachable }
            return answer
        }
        var days = 0
        for _ in 0..<24 {
            try made.simulated.simulate(.advance(.days(1)))
            _ = await refusal { try await made.account.contact() }
            await made.vault.lock()
            let code = await refusal { try await made.account.unlockOffline(with: SecretBytes(text: Self.old)) }
            if code == nil { days += 1 }
        }
        #expect(days <= 7)
        room.wire.through(nil)
        #expect(await refusal { try await made.unlock(Self.old) } == .strongFactorRefused)
        try await made.unlock(Self.new)
        try await made.account.contact()
    }

    @Test(.holds("A50")) func `where one side has lost the key nothing is asked or believed, and a login mends it`()
        async throws
    {
        let room = try AccountRoom()
        var made = try await Self.made(in: room)
        try await made.account.contact()

        // This device.
        await made.vault.close()
        let store = try VaultStore(openingIn: made.folder.file("vault"), vfs: nil)
        try store.setContactKey([UInt8](repeating: 1, count: 60))
        store.close()
        let before = room.wire.sent.count
        made = try await made.reopened(in: room)
        #expect(await refusal { try await made.account.contact() } == .contactNotProved)
        #expect(room.wire.sent.count == before)
        try await made.unlock(Self.old)
        try await made.account.contact()

        // The service, which came back from a backup.
        try await room.restoringContactKeys { try await made.unlock(Self.old) }
        #expect(await refusal { try await made.account.contact() } == .contactNotProved)
        try await made.unlock(Self.old)
        try await made.account.contact()

        // Cut off between the two, on the way there and on the way back.
        for isDone in [false, true] {
            room.wire.through { sent, forward throws(TransportFailure) in
                guard sent.path == "/v1/devices" else { return forward(sent) }
                if isDone { _ = forward(sent) }
                throw .lost
            }
            try await made.unlock(Self.old)
            room.wire.through(nil)
            let code = await refusal { try await made.account.contact() }
            #expect(code == (isDone ? nil : .contactNotProved))
            try await made.unlock(Self.old)
            try await made.account.contact()
        }
    }

    @Test(.holds("A50", "F-107-09"))
    func `where the service refuses to list the device, the login before proves its contacts`() async throws {
        let room = try AccountRoom()
        let made = try await Self.made(in: room)
        let refusals: [Answer?] = [.problem(401, "TOKEN"), .problem(503, "STORE"), .problem(429, "WAIT"), nil]
        for refusal in refusals {
            room.wire.through { sent, forward throws(TransportFailure) in
                guard sent.path == "/v1/devices" else { return forward(sent) }
                guard let refusal else { throw .unreachable }
                return refusal
            }
            try await made.unlock(Self.old)
            room.wire.through(nil)
            try await made.account.contact()
        }
    }

    @Test(.holds("A50")) func `every login lists the device, whatever it is for`() async throws {
        let room = try AccountRoom()
        var made = try await Self.made(in: room)
        let other = try await Self.made(in: room, registering: false)
        func listing(_ body: () async throws -> Void) async throws {
            let before = room.wire.sent.count
            try await body()
            let sent = room.wire.sent[before...]
            #expect(sent.contains { $0.path == "/v1/devices" && $0.method == .post })
            await made.vault.lock()
            try await made.account.contact()
            made = try await made.reopened(in: room)
            try await made.account.contact()
        }
        let password = SecretBytes(text: Self.old)
        let lost = try #require(await other.vault.account).device.text
        try await listing { try await made.account.unlock(with: password) }
        try await listing { _ = try await made.account.devices(password) }
        try await listing { try await made.account.rekey(with: password, recoveryKey: nil) }
        try await listing { try await made.account.revoke(lost, password) }
        try await listing { try await made.change(Self.old, Self.new) }
    }

    @Test(.holds("A50")) func `a copy of the vault has no key for a contact`() async throws {
        let room = try AccountRoom()
        let made = try await Self.made(in: room)
        let account = try #require(await made.vault.account)
        await made.vault.close()
        let key = try await room.client().login(Self.old).session.contactKey().withBytes { $0.exposed }
        #expect(key.count == 32)
        let store = try VaultStore(openingIn: made.folder.file("vault"), vfs: nil)
        defer { store.close() }
        let box = try #require(try store.contactKey())
        // Under the secret of the slot, which stays on the device.
        #expect(box.count > 32)
        try await made.simulated.delete(#require(await Self.slot(store)?.item))
        let again = try await made.reopened(in: room)
        #expect(await again.vault.contact?.key == nil && account.device.bytes.count == 16)
    }

    private static func slot(_ store: VaultStore) async throws -> SlotRecord? {
        try store.contents().slots.map { try SlotRecord(parsing: $0.record) }.first { $0.kind == .password }
    }
}

/// What opens without the service while the clock is not to be believed.
@Suite("The clock of an offline opening", .serialized) struct OfflineClockTests {
    private static let password = AccountClientTests.old

    private static func made(in room: AccountRoom) async throws -> TestDevice {
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        return try await TestDevice.make(in: room, password, registering: true, policy: policy)
    }

    private static func open(_ made: TestDevice) async -> ErrorCode? {
        await made.vault.lock()
        return await refusal { try await made.account.unlockOffline(with: SecretBytes(text: password)) }
    }

    @Test(.holds("F-107-05", "A18")) func `set back and booted anew it opens nothing, each time and by however little`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await Self.made(in: room)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        try made.simulated.simulate(.advance(.days(3)))
        #expect(await Self.open(made) == nil)
        // As old as the login, and newer than it.
        for span in [Milliseconds.days(3), .days(2), .minutes(1)] {
            try made.simulated.simulate(.clock(.zero - span))
            try made.simulated.simulate(.reboot)
            #expect(await Self.open(made) == .sessionExpired)
            try made.simulated.simulate(.clock(span))
        }
        try made.simulated.simulate(.advance(.minutes(1)))
        #expect(await Self.open(made) == nil)
        // Within a boot too, forward and back.
        for span in [Milliseconds.days(1), .zero - .days(1)] {
            try made.simulated.simulate(.clock(span))
            #expect(await Self.open(made) == .sessionExpired)
            try made.simulated.simulate(.clock(.zero - span))
        }
        #expect(await Self.open(made) == nil)
    }

    @Test(.holds("F-107-05")) func `set ahead by mistake it shuts nothing for years: a login writes it anew`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await Self.made(in: room)
        let years = Milliseconds.days(3 * 365)
        try made.simulated.simulate(.clock(years))
        try await made.unlock(Self.password)
        _ = await refusal { try await made.account.unlockOffline(with: SecretBytes(text: Self.password)) }
        try made.simulated.simulate(.clock(.zero - years))
        try made.simulated.simulate(.reboot)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        #expect(await Self.open(made) == .sessionExpired)
        room.wire.through(nil)
        try await made.unlock(Self.password)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        #expect(await Self.open(made) == nil)
    }
}
