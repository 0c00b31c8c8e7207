import Foundation
import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnAccount
@testable import ThumbturnAccountUI

/// Lets everything else run until `condition` holds; the suite's time limit is its end.
@MainActor func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

/// A device with nothing on it, and the real service.
struct ScreenStage: Sendable {
    static let old = AccountClientTests.old
    static let new = AccountClientTests.new
    static let elsewhere = "https://accounts.example.net:8443"

    let room: AccountRoom
    let folder: TemporaryFolder
    let simulated = SimulatedDevice()

    init(_ room: AccountRoom) throws {
        self.room = room
        folder = try TemporaryFolder()
    }

    /// Where the screens make their vault, and the way to the service.
    func setup(at address: String = AccountRoom.origin) throws -> AccountSetup {
        var configuration = TestVault.configuration()
        configuration.deliversBehind = false
        return AccountSetup(
            in: folder.file("vault"),
            on: simulated.device,
            over: try room.client(at: address).transport,
            policy: TestVault.accountPolicy,
            configuration: configuration
        )
    }

    /// A model of the entry, and what it hands over.
    @MainActor func entry(
        _ vaults: (any AccountEntryVaults)? = nil,
        sleep: (@Sendable (Milliseconds) async -> Void)? = nil
    ) throws -> (model: AccountEntryModel, made: Made) {
        let made = Made()
        let model = AccountEntryModel(try vaults ?? setup(), .init(), sleep: sleep) { made.all.append($0) }
        return (model, made)
    }

    /// The vaults that a screen handed over.
    @MainActor final class Made {
        var all: [AccountVault] = []
    }
}

extension AccountEntryModel {
    /// Types a password.
    func type(_ text: String) async { await enter(SecretBytes(text: text)) }

    /// Goes through all steps up to the offer.
    func register(_ name: String = "ada", _ password: String = ScreenStage.old) async {
        choose(.register)
        enterName(name)
        await type(password)
        await type(password)
    }

    func logIn(_ name: String = "ada", _ password: String = ScreenStage.old) async {
        choose(.logIn)
        enterName(name)
        await type(password)
    }
}

/// Holds every call until a test lets it go, and notes whether its task was cancelled.
final class CallGate: Sendable {
    private let state = Mutex<(entered: Int, isCancelled: Bool)>((0, false))
    private let stream: AsyncStream<Void>
    private let opening: AsyncStream<Void>.Continuation

    init() { (stream, opening) = AsyncStream.makeStream() }

    var entered: Int { state.withLock { $0.entered } }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func open() { opening.finish() }

    /// - Parameter heedsCancel: whether a cancelled call goes on at once, as one over the network does.
    func pass(heedsCancel: Bool = true) async {
        state.withLock { $0.entered += 1 }
        if heedsCancel {
            for await _ in stream {}
        } else {
            await Task { for await _ in stream {} }.value
        }
        state.withLock { $0.isCancelled = $0.isCancelled || Task.isCancelled }
    }
}

/// Every child of a value, and theirs, as text: what a debugger or a careless log would show.
func everything(in value: Any, depth: Int = 10) -> String {
    guard depth > 0, !(value is Vault) else { return "" }
    var text = "\(value) \(String(reflecting: value)) "
    for mirror in sequence(first: Mirror(reflecting: value), next: \.superclassMirror) {
        for child in mirror.children { text += everything(in: child.value, depth: depth - 1) }
    }
    return text
}

/// What a call is refused with, made by a test of a screen; nil where it is not refused.
@MainActor func refusedHere(_ body: @MainActor () async throws -> Void) async -> ErrorCode? {
    do {
        try await body()
        return nil
    } catch { return (error as? VaultError)?.code }
}
