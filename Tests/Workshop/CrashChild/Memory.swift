import CrashExplorer
import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Uses a vault in every way that touches its secrets, then locks it and waits to be looked at.
///
/// PIN and mnemonic come through standard input, straight into guarded memory.
struct Memory {
    private static let pinByteCount = 16

    private let scene: CrashScene

    init(_ scene: CrashScene) {
        self.scene = scene
    }

    /// Stops, for a look from outside, unlocked, then locked, then once more after it has read bytes into arrays that
    /// nothing wipes.
    func tour() async throws {
        CrashChild.say("ready")
        let vault = try await use()
        pause(in: "unlocked")
        await vault.lock()
        pause(in: "locked")
        let left = leave()
        // The parent kills this process once it has seen enough.
        withExtendedLifetime(left) {
            CrashChild.say("left")
            while true { sleep(60) }
        }
    }

    private func use() async throws -> Vault {
        let pin = receive(Self.pinByteCount)
        let creation = try await Vault.create(
            in: scene.vaultFolder,
            device: scene.device.device,
            secret: pin,
            policy: .wallet.allowing(.simulated),
            biometrics: scene.consent
        )
        let vault = creation.vault
        let count = receive(1).withBytes { Int(checksum($0)) }
        let wallet = try await vault.addWallet(named: WalletName("Savings"), .mnemonic(receive(count)))
        await vault.lock()

        try scene.device.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(TestVault.words)
        _ = try await vault.withSecret(of: wallet.id) { _, bytes in checksum(bytes) }
        await vault.lock()

        let authorization = try await vault.unlock(with: Self.type(pin))
        _ = try await vault.exportWallet(wallet.id, authorization) { _, bytes in checksum(bytes) }
        await Self.look(at: wallet.id, of: vault, with: pin)
        return vault
    }

    /// Types the PIN on the interface's pad, key by key, with a slip.
    @MainActor private static func type(_ pin: borrowing SecretBytes) -> SecretBytes {
        let entry = PINEntry()
        pin.withBytes { digits in
            for index in 0..<digits.byteCount {
                entry.append(7)
                entry.removeLast()
                entry.append(unsafe digits.unsafeLoad(fromByteOffset: index, as: UInt8.self) - 0x30)
            }
        }
        return entry.take()
    }

    /// Shows the words on the interface's screen, asks for some of them, and leaves it.
    @MainActor private static func look(at wallet: Identifier, of vault: Vault, with pin: borrowing SecretBytes) async {
        let model = WordsModel(vault, wallet: wallet)
        await model.enter(type(pin))
        precondition(model.wordCount > 0, "no words were shown")
        for place in 1...model.wordCount { _ = model.withWord(at: place) { checksum($0) } }
        model.wordsAreWritten()
        model.answer(type(pin))
        model.cancel()
    }

    /// Keeps what comes in an array, as a careless program would.
    private func leave() -> [UInt8] {
        var kept: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(0, &byte, 1) == 1 { kept.append(byte) }
        return kept
    }

    private func pause(in state: String) {
        CrashChild.say(state)
        var byte: UInt8 = 0
        _ = unsafe read(0, &byte, 1)
    }

    private func receive(_ byteCount: Int) -> SecretBytes {
        unsafe SecretBytes(byteCount: byteCount) { buffer in
            var count = 0
            while count < byteCount {
                let step = unsafe read(0, buffer.baseAddress.map { unsafe $0 + count }, byteCount - count)
                if step <= 0 { exit(3) }
                count += step
            }
        }
    }
}

/// A sink that keeps nothing.
private func checksum(_ bytes: RawSpan) -> UInt8 {
    unsafe bytes.withUnsafeBytes { unsafe $0.reduce(0, &+) }
}
