import Foundation
import Testing
import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit

// The README's sample as it is printed there, but for blanks and for `unsafe`, which an app need not write.
func tour(home: String) async throws {
    let phone = try SimulatedDevice(folder: home + "/phone")  // or Device.apple, .linux
    let pin = unsafe SecretBytes(copying: ContiguousArray("480295".utf8).span.bytes)  // or a PIN pad's
    let consent = BiometricConsent(ownerAgreedAt: phone.device.clock())
    let vault = try await Vault.create(
        in: home + "/vault",
        device: phone.device,
        secret: pin,
        policy: .wallet.allowing(.simulated),
        biometrics: consent
    ).vault
    let wallet = try await vault.addWallet(named: WalletName("savings"), .newMnemonic(words: .twelve))
    await vault.lock()

    try phone.simulate(.finger(.match))
    try await vault.unlockWithBiometrics(PromptText(reason: "Sign"))
    try await vault.withSecret(of: wallet.id) { kind, entropy in sign(entropy) }
    let strong = try await vault.unlock(with: pin)
    try await vault.exportWallet(wallet.id, strong) { summary, words in show(words) }
}

nonisolated func sign(_ entropy: RawSpan) {}  // yours
nonisolated func show(_ words: RawSpan) {}  // yours

@Suite struct ReadmeTests {
    @Test(.holds("B-02", "B-03")) func `the README's sample runs as it is printed, and a finger opens the vault in it`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await tour(home: folder.path)

        let readme = try String(contentsOfFile: Compiler.sources + "/../README.md", encoding: .utf8)
        let samples = readme.split(separator: "```").filter { $0.hasPrefix("swift\n") }
        #expect(samples.count == 1)
        let sample = try #require(samples.first).dropFirst("swift\n".count)
        let imports = "import Thumbturn\nimport ThumbturnSimulator\n"
        #expect(sample.hasPrefix(imports))
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        #expect(Self.plain(source).contains(Self.plain(String(sample.dropFirst(imports.count)))))
    }

    private static func plain(_ text: String) -> String {
        text.replacing("unsafe ", with: "").filter { !$0.isWhitespace }
    }
}
