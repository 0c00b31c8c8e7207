import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// What goes wrong with a credential vault: the owner, the device, an editor of the file, another type.
@Suite struct CredentialRefusalTests {
    @Test(
        .holds("V-05"),
        arguments: [
            (SimulatedTouch.mismatch, ErrorCode.biometricsNotRecognised), (.cancel, .promptCancelled),
            (.mismatchThenCancel, .promptCancelled), (.fallback, .promptCancelled), (.passcode, .promptCancelled),
        ]
    )
    func `a prompt that ends otherwise leaves the former state, and says how it ended`(
        touch: SimulatedTouch,
        code: ErrorCode
    ) async throws {
        let ready = try await TestCredentials.make()
        #expect(
            await refusal {
                try await ready.touching(touch) {
                    try await $0.enableSecureVaultWithBiometrics(saving: .sample, TestCredentials.words)
                }
            } == code
        )
        #expect(await ready.state == .ready)
        #expect(try ready.simulated.itemNames().isEmpty)

        let plain = try await TestCredentials.make(in: .keychainSecured)
        #expect(await refusal { try await plain.upgrade(touch) } == code)
        #expect(try await plain.items() == [.deviceOnly])
        #expect(try await plain.vault.credentials() == .sample)

        let locked = try await TestCredentials.make(in: .locked)
        #expect(await refusal { try await locked.unlock(touch) } == code)
        #expect(await locked.state == .locked)
        #expect(await !locked.vault.holdsKey)
        #expect(try await locked.unlock() == .sample)
    }

    @Test(.holds("INV-107-07"))
    func `a change of who is enrolled locks for good, tells it without a prompt, and is no "ready"`()
        async throws
    {
        let made = try await TestCredentials.make(in: .biometricsSecured)
        try made.simulated.simulate(.enroll)
        let snapshot = try await made.vault.refresh()
        #expect(snapshot.state == .locked && snapshot.condition == .keyGone)
        #expect(await !made.vault.holdsKey)
        let prompts = made.simulated.promptsShown
        #expect(await refusal { try await made.unlock() } == .biometricsChanged)
        #expect(await refusal { try await made.vault.credentials() } == .credentialsLocked)
        #expect(made.simulated.promptsShown == prompts)
        let again = try await made.reopened()
        #expect(await again.state == .locked)
        #expect(
            await refusal { try await again.vault.enableKeychainVault(saving: .sample) }
                == .credentialsLockedAlreadyStored
        )
        try await again.vault.reset()
        #expect(try made.simulated.itemNames().isEmpty)
        try await again.touching {
            try await $0.enableSecureVaultWithBiometrics(saving: .sample, TestCredentials.words)
        }
    }

    @Test(.holds("A25"), arguments: [CredentialVaultMachine.State.keychainSecured, .biometricsSecured])
    func `one "not found" of a store that just woke up is asked again, and ends nothing`(
        state: CredentialVaultMachine.State
    ) async throws {
        let simulated = SimulatedDevice()
        let missed = Counter()
        let device = simulated.device
        let drowsy = Device(
            kind: device.kind,
            store: DrowsyStore(store: device.store, missed: missed),
            prompt: device.prompt,
            anchor: device.anchor,
            clock: device.clock,
            installation: device.installation
        )
        let made = try await TestCredentials.make(in: state, on: simulated)
        let woken = try await made.reopened(seenAs: drowsy)
        #expect(missed.count > 1)
        #expect(await woken.vault.snapshot.condition == .reachable)
    }

    @Test func `a finger that is enrolled while the credentials are open does not downgrade them`() async throws {
        let made = try await TestCredentials.make(in: .biometricsSecured)
        try made.simulated.simulate(.enroll)
        #expect(
            await refusal { try await made.vault.downgradeBiometricsToKeychain(TestCredentials.words) }
                == .credentialsLocked
        )
        #expect(try made.record().protection == .biometrics)
    }

    @Test(
        .holds("V-05"),
        arguments: [
            (SimulatedEvent.lockout, ErrorCode.credentialsUnavailable), (.unenroll, .biometricsChanged),
            (.permissionDenied, .credentialsUnavailable), (.sensor(.none), .credentialsUnavailable),
            (.lockDevice, .storageUnavailable), (.fault(.sensorBusy), .credentialsUnavailable),
            (.fault(.readerBusy), .credentialsUnavailable), (.fault(.readerBroken), .credentialsUnavailable),
            (.fault(.readerSilent), .credentialsUnavailable),
            (.fault(.unclassified), .credentialsNotRead), (.fault(.prewarm), .storageUnavailable),
            (.fault(.readFails), .storageUnavailable),
        ]
    )
    func `what the device refuses an unlock has its code, and the credentials stay`(
        event: SimulatedEvent,
        code: ErrorCode
    ) async throws {
        let made = try await TestCredentials.make(in: .locked)
        let before = try made.record()
        let counts = made.simulated.counts
        // The first look at the sensor takes the fault of a busy one.
        if event == .fault(.sensorBusy) || event == .fault(.prewarm) { try made.simulated.simulate(event) }
        try made.simulated.simulate(event)
        #expect(await refusal { try await made.unlock() } == code)
        #expect(await made.state == .locked)
        #expect(try made.record() == before)
        #expect(made.simulated.counts.saves == counts.saves && made.simulated.counts.deletes == counts.deletes)
    }

    @Test(.holds("A25"), arguments: [CredentialVaultMachine.State.keychainSecured, .locked])
    func `a store that can't be read is waited for: nothing is made anew, deleted or taken for nothing`(
        state: CredentialVaultMachine.State
    ) async throws {
        let made = try await TestCredentials.make(in: state)
        let before = try made.record()
        let counts = made.simulated.counts
        try made.simulated.simulate(.lockDevice)
        let again = try await made.reopened()
        #expect(await again.state == state)
        #expect(await again.vault.snapshot.condition == .unknown)
        for request in CredentialVaultMachine.Request.allCases where request != .reset && request != .lock {
            #expect(
                await refusal { try await again.vault.ask(for: request, saving: .sample, TestCredentials.words) }
                    != nil,
                "\(request)"
            )
        }
        #expect(try made.record() == before)
        try made.simulated.simulate(.unlockDevice)
        #expect(made.simulated.counts.deletes == counts.deletes + (made.simulated.counts.saves - counts.saves))
        #expect(try await again.vault.refresh().condition == .reachable)
        if state == .locked { try await again.unlock() }
        #expect(try await again.vault.credentials() == .sample)
    }

    @Test(.holds("C22", "F-107-03"))
    func `a reset on a locked device forgets the credentials now and deletes the key later`()
        async throws
    {
        let made = try await TestCredentials.make(in: .locked)
        try made.simulated.simulate(.lockDevice)
        try await made.vault.reset()
        #expect(await made.vault.snapshot.leftBehind == 1)
        #expect(await made.vault.snapshot.protection == nil)
        try made.simulated.simulate(.unlockDevice)
        #expect(try await made.vault.refresh().leftBehind == 0)
        #expect(try made.simulated.itemNames().isEmpty)
    }

    @Test(.holds("A32"), arguments: [SimulatedFault.droppedAccess, .droppedDeviceOnly])
    func `a platform that drops an attribute is refused, and what was there stays`(fault: SimulatedFault)
        async throws
    {
        let made = try await TestCredentials.make(in: .keychainSecured)
        try made.simulated.simulate(.fault(fault))
        #expect(await refusal { try await made.upgrade() } == .protectionDropped)
        #expect(try await made.items() == [.deviceOnly])
        #expect(try await made.vault.credentials() == .sample)
    }

    @Test(.holds("A29", "A30")) func `a prompt that says yes without the secret opens and stores nothing`() async throws
    {
        let locked = try await TestCredentials.make(in: .locked)
        try locked.simulated.simulate(.fault(.emptySuccess))
        #expect(await refusal { try await locked.unlock() } == .credentialsNotRead)
        #expect(await locked.state == .locked)

        let plain = try await TestCredentials.make(in: .keychainSecured)
        try plain.simulated.simulate(.fault(.emptySuccess))
        #expect(await refusal { try await plain.upgrade() } == .credentialsNotStored)
        #expect(try await plain.items() == [.deviceOnly])

        // The owner's yes alone is worth nothing anywhere.
        try locked.simulated.simulate(.fault(.emptySuccess))
        try await locked.vault.reauthenticateOwner(TestCredentials.words)
        #expect(await refusal { try await locked.vault.credentials() } == .credentialsLocked)
    }

    @Test func `credentials of another type are not read, stay as they are, and the transition has not happened`()
        async throws
    {
        let made = try await TestCredentials.make(in: .locked)
        let other: CredentialVault<[Int]> = try await CredentialVault.open(
            named: CredentialName("tokens"),
            in: made.path,
            device: made.device
        )
        try made.simulated.simulate(.finger(.match))
        let thrown = await fault { try await other.unlockWithBiometrics(TestCredentials.words) }
        #expect(thrown?.code == .credentialsNotRead)
        #expect(thrown?.diagnostic?.contains("4f1d9c") == false)
        #expect(await other.snapshot.state == .locked)
        #expect(await !other.holdsKey)
        #expect(try await made.unlock() == .sample)
    }

    @Test func `what is too long, or can't be written down, is refused before anything is touched`() async throws {
        let made = try await TestCredentials.make(in: .ready)
        let long = Tokens(access: String(repeating: "x", count: 1 << 20), refresh: "")
        #expect(await refusal { try await made.vault.enableKeychainVault(saving: long) } == .secretSizeWrong)
        let number: CredentialVault<Double> = try await CredentialVault.open(
            named: CredentialName("number"),
            in: made.path,
            device: made.device
        )
        #expect(await refusal { try await number.enableKeychainVault(saving: .nan) } == .credentialsNotStored)
        #expect(made.simulated.counts.saves == 0)
        let longest = Tokens(access: String(repeating: "x", count: (1 << 20) - 100), refresh: "")
        try await made.vault.enableKeychainVault(saving: longest)
        #expect(try await made.reopened().vault.credentials() == longest)
    }

    /// What an editor of the file may do to the row.
    enum Edit: CaseIterable {
        case box, protection, name, item, otherDevice
    }

    @Test(arguments: Edit.allCases)
    func `an edited row opens nothing, and no other item is read as if it were this one`(edit: Edit) async throws {
        let made = try await TestCredentials.make(in: .keychainSecured)
        let other = try await TestCredentials.open(named: "other", in: made.path, made.device)
        try await other.enableKeychainVault(saving: Tokens(access: "other", refresh: ""))
        let name = try CredentialName("tokens")
        let (old, foreign) = try made.tamper { store in
            (
                try #require(try store.record(named: name)),
                try #require(try store.record(named: CredentialName("other")))
            )
        }
        var box = old.sealed
        box[20] ^= 1
        let edited = try CredentialRecord(
            name: edit == .name ? CredentialName("copy") : name,
            item: edit == .item ? foreign.item.text : old.item.text,
            protection: edit == .protection ? 1 : 0,
            device: edit == .otherDevice ? 2 : 0,
            sealed: edit == .box ? box : old.sealed
        )
        try made.tamper { store in try store.replace(edit == .name ? nil : old, by: edited) }
        let again = try? await TestCredentials.open(named: edited.name.text, in: made.path, made.device)
        switch edit {
        case .otherDevice:
            #expect(again == nil)
            #expect(
                await refusal { try await TestCredentials.open(in: made.path, made.device) } == .deviceMismatch
            )
        case .protection:
            // The item needs no prompt, but the row says that it does; it opens as neither.
            #expect(
                await refusal { try await again?.unlockWithBiometrics(TestCredentials.words) } == .credentialsNotRead
            )
        case .box, .name, .item:
            #expect(await refusal { try await again?.credentials() } == .credentialsNotRead)
        }
        #expect(try await other.credentials().access == "other")
    }

    @Test func `a note of another's item, or of one that is in use, deletes nothing`() async throws {
        let wallet = try await TestVault.make(biometrics: true)
        let made = try await TestCredentials.make(in: .keychainSecured, on: wallet.simulated)
        let before = try wallet.simulated.itemNames()
        try made.tamper { store in
            for name in before { try store.note(try #require(ItemName(text: name))) }
        }
        let deletes = wallet.simulated.counts.deletes
        try await made.reopened().vault.refresh()
        #expect(try wallet.simulated.itemNames() == before)
        #expect(wallet.simulated.counts.deletes == deletes)
        #expect(try await made.vault.credentials() == .sample)
        try await wallet.restarted().strong()
    }

    @Test func `a damaged or foreign file is no empty vault, and is left as it is`() async throws {
        let made = try await TestCredentials.make(in: .keychainSecured)
        await made.vault.close()
        let file = "credentials/credentials.sqlite"
        let bytes = try made.folder.read(file)
        try made.folder.write(Array("this is not a database".utf8) + [UInt8](repeating: 0, count: 5_000), to: file)
        #expect(await refusal { try await made.reopened() } == .vaultDamaged)
        try made.folder.write(bytes, to: file)
        #expect(try await made.reopened().vault.credentials() == .sample)
        // A wallets' vault under this name is another program's file.
        let vault = try await TestVault.make()
        await vault.vault.close()
        try made.folder.write(vault.folder.read("vault/vault.sqlite"), to: file)
        #expect(await refusal { try await made.reopened() } == .vaultDamaged)
    }

    @Test(.holds("V-05")) func `what is damaged is reset by name, a row or the whole file, and what is not as ever`()
        async throws
    {
        let words = Array("this is not a database".utf8) + [UInt8](repeating: 0, count: 5_000)
        for damage in ["row", "file", "none"] {
            let made = try await TestCredentials.make(in: .keychainSecured)
            let other = try await TestCredentials.open(named: "other", in: made.path, made.device)
            try await other.enableKeychainVault(saving: .sample)
            await other.close()
            await made.vault.close()
            switch damage {
            case "row":
                let database = try Database(opening: made.path + "/credentials.sqlite", format: CredentialStore.format)
                try database.run("UPDATE credential SET protection = 77 WHERE name = 'tokens'")
                database.close()
            case "file": try made.folder.write(words, to: "credentials/credentials.sqlite")
            default: break
            }
            if damage != "none" { #expect(await refusal { try await made.reopened() } == .vaultDamaged) }
            let name = try CredentialName("tokens")
            try await CredentialVault<Tokens>.reset(named: name, in: made.path, device: made.device)
            let again = try await made.reopened()
            #expect(await again.state == .ready)
            let kept = try await TestCredentials.open(named: "other", in: made.path, made.device)
            #expect(await kept.snapshot.state == (damage == "file" ? .ready : .keychainSecured))
            if damage != "file" {
                #expect(try await kept.credentials() == .sample)
                #expect(try made.simulated.itemNames().count == 1)
            }
            try await again.vault.enableKeychainVault(saving: .sample)
        }
    }

    @Test(.holds("B-12", "A26"))
    func `on another device the credentials are gone, which is told, and a reset leads on`()
        async throws
    {
        for state in [CredentialVaultMachine.State.keychainSecured, .locked] {
            let made = try await TestCredentials.make(in: state)
            try made.simulated.simulate(.restoreElsewhere)
            let again = try await made.reopened()
            #expect(await again.state == state)
            #expect(await again.vault.snapshot.condition == .keyGone)
            let code = await refusal {
                if state == .locked { try await again.unlock() } else { try await again.vault.credentials() }
            }
            #expect(code == (state == .locked ? .biometricsChanged : .credentialsNotRead))
            try await again.vault.reset()
            #expect(await again.state == .ready)
        }
    }

    @Test(.holds("B-10", "INV-107-05"))
    func `nothing at rest holds the credentials in the open, on the device neither`()
        async throws
    {
        let simulatedFolder = try TemporaryFolder()
        let simulated = try SimulatedDevice(folder: simulatedFolder.file("device"))
        let made = try await TestCredentials.make(in: .keychainSecured, on: simulated)
        try await made.upgrade()
        try await made.vault.downgradeBiometricsToKeychain(TestCredentials.words)
        for folder in [made.folder, simulatedFolder] {
            for (path, bytes) in try folder.files() {
                for secret in ["4f1d9c", "8817"] {
                    #expect(!Data(bytes).contains(secret), "\(path)")
                }
            }
        }
    }

    @Test(.holds("V-05")) func `of two objects that store at once one wins, and what it stored opens`() async throws {
        for _ in 0..<10 {
            let made = try await TestCredentials.make()
            let other = try await made.reopened()
            async let first = refusal {
                try await made.vault.enableKeychainVault(saving: Tokens(access: "1", refresh: ""))
            }
            async let second = refusal {
                try await other.vault.enableKeychainVault(saving: Tokens(access: "2", refresh: ""))
            }
            let codes = await [first, second]
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.contains(.credentialsAlreadyPlain))
            let winner = codes[0] == nil ? "1" : "2"
            #expect(try await made.vault.credentials().access == winner)
            #expect(try await other.vault.credentials().access == winner)
            #expect(try made.simulated.itemNames().count == 1)
        }
    }

    @Test func `what another object changes is seen by the next call, and its key opens nothing any more`() async throws
    {
        let made = try await TestCredentials.make(in: .biometricsSecured)
        let other = try await made.reopened()
        try await other.vault.reset()
        try await other.vault.enableKeychainVault(saving: Tokens(access: "new", refresh: ""))
        try await other.upgrade()
        #expect(await made.vault.holdsKey)
        #expect(await refusal { try await made.vault.credentials() } == .credentialsLocked)
        #expect(await made.state == .locked)
        #expect(await !made.vault.holdsKey)
        #expect(try await made.unlock().access == "new")
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

/// A store that says once that an item is not there.
private struct DrowsyStore: ForwardingStore {
    let store: any SecureStore
    let missed: Counter

    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        missed.next() == 1 ? nil : try await store.describe(name)
    }
}
