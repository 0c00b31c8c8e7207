import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// How a request fails, and those after it.
enum Loss: CaseIterable, Sendable {
    /// No connection, this once.
    case unreachable
    /// The request goes under on its way there.
    case lostBefore
    /// The service did it, and its answer goes under.
    case lostAfter
    /// The service has no store for it.
    case refused
    /// The network is gone from here on.
    case gone
    /// The service is killed before it did it, and stays away.
    case killedBefore
    /// It is killed after that.
    case killedAfter

    /// Whether nothing comes through any more.
    var lasts: Bool { [.gone, .killedBefore, .killedAfter].contains(self) }
}

/// Lets each test of a suite derive keys at no cost.
struct WithWeakArgon2: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await WeakArgon2.$isInUse.withValue(true) { try await function() }
    }
}

/// Two devices of an account, each with a wallet and biometrics, at a service that can be lost.
final class RaceStage: Sendable {
    /// A device, and its own way to the service.
    struct Player: Sendable {
        let device: TestDevice
        let line: Line
        let password: String
        let wallet: Identifier
    }

    static let old = AccountClientTests.old
    let room: AccountRoom
    let first: Player
    let second: Player
    private let sent = Mutex(0)

    var requests: Int { sent.withLock { $0 } }

    init() async throws {
        room = try AccountRoom()
        _ = try await room.client().register(Self.old, hasEnvelope: false)
        first = try await Self.enrol(in: room, "another staple 73 horse")
        second = try await Self.enrol(in: room, "a third password 5 for races")
    }

    private static func enrol(in room: AccountRoom, _ password: String) async throws -> Player {
        let made = try await TestDevice.make(in: room, old, registering: false)
        let wallet = try await made.vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: password)))
        try await made.enableBiometrics(old)
        let line = Line(to: try room.client().transport)
        return Player(device: made.over(line.transport), line: line, password: password, wallet: wallet.id)
    }

    /// Loses the request of that number, counted from now over both devices.
    func lose(_ loss: Loss, at number: Int) {
        sent.withLock { $0 = 0 }
        room.wire.through { [self] request, forward throws(TransportFailure) in
            let now = sent.withLock { sent in
                sent += 1
                return sent
            }
            guard now == number || now > number && loss.lasts else { return forward(request) }
            guard now == number else { throw .unreachable }
            switch loss {
            case .unreachable, .gone: throw .unreachable
            case .lostBefore, .killedBefore: throw .lost
            case .refused: return .problem(503, "STORE")
            case .lostAfter, .killedAfter:
                _ = forward(request)
                throw .lost
            }
        }
    }

    func change(on player: Player) async -> ErrorCode? {
        await refusal { try await player.device.change(Self.old, player.password) }
    }

    /// What an owner does: he comes back, and types the new password, or the old one where that is none.
    func arrive(on player: Player) async {
        _ = await refusal { try await player.device.account.contact() }
        for password in [first.password, Self.old] {
            guard await refusal({ try await player.device.unlock(password) }) == .strongFactorRefused else { return }
        }
    }

    /// Lets the first change the password up to one request, then the second up to one of its own, then each to its end.
    func race(until first: Int, _ second: Int) async -> [ErrorCode?] {
        let other = Mutex<Task<ErrorCode?, Never>?>(nil)
        await self.second.line.stop(before: second)
        await self.first.line.onRequest(first) { [self] in
            let task = Task {
                let code = await change(on: self.second)
                await self.second.line.reached.open()
                return code
            }
            other.withLock { $0 = task }
            await self.second.line.reached.wait()
        }
        let code = await change(on: self.first)
        await self.second.line.go.open()
        guard let task = other.withLock({ $0 }) else { return [code, await change(on: self.second)] }
        return [code, await task.value]
    }

    /// Holds what came of it against what may be.
    ///
    /// - Parameter codes: why the change failed, of the first device and of the second; nil where it was done.
    func judge(codes: [ErrorCode?], _ what: String) async throws {
        room.wire.through(nil)
        let players = [first, second]
        for player in players { await player.line.forget() }
        var counting: [String] = []
        var envelope: AccountEnvelope?
        for password in [Self.old] + players.map(\.password) {
            do {
                let client = try room.client()
                envelope = try client.open(await client.login(password))
            } catch AccountFailure.passwordRefused { continue }
            counting.append(password)
        }
        try #require(counting.count == 1, "\(what): \(counting.count) passwords count")
        let password = counting[0]
        for (player, code) in zip(players, codes) where code == nil {
            #expect(password == player.password, "\(what): done, and it does not count")
        }
        guard let standing = envelope.take() else {
            Issue.record("\(what): no envelope")
            return
        }
        for player in players { try await holdsKey(standing, of: player, what) }
        var vaults: [Vault] = []
        for player in players {
            let again = try await player.device.reopened(in: room)
            try await opens(again, of: player, password, what)
            vaults.append(again.vault)
        }
        try await needsNoFormerKey(vaults, password, what)
    }

    /// Where both devices have logged in, the envelope has one key after one login more, and each slot lies under it.
    private func needsNoFormerKey(_ vaults: [Vault], _ password: String, _ what: String) async throws {
        let account = AccountVault(vaults[0], over: try room.client().transport)
        try await account.unlock(with: SecretBytes(text: password))
        let envelope = try await room.client().open(room.client().login(password))
        #expect(envelope.keys.names.count == 1, "\(what): former keys are left")
        for vault in vaults {
            #expect(await vault.accountKey == envelope.keys.newest, "\(what)")
            await vault.close()
        }
    }

    /// The envelope has the key that a vault needs, as it stands.
    private func holdsKey(_ envelope: borrowing AccountEnvelope, of player: Player, _ what: String) async throws {
        let key = try #require(await player.device.vault.accountKey)
        let device = try #require(await player.device.vault.account).device
        let names = envelope.keys.names
        #expect(names.contains(key), "\(what): the envelope lacks a vault's key")
        let noted = try #require(envelope.wrapped[device], "\(what): a device is not noted")
        #expect(names.contains(noted), "\(what)")
    }

    /// The password that counts opens a vault and another does not; nor does the finger once the password was changed.
    private func opens(
        _ again: TestDevice,
        of player: Player,
        _ password: String,
        _ what: String
    ) async throws {
        let hasChanged = password != Self.old
        #expect((await refusal { try await again.touch() } == nil) != hasChanged, "\(what): the finger")
        let other = hasChanged ? Self.old : player.password
        #expect(await refusal { try await again.unlock(other) } == .strongFactorRefused, "\(what)")
        try await again.unlock(password)
        let text = try await again.vault.withSecret(of: player.wallet) { _, bytes in bytes.exposedText }
        #expect(text == player.password, "\(what): the wallet")
        #expect((await refusal { try await again.touch() } == nil) != hasChanged, "\(what): the finger afterwards")
    }
}

extension TestDevice {
    /// The same vault over another way to the service.
    fileprivate func over(_ transport: AccountTransport) -> TestDevice {
        let account = AccountVault(vault, over: transport)
        return TestDevice(folder: folder, simulated: simulated, device: device, account: account)
    }
}

/// A way to the service of one device, on which something else may happen before a request.
actor Line {
    /// Opens once the device has come to where it is to stop, or to its end.
    let reached = Gate()
    /// Lets it go on.
    let go = Gate()
    private let inner: AccountTransport
    private var count = 0
    private var action: (number: Int, run: @Sendable () async -> Void)?
    private(set) var isStopped = false

    init(to inner: AccountTransport) { self.inner = inner }

    nonisolated var transport: AccountTransport {
        AccountTransport(origin: inner.origin) { [inner] request throws(TransportFailure) in
            await self.pass()
            return try await inner.roundTrip(request)
        }
    }

    /// Does something before the request of that number, counted from 0 and from now.
    func onRequest(_ number: Int, _ run: @escaping @Sendable () async -> Void) {
        count = 0
        action = (number, run)
    }

    /// Stops before the request of that number until `go` opens.
    func stop(before number: Int) {
        onRequest(number) { [reached, go] in
            await self.noteStop()
            await reached.open()
            await go.wait()
        }
    }

    private func noteStop() { isStopped = true }

    /// Gives up what was to happen before a request that never came.
    func forget() { action = nil }

    private func pass() async {
        defer { count += 1 }
        guard let action, action.number == count else { return }
        self.action = nil
        await action.run()
    }
}

/// Lets nobody through until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
