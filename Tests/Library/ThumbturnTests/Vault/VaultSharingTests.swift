import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Two objects on one folder see each other as two processes do.
@Suite struct VaultSharingTests {
    @Test(.holds("A38")) func `what one changes the other sees, and nothing is lost`() async throws {
        let one = try await TestVault.make()
        let two = try await one.reopened()
        try await two.strong()
        try await one.add("From one")
        try await two.add("From two")
        #expect(try await one.vault.wallets() == (try await two.vault.wallets()))
        let wallet = try #require(try await one.vault.wallets().first)
        try await two.vault.renameWallet(wallet.id, to: WalletName("Renamed"))
        #expect(try await one.vault.wallets().contains { $0.name.text == "Renamed" })
        try await one.vault.deleteWallet(wallet.id, try await one.strong())
        #expect(await refusal { try await two.secret(of: wallet.id) } == .walletMissing)
    }

    @Test(.holds("A38")) func `forty tasks on four objects lose no wallet`() async throws {
        let first = try await TestVault.make()
        var objects = [first]
        for _ in 0..<3 {
            let other = try await first.reopened()
            try await other.strong()
            objects.append(other)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let object = objects[number % 4]
                group.addTask { try await object.add("Wallet \(number)", "secret \(number)") }
            }
            try await group.waitForAll()
        }
        for object in objects { #expect(try await object.vault.wallets().count == 40) }
    }

    @Test(.holds("A38"))
    func `a change that another overtook, as the lock's file was deleted, is refused, and nothing is lost`()
        async throws
    {
        let one = try await TestVault.make()
        let watched = WatchedDevice(one.simulated) { call in
            guard case .save = call else { return }
            // In the middle of a change of the other: a new lock's file is another lock.
            try? FileManager.default.removeItem(atPath: one.path + "/lock")
            _ = try? await one.reopened().strongThenAdd("Overtaken")
        }
        let two = try await one.reopened(seenAs: watched.device)
        let authorization = try await two.strong()
        #expect(await two.enable(two.consent, authorization) == .busy)
        #expect(try await two.vault.wallets().map(\.name.text) == ["Overtaken"])
        #expect(await two.vault.snapshot.isAuthentic == true)
    }

    @Test(.holds("A38"))
    func `a reset that a change overtook, as the lock's file was deleted, is refused, and erases nothing`()
        async throws
    {
        let one = try await TestVault.make()
        let race = Race()
        let watched = WatchedDevice(one.simulated) { _ in await race.reach() }
        let two = try await one.reopened(seenAs: watched.device)
        // While the reset asks the device for the first key's word: a new lock's file is another lock.
        await race.start(at: 1) {
            try? FileManager.default.removeItem(atPath: one.path + "/lock")
            _ = try? await one.reopened().strongThenAdd("Overtaken")
        }
        let code = await refusal { try await two.vault.reset(ResetConfirmation(typed: "RESET")) }
        #expect(code == .busy)
        let again = try await one.reopened()
        try await again.strong()
        #expect(try await again.vault.wallets().map(\.name.text) == ["Overtaken"])
    }

    @Test(.holds("A12")) func `attempts are counted together`() async throws {
        let one = try await TestVault.make()
        let two = try await one.reopened()
        for number in 1...2 {
            #expect(await refusal { try await one.guess(number) } == .strongFactorRefused)
            #expect(await refusal { try await two.guess(number + 10) } == .strongFactorRefused)
        }
        #expect(await refusal { try await one.strong() } == .attemptDelayed)
        #expect(await refusal { try await two.strong() } == .attemptDelayed)
    }

    @Test(.holds("A23")) func `a PIN that one changed is the other's too, and biometrics that one enabled`()
        async throws
    {
        let one = try await TestVault.make()
        let two = try await one.reopened()
        try await two.strong()
        try await one.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await one.strong())
        #expect(await refusal { try await two.strong() } == .strongFactorRefused)
        let authorization = try await two.vault.unlock(with: SecretBytes(text: "840275"))
        #expect(await two.enable(two.consent, authorization) == nil)
        #expect(try await one.look().biometrics == .enabled)
        await one.vault.lock()
        try await one.touch()
    }

    @Test(.holds("INV-107-07")) func `a revocation that one met holds for the other`() async throws {
        let one = try await TestVault.make(biometrics: true)
        let two = try await one.reopened()
        await one.vault.lock()
        try one.simulated.simulate(.enroll)
        #expect(await refusal { try await one.touch() } == .biometricsChanged)
        #expect(try await two.look().biometrics == .revoked(.biometricsChanged))
        #expect(two.log.kinds.isEmpty, "told once")
    }

    @Test func `a session that is open survives another's changes`() async throws {
        let one = try await TestVault.make()
        let two = try await one.reopened()
        try await two.strong()
        try await one.enableBiometrics()
        _ = try await one.makeRecoveryKey()
        let snapshot = try await two.look()
        #expect(snapshot.state == .unlocked(.full) && snapshot.isAuthentic == true)
    }

    @Test func `a reset by one ends what the other may do`() async throws {
        let one = try await TestVault.make()
        let two = try await one.reopened()
        try await two.strong()
        try await one.vault.reset(ResetConfirmation(typed: "RESET"))
        #expect(await refusal { try await two.vault.wallets() } == .locked)
        #expect(await refusal { try await two.add("Late") } == .locked)
        #expect(await !two.isOpen)
        #expect(two.log.alarms.isEmpty, "the owner erased it, and nobody tampered")
    }

    @Test(.holds("A38")) func `a vault that one makes after its reset ends the other's session, and is no tampering`()
        async throws
    {
        let one = try await TestVault.make()
        let two = try await one.reopened()
        try await two.strong()
        try await one.vault.reset(ResetConfirmation(typed: "RESET"))
        _ = try await Vault.create(
            in: one.path,
            device: one.device,
            secret: SecretBytes(text: "840275"),
            policy: TestVault.policy,
            configuration: TestVault.configuration()
        )
        #expect(await refusal { try await two.vault.wallets() } == .locked)
        #expect(await !two.vault.holdsKey)
        #expect(two.log.alarms.isEmpty, "the owner erased it, and nobody tampered")
    }

    @Test(.holds("A38")) func `a new key ends the other's session also where that only exports`() async throws {
        let one = try await TestVault.make()
        try await one.add("Damaged")
        var row = try #require(one.wallets().first)
        row.secret[60] ^= 1
        try one.replace(row)
        let two = try await one.reopened()
        for object in [one, two] {
            try await object.strong()
            _ = try await object.vault.inventory()
            #expect(await object.vault.snapshot.state == .unlocked(.exportOnly))
        }
        let seen = try await one.vault.inventory()
        try await one.vault.rekey(
            with: SecretBytes(text: TestVault.pin),
            recoveryKey: nil,
            keeping: seen,
            try await one.strong()
        )
        #expect(await refusal { try await two.vault.inventory() } == .locked)
        #expect(await !two.vault.holdsKey)
    }

    @Test(.holds("A38"), arguments: [true, false])
    func `where the lock's file was deleted, the later of two calls gives way, also without a ledger`(
        changes: Bool
    ) async throws {
        let (race, simulated) = (Race(), SimulatedDevice())
        let watched = WatchedDevice(simulated) { call in
            if case .describe = call { await race.reach() }
        }
        let (made, _, _) = try await TestVault.inSystemMode(on: simulated)
        await made.vault.close()
        let late = try await made.reopened(seenAs: watched.device)
        try await late.system()
        if changes { _ = try await late.vault.wallets() }
        // It has read the head then, and no row or all.
        await race.start(at: 1) {
            for name in ["lock", "lock.next"] { try? FileManager.default.removeItem(atPath: made.path + "/" + name) }
            let early = try? await made.reopened(seenAs: simulated.device)
            _ = try? await early?.system()
            _ = try? await early?.add("Early")
            await early?.vault.close()
        }
        let code = await refusal {
            if changes { try await late.add("Late") } else { _ = try await late.vault.wallets() }
        }
        #expect(code == .busy)
        let again = try await late.restarted()
        try await again.system()
        #expect(try await again.vault.wallets().map(\.name.text) == ["Early", "Savings"])
        #expect(await again.isOpen)
    }
}

extension TestVault {
    fileprivate func strongThenAdd(_ name: String) async throws {
        try await strong()
        try await add(name)
    }
}
