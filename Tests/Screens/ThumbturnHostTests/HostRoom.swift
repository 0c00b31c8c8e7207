import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnHost

/// A host over a vault in a folder of its own, on a simulated device.
@MainActor final class HostRoom {
    static let pin = "860427193558"
    static let wrongPIN = "190355827746"

    let folder: TemporaryFolder
    let simulated: SimulatedDevice
    let app: HostedVault
    let host: VaultHost
    private let ear: Ear

    /// All that a host told.
    private final class Ear {
        var told: [String] = []
    }

    init(_ language: Language = .english, in former: HostRoom? = nil) throws {
        folder = try former?.folder ?? TemporaryFolder()
        let simulated = former?.simulated ?? SimulatedDevice()
        self.simulated = simulated
        let ear = Ear()
        self.ear = ear
        app = HostedVault(
            HostConfiguration(
                home: folder.path,
                language: language,
                policy: TestVault.policy,
                secret: .pin(length: nil)
            ),
            systemMode: SystemModeFlag.open.offer(to: "owner"),
            vaultConfiguration: { _ in TestVault.configuration() },
            device: { simulated.device }
        )
        host = VaultHost(app) { ear.told.append($0) }
    }

    /// What the host told, in order.
    var told: [String] { ear.told }

    /// The value, or a part of it.
    func at(_ path: String) -> JSON? {
        path.split(separator: ".").reduce(try? JSON(reading: Array(host.fields.utf8), byteLimit: 1 << 20)) {
            $0?[String($1)]
        }
    }

    func text(_ path: String) -> String? {
        guard case .string(let text)? = at(path) else { return nil }
        return text
    }

    /// Sends an action in the words of its JSON.
    @discardableResult
    func send(_ action: String, _ secret: String? = nil) async -> HostAnswer {
        await host.send(Array(action.utf8), secret.map { HeldSecret(SecretBytes(text: $0)) })
    }

    /// Sends an action.
    @discardableResult
    func send(_ action: ScreenAction, _ secret: String? = nil) async -> HostAnswer {
        await send(action.json.wireText, secret)
    }

    /// Makes a vault with its owner, and stays in its session.
    func makeVault(biometrics: Bool = false) async {
        await host.start()
        host.appBecame(.active)
        for _ in 0..<2 { await send(.onboarding(.submitSecret), Self.pin) }
        await send(.onboarding(.answer(consent: biometrics)))
        await until { text("screens.unlock.screen.name") == "content" }
    }

    /// Waits until the models have heard what the vault told, and the host told it on.
    func settle() async {
        var former = ""
        while former != host.fields || told.last != former {
            former = host.fields
            for _ in 0..<1_000 { await Task.yield() }
        }
    }

    /// Waits until this holds.
    func until(_ condition: () -> Bool) async {
        while !condition() {
            guard !Task.isCancelled else {
                Issue.record("what was waited for never came: \(host.fields)")
                return
            }
            await Task.yield()
        }
    }
}

extension HostAnswer {
    /// The code of the refusal; nil if there is none.
    var code: String? {
        guard case .string(let code)? = value["error"]?["code"] else { return nil }
        return code
    }

    /// The secret beside it, as text.
    var given: String? { secret?.bytes.withBytes { $0.exposedText } }
}

extension Trait where Self == TimeLimitTrait {
    /// Names the test whose wait never ends; far more than the slowest machine needs.
    static var waitsEnd: Self { .timeLimit(.minutes(20)) }
}
