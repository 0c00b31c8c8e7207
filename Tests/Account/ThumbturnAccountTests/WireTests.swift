import Foundation
import Testing
import Thumbturn
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit
import ThumbturnTransport

extension OverSocketTests {
    /// Every byte that leaves a device, on a real socket.
    @Suite struct WireTests {
        @Test(.holds("P-107-08", "INV-107-04", "A49"))
        func
            `no byte that a device ever sends is of a password, an account's key, a vault's key or a wallet, and a finger sends none`()
            async throws
        {
            let wire = try Forwarder()
            let service = try TestService("--origin", wire.origin)
            try wire.start(to: service.origin)
            let transport = try AccountTransport.system(origin: wire.origin)
            var secrets = AccountSecrets()

            let a = try await EnrolledDevice.make(at: wire.origin)
            let wallet = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"
            let main = try WalletName("Main")
            _ = try await a.vault.addWallet(named: main, .opaque(SecretBytes(text: wallet)))
            let b = try await EnrolledDevice.make(at: wire.origin, registering: false)
            try await a.enableBiometrics()
            try await b.account.contact()
            try await secrets.add("old", Passwords.old, over: transport)
            try await secrets.add("a's old", of: a, Passwords.old, over: transport)
            try await secrets.add("b's", of: b, Passwords.old, over: transport)

            let silent = wire.sent.count
            try await a.touch()
            #expect(wire.sent.count == silent)

            await a.meets("ERR-107-040", "Impossible de vous authentifier.") { try await a.unlock("no password 5") }
            try await a.change()
            try await b.account.contact()
            try await b.unlock(Passwords.new)
            let new = SecretBytes(text: Passwords.new)
            let devices = try await a.account.devices(new)
            try await a.account.revoke(#require(devices.first { !$0.isThis }).id, new)
            try await secrets.add("new", Passwords.new, over: transport)
            try await secrets.add("a's new", of: a, Passwords.new, over: transport)
            let strong = try await a.account.unlock(with: new)
            let key = try await a.vault.createRecoveryKey(strong) { $0.exposedText }
            try await a.vault.confirmRecoveryKey(SecretBytes(text: key), a.account.unlock(with: new))
            try await a.account.close(new)
            for vault in [a.vault, b.vault] { await vault.close() }

            var all = secrets.all
            (all["wallet"], all["recovery key"], all["wrong password"]) = (
                Array(wallet.utf8), Array(key.utf8), Array("no password 5".utf8)
            )
            #expect(all.count == 24, "\(all.keys.sorted())")
            let scanner = LeakScanner(all)
            let sent = wire.sent
            for bytes in sent { #expect(scanner.leaks(in: Data(bytes)) == []) }
            let text = sent.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
            let calls = [
                "POST /v1/accounts", "POST /v1/login", "GET /v1/account ", "PUT /v1/account/password",
                "PUT /v1/account/envelope", "DELETE /v1/account ", "POST /v1/devices ", "DELETE /v1/devices/",
                "/contact ",
            ]
            for call in calls { #expect(text.contains(call), "\(call)") }
            // The scanner finds what is there.
            let token = try #require(wire.tokens.last)
            #expect(!LeakScanner(["token": Array(token.utf8)]).leaks(in: text).isEmpty)
        }
    }

    /// What is left in the memory of a device, looked at from outside.
    @Suite struct AccountMemoryTests {
        @Test(.holds("A54", "K-02", "P-107-06"))
        func
            `a locked account's vault holds no window of the password, of what it makes, of the account's keys or of a token`()
            async throws
        {
            let wire = try Forwarder()
            let service = try TestService("--origin", wire.origin)
            try wire.start(to: service.origin)
            let transport = try AccountTransport.system(origin: wire.origin)
            // No text that another part of the process may have.
            let password = String((0..<40).map { _ in "bcdefghijklmnopqrstuvw".randomElement() ?? "b" })
            let folder = try TemporaryFolder()
            let first = try await EnrolledDevice.make(at: wire.origin, password)
            await first.vault.close()
            var secrets = AccountSecrets()
            try await secrets.add("the", password, over: transport)
            let former = wire.tokens.count

            let child = try TestChild([folder.file("vault"), wire.origin], of: "AccountChild")
            defer {
                child.kill()
                _ = child.finish()
            }
            try #require(child.readLine() == "ready")
            child.send([UInt8(password.utf8.count)] + Array(password.utf8))
            try #require(child.readLine() == "unlocked")
            let tokens = wire.tokens.dropFirst(former)
            #expect(tokens.count == 5)
            try await secrets.add("the newer", password, over: transport)
            var all = secrets.all
            // The former are of logins of this process, the latter the same once more.
            for name in ["the K", "the newer K", "the newer password", "the newer account key 1"] { all[name] = nil }
            for (index, token) in tokens.enumerated() {
                all["token \(index)"] = Array(token.utf8)
            }
            let unlocked = try MemoryScan(of: child.id, for: all)
            child.send([0])
            try #require(child.readLine() == "locked")
            let locked = try MemoryScan(of: child.id, for: all)
            #expect(locked.hits == [])

            // The control: whatever lies in an array that nobody wipes is found.
            child.send([0])
            for secret in all.values { child.send(Array("x".utf8) + secret) }
            child.closeInput()
            try #require(child.readLine() == "left")
            let left = try MemoryScan(of: child.id, for: all)
            #expect(Set(left.hits.map(\.secret)) == Set(all.keys))
            print("memory: \(all.count) secrets, \(unlocked.hits.count) hits unlocked, \(locked.hits.count) locked")
        }
    }
}

extension Forwarder {
    /// The tokens that the service gave, in order.
    fileprivate var tokens: [String] {
        answered.compactMap { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let range = text.range(of: "(?<=\"token\":\")[0-9a-f]{64}", options: .regularExpression) else {
                return nil
            }
            return String(text[range])
        }
    }
}
