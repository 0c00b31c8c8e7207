import Foundation
import Testing
import Thumbturn
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// A vault on a TPM or on files, with a real fprintd: the way that an app goes.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct VaultOnLinuxTests {
        private static let other = "another horse battery"

        @Test(.holds("B-01", "B-05", "C21"), arguments: TestMachine.Kind.allCases)
        func `a wallet goes in, and comes out with a finger, with the PIN, and after a new PIN`(
            kind: TestMachine.Kind
        ) async throws {
            let machine = try await TestMachine(kind)
            let vault = try await machine.makeVault(on: machine.device())
            await vault.lock()
            try await machine.lay(onto: vault)
            await vault.close()

            let again = try await machine.open()
            #expect(await code { try await machine.enter(Self.other, into: again) } == .strongFactorRefused)
            #expect(await again.snapshot.failedAttempts == 1)
            let authorization = try await again.unlock(with: SecretBytes(text: TestMachine.secret))
            try await again.changeLocalSecret(to: SecretBytes(text: Self.other), authorization)
            await again.lock()
            try await machine.lay(onto: again)
            await again.lock()
            #expect(await code { try await machine.enter(into: again) } == .strongFactorRefused)
            try await machine.enter(Self.other, into: again)
            let wallet = try #require(try await again.wallets().first)
            let text = try await again.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
            #expect(text == TestMachine.wallet)
            await again.close()
        }

        @Test(.holds("A7"), arguments: TestMachine.Kind.allCases)
        func `after a new PIN the device's folder holds nothing of the former one, and an old copy opens with none`(
            kind: TestMachine.Kind
        ) async throws {
            let machine = try await TestMachine(kind)
            let vault = try await machine.makeVault(on: machine.device())
            await vault.close()
            let before = Set(try machine.deviceSecrets())
            let copy = try FolderImage(of: machine.folder.file("vault"))
            let later = try await machine.open()
            let authorization = try await later.unlock(with: SecretBytes(text: TestMachine.secret))
            try await later.changeLocalSecret(to: SecretBytes(text: Self.other), authorization)
            await later.close()
            let after = Set(try machine.deviceSecrets())
            // Gone: the former PIN's secret, its part on a TPM, and its anchor.
            #expect(before.isDisjoint(with: after) && before.count == after.count)
            #expect(before.count == (kind == .tpm ? 3 : 2))
            #expect(try machine.counterCount() == (kind == .tpm ? 3 : 0), "two for the PIN, one for the finger")

            try copy.restore(to: machine.folder.file("vault"))
            for pin in [TestMachine.secret, Self.other] {
                let old = try await machine.open(later: .days(2))
                #expect(await code { try await machine.enter(pin, into: old) } == .keyMissing)
                await old.close()
            }
        }

        enum Cure: CaseIterable, Sendable {
            case newPIN, rekey
        }

        @Test(.holds("A7"), arguments: Cure.allCases, TestMachine.Kind.allCases)
        func `on a TPM a former PIN opens nothing, with copies of both folders from before; from files it does`(
            cure: Cure,
            kind: TestMachine.Kind
        ) async throws {
            let machine = try await TestMachine(kind)
            await (try machine.makeVault(on: machine.device())).close()
            let copies = try ["vault", "device"].map { ($0, try FolderImage(of: machine.folder.file($0))) }
            let later = try await machine.open()
            let authorization = try await later.unlock(with: SecretBytes(text: TestMachine.secret))
            switch cure {
            case .newPIN: try await later.changeLocalSecret(to: SecretBytes(text: Self.other), authorization)
            case .rekey: try await later.rekey(with: SecretBytes(text: Self.other), recoveryKey: nil, authorization)
            }
            await later.close()
            for (name, image) in copies { try image.restore(to: machine.folder.file(name)) }
            // The anchor is gone from a TPM, so the ledger begins anew, with the longest wait.
            await (try machine.open(later: .days(2))).close()
            let old = try await machine.open(later: .days(4))
            let former = await code { try await machine.enter(into: old) }
            #expect(former == (kind == .tpm ? .keyMissing : nil))
            await old.close()
        }

        @Test(.holds("A4"))
        func `a higher cost leaves no part of the former slot on the TPM, also where a crash came between`()
            async throws
        {
            let machine = try await TestMachine(.tpm)
            let vault = try await machine.makeVault(on: machine.device())
            await vault.close()
            let made = try machine.deviceSecrets()
            let part = try #require(made.first { !$0.hasPrefix("anchor.") && $0.split(separator: ".").count == 5 })
            var stronger = TestVault.configuration()
            stronger.argon2 = .insecureTestStronger
            let dearer = try await Vault.open(
                in: machine.folder.file("vault"),
                device: machine.device(),
                configuration: stronger
            )
            try await machine.enter(into: dearer)
            await dearer.close()
            let sealedAnew = try machine.deviceSecrets()
            #expect(sealedAnew.count == made.count && !sealedAnew.contains(part))

            let own = try #require(ItemName(text: part.split(separator: ".").dropLast().joined(separator: ".")))
            try await machine.device().store.guardDeviceSecret(own, for: .make(), with: .sample(7))
            #expect(try machine.deviceSecrets().count == made.count + 1)
            let again = try await machine.open()
            try await machine.enter(into: again)
            await again.close()
            #expect(try machine.deviceSecrets() == sealedAnew)
        }

        @Test(.holds("INV-107-01"))
        func `after a boot the TPM itself keeps the finger's key shut until the PIN is given`()
            async throws
        {
            let machine = try await TestMachine(.tpm)
            let vault = try await machine.makeVault(on: machine.device())
            await vault.lock()
            // The vault doesn't notice: the kernel that names this boot is the same.
            try machine.tpm.restart()
            #expect(await code { try await machine.lay(onto: vault) } == .strongFactorRequired)
            #expect(await vault.snapshot.biometrics == .enabled)
            try await machine.enter(into: vault)
            await vault.lock()
            try await machine.lay(onto: vault)
            await vault.close()
        }

        @Test(.holds("A28", "F-107-07"), arguments: TestMachine.Kind.allCases)
        func `one more enrolled finger revokes the vault's, and the PIN brings it back`(
            kind: TestMachine.Kind
        ) async throws {
            let machine = try await TestMachine(kind)
            let device = try await machine.device()
            let vault = try await machine.makeVault(on: device)
            await vault.lock()
            try await machine.enrol()
            #expect(await code { try await machine.lay(onto: vault) } == .biometricsChanged)
            #expect(try await vault.refresh().biometrics == .revoked(.biometricsChanged))
            let authorization = try await vault.unlock(with: SecretBytes(text: TestMachine.secret))
            try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: device.clock()), authorization)
            await vault.lock()
            try await machine.lay(onto: vault)
            await vault.close()
        }

        @Test func `the lock of the session locks the vault`() async throws {
            let machine = try await TestMachine(.files)
            let vault = try await machine.makeVault(on: machine.device())
            #expect(await vault.snapshot.state == .unlocked(.full))
            let following = Task { await vault.followDevice() }
            try await TestStack.eventually { try await TestStack.inhibitors() > 0 }
            let (logind, session) = ("org.freedesktop.login1", "/org/freedesktop/login1/session/c1")
            try TestStack.call(logind, session, logind + ".Session.Lock")
            try await TestStack.eventually { await vault.snapshot.state != .unlocked(.full) }
            following.cancel()
            await following.value
            try await machine.enter(into: vault)
            await vault.close()
        }

        @Test(.holds("A1", "A26")) func `on another machine the vault's files open with no PIN`() async throws {
            let machine = try await TestMachine(.tpm)
            await (try machine.makeVault(on: machine.device())).close()
            try machine.tpm.replaceState(by: [:])
            let stolen = try await machine.open()
            #expect(await stolen.snapshot.condition == .keyMissing)
            #expect(await code { try await machine.enter(into: stolen) } == .keyMissing)
            await stolen.close()
        }

        @Test func `an unlock with the PIN is one conversation with the TPM, and one command of each that it takes`()
            async throws
        {
            let machine = try await TestMachine(.tpm)
            try machine.tpm.makePersistentKey()
            let creation = try await Vault.create(
                in: machine.folder.file("vault"),
                device: machine.device(),
                secret: SecretBytes(text: TestMachine.secret),
                policy: VaultPolicy.wallet.allowing(.softwareFile),
                configuration: TestVault.configuration()
            )
            let vault = creation.vault
            await vault.lock()
            // A TPM notes the first use of a counted object after a boot, and asks for the command once more.
            try await machine.enter(into: vault)
            await vault.lock()
            machine.proxy.forget()
            try await machine.enter(into: vault)
            // ReadPublic, StartAuthSession; NV_ReadPublic, NV_Read, NV_Extend, NV_Read; GetCapability; NV_ReadPublic,
            // FlushContext, StartAuthSession, PolicyNV, PolicyAuthValue; Load, Unseal, FlushContext.
            let unlock: [UInt32] = [
                0x173, 0x176, 0x169, 0x14E, 0x136, 0x14E, 0x17A, 0x169, 0x165, 0x176, 0x149, 0x16B, 0x157, 0x15E, 0x165,
                0x165,
            ]
            #expect(machine.proxy.codes == unlock)
            await vault.close()

            // A new process asks for the properties, for the ledger's key, where the anchor stands, and for the trail's key:
            // two conversations, since one ends with its secret.
            machine.proxy.forget()
            let later = try await machine.open()
            let looks = machine.proxy.codes
            #expect(looks.filter { $0 == 0x176 }.count == 2 && looks.count <= 16, "\(looks)")
            machine.proxy.forget()
            try await machine.enter(into: later)
            #expect(machine.proxy.codes == unlock)
            await later.close()
        }

        @Test(.holds("A9", "B-06")) func `a TPM that is a program is worth a file, and the vault says so`() async throws
        {
            let machine = try await TestMachine(.tpm)
            let device = try await machine.device()
            #expect(device.store.assurance(of: .deviceOnly) == .softwareFile)
            let short = await code {
                _ = try await Vault.create(
                    in: machine.folder.file("vault"),
                    device: device,
                    secret: SecretBytes(text: "493817"),
                    policy: VaultPolicy.wallet.allowing(.softwareFile),
                    configuration: TestVault.configuration()
                )
            }
            #expect(short == .secretTooWeakForDevice, "offline guessing is possible, so six digits will not do")
        }
    }
}
