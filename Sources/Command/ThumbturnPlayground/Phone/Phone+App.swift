import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator

// What the app does around the library's screens.
extension Phone {
    func perform(_ action: AppAction, _ secret: HeldSecret?) async -> PhoneReply {
        defer { changed() }
        switch action {
        case .appBecame(let phase): return move(to: phase)
        case .language(let language): self.language = language
        case .create, .importWords, .submitNewSecret, .submitWords, .answerOffer, .migrate, .cancel:
            return await begin(action, secret)
        case .createWallet(let name): return await addWallet(name, .newMnemonic(words: .twelve))
        case .importWallet(let name):
            guard let secret else { break }
            return await addWallet(name, .mnemonic(secret.bytes.copy()))
        case .exportWallet(let id):
            guard let secret else { break }
            return await exportWallet(id, with: secret)
        case .exportTrail:
            guard let secret else { break }
            return await exportTrail(with: secret)
        case .credentials(let action): return await perform(action)
        }
        return PhoneReply()
    }

    private func move(to phase: AppPhase) -> PhoneReply {
        isCovered = phase == .inactive
        do throws(DeviceRefusal) {
            if phase != .inactive { try device.simulate(phase == .active ? .foreground : .background) }
            return PhoneReply()
        } catch {
            return PhoneReply(.storageUnavailable, in: language)
        }
    }

    // Before there is a vault.

    private func begin(_ action: AppAction, _ secret: HeldSecret?) async -> PhoneReply {
        guard app == nil else { return PhoneReply(.vaultExists, in: language) }
        switch action {
        case .create where onboarding.step == .start: onboarding.step = .choosing
        case .importWords where onboarding.step == .start: onboarding.step = .importing
        case .submitWords where onboarding.step == .importing: if let secret { onboarding.take(words: secret) }
        case .submitNewSecret:
            guard let secret else { break }
            let (weakness, capability) = (device.device.weakness(of: secret.bytes), await device.device.capability())
            onboarding.take(secret: secret, weakness: weakness, asksForBiometrics: capability.supported)
            if onboarding.step == .making { return await make(consent: false) }
        case .answerOffer(let consent) where onboarding.step == .asking: return await make(consent: consent)
        case .migrate where onboarding.step == .start && onboarding.hasFormer: return await moveIn()
        case .cancel where onboarding.step != .making: onboarding = Onboarding(hasFormer: onboarding.hasFormer)
        default: return PhoneReply(.consentMissing, in: language)
        }
        return PhoneReply(onboarding.refusal.map { $0.json(in: language) } ?? .null)
    }

    private func make(consent: Bool) async -> PhoneReply {
        let given = onboarding
        guard let pin = given.chosen else { return PhoneReply(.consentMissing, in: language) }
        onboarding = Onboarding(step: .making)
        changed()
        do throws(VaultError) {
            let (events, configuration) = await configuration()
            let made = try await Vault.create(
                in: place.vault,
                device: device.device,
                secret: pin.bytes,
                policy: .playground,
                biometrics: consent ? BiometricConsent(ownerAgreedAt: device.device.clock()) : nil,
                configuration: configuration
            )
            onboarding = Onboarding()
            adopt(made.vault, events)
            if let words = given.words {
                try await made.vault.addWallet(named: try WalletName("wallet"), .mnemonic(words.bytes.copy()))
            }
            return made.biometricsFailure.map { PhoneReply($0.code, in: language) } ?? PhoneReply()
        } catch {
            onboarding = Onboarding(refusal: error.code)
            return PhoneReply(error.code, in: language)
        }
    }

    private func moveIn() async -> PhoneReply {
        onboarding.step = .making
        changed()
        do throws(VaultError) {
            let (events, configuration) = await configuration()
            let moved = try await Vault.migrateWithBiometrics(
                in: place.vault,
                device: device.device,
                prompt: words,
                configuration: configuration
            )
            onboarding = Onboarding()
            adopt(moved.vault, events)
            return moved.erasureFailure.map { PhoneReply($0.code, in: language) } ?? PhoneReply()
        } catch {
            onboarding = Onboarding(refusal: error.code)
            await lookForFormer()
            return PhoneReply(error.code, in: language)
        }
    }

    private func perform(_ action: CredentialAction) async -> PhoneReply {
        guard let credentials else { return PhoneReply(.storageUnavailable, in: language) }
        do throws(VaultError) { try await credentials.perform(action, words) } catch {
            return PhoneReply(error.code, in: language)
        }
        return PhoneReply()
    }

    // Behind the lock.

    private func addWallet(_ name: String, _ secret: consuming WalletSecret) async -> PhoneReply {
        guard let app else { return PhoneReply(.vaultMissing, in: language) }
        do throws(VaultError) {
            try await app.vault.addWallet(named: try WalletName(name), secret)
            await app.readWallets()
            return PhoneReply()
        } catch {
            return PhoneReply(error.code, in: language)
        }
    }

    private func exportWallet(_ id: String, with pin: HeldSecret) async -> PhoneReply {
        guard let app else { return PhoneReply(.vaultMissing, in: language) }
        guard let id = Identifier(text: id) else { return PhoneReply(.walletMissing, in: language) }
        do {
            let authorization = try await app.vault.unlock(with: pin.bytes)
            var reply = PhoneReply()
            reply.secret = try await app.vault.exportWallet(id, authorization) { _, bytes in
                HeldSecret(SecretBytes(copying: bytes))
            }
            return reply
        } catch {
            return refused(error)
        }
    }

    private func exportTrail(with pin: HeldSecret) async -> PhoneReply {
        guard let app else { return PhoneReply(.vaultMissing, in: language) }
        do {
            let authorization = try await app.vault.unlock(with: pin.bytes)
            let file = TrailFile()
            try await app.vault.exportTrail(authorization) { file.append($0) }
            export = file.text
            var reply = PhoneReply()
            reply.members.append(("export", .string(file.text)))
            return reply
        } catch {
            return refused(error)
        }
    }

    private func refused(_ error: any Error) -> PhoneReply {
        PhoneReply((error as? VaultError)?.code ?? .storageUnavailable, in: language)
    }
}
