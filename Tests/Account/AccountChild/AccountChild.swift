import Glibc
import Thumbturn
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnTransport

/// A process of its own that has an account's vault, whose memory is looked at from outside.
///
/// `AccountChild FOLDER ORIGIN`: logs in as `ada` at a service with what comes on standard input: a byte that says how long the
/// password is, then the password, straight into guarded memory.
@main struct AccountChild {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 2 else { exit(2) }
        do {
            let account = try await use(words[0], words[1])
            pause(in: "unlocked")
            await account.vault.lock()
            pause(in: "locked")
            let left = leave()
            // The parent kills this process once it has seen enough.
            withExtendedLifetime(left) {
                say("left")
                while true { sleep(60) }
            }
        } catch {
            say("error \(error)")
            exit(1)
        }
    }

    /// Makes a further device's vault, and uses its account in every way that takes the password or the device's key.
    private static func use(_ folder: String, _ origin: String) async throws -> AccountVault {
        say("ready")
        let password = receive(Int(receive(1).withBytes { $0.exposed[0] }))
        let (simulated, transport) = (SimulatedDevice(), try AccountTransport.system(origin: origin))
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let enrolled = try await AccountVault.logIn(
            "ada",
            password: password,
            over: transport,
            in: folder,
            device: simulated.device,
            policy: policy
        )
        let account = enrolled.account
        await account.vault.lock()
        try await account.contact()
        try await account.unlockOffline(with: password)
        await account.vault.lock()
        _ = try await account.devices(password)
        await account.vault.lock()
        // To itself: salt, envelope and the account's key are new ones all the same.
        try await account.changePassword(from: password, to: password)
        await account.vault.lock()
        try await account.unlock(with: password)
        return account
    }

    /// Keeps what comes in an array, as a careless program would.
    private static func leave() -> [UInt8] {
        var kept: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(0, &byte, 1) == 1 { kept.append(byte) }
        return kept
    }

    private static func pause(in state: String) {
        say(state)
        var byte: UInt8 = 0
        _ = unsafe read(0, &byte, 1)
    }

    private static func receive(_ byteCount: Int) -> SecretBytes {
        unsafe SecretBytes(byteCount: byteCount) { buffer in
            var count = 0
            while count < byteCount {
                let step = unsafe read(0, buffer.baseAddress.map { unsafe $0 + count }, byteCount - count)
                if step <= 0 { exit(3) }
                count += step
            }
        }
    }

    /// Writes a line at once.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }
}
