import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnUI

// What the app does around the library's screens.
extension Phone {
    func perform(_ action: AppAction, _ secret: HeldSecret?) async -> PhoneReply {
        defer { changed() }
        switch action {
        case .appBecame(let phase): return move(to: phase)
        case .language(let language):
            host.language = language
            return PhoneReply()
        case .migrate: return await moveIn()
        case .exportTrail: return await exportTrail(with: secret)
        case .credentials(let action): return await perform(action)
        case .elsewhere(let action): return await perform(action, secret?.lines ?? [])
        }
    }

    private func move(to phase: AppPhase) -> PhoneReply {
        isCovered = phase == .inactive
        do throws(DeviceRefusal) {
            if phase != .inactive { try device.simulate(phase == .active ? .foreground : .background) }
            return PhoneReply()
        } catch {
            return PhoneReply(.storageUnavailable, in: host.language)
        }
    }

    /// Moves a former app's wallet into a new vault, by a finger.
    private func moveIn() async -> PhoneReply {
        guard open == nil, let app = app as? HostedVault else { return PhoneReply(.vaultExists, in: host.language) }
        guard former.change({ $0 != nil }) else { return PhoneReply(.legacyMissing, in: host.language) }
        do throws(VaultError) {
            let moved = try await Vault.migrateWithBiometrics(
                in: place.vault,
                device: device.device,
                prompt: words,
                configuration: configuration(device.device)
            )
            app.model.adopt(moved.vault)
            return moved.erasureFailure.map { PhoneReply($0.code, in: host.language) } ?? PhoneReply()
        } catch {
            await lookForFormer()
            return PhoneReply(error.code, in: host.language)
        }
    }

    private func exportTrail(with secret: HeldSecret?) async -> PhoneReply {
        guard let open else { return PhoneReply(.vaultMissing, in: host.language) }
        guard let secret else { return PhoneReply(.secretMalformed, in: host.language) }
        do {
            let authorization = try await app.authorization(with: secret)
            let file = TrailFile()
            try await open.vault.exportTrail(authorization) { file.append($0) }
            export = file.text
            return PhoneReply([("export", .string(file.text))])
        } catch {
            return PhoneReply((error as? VaultError)?.code ?? .storageUnavailable, in: host.language)
        }
    }

    /// Has the owner's other device do something.
    private func perform(_ action: ElsewhereAction, _ passwords: [HeldSecret]) async -> PhoneReply {
        guard let other, let vault = app.core else { return PhoneReply(.accountMismatch, in: host.language) }
        do throws(VaultError) {
            switch action {
            case .changePassword where passwords.count == 2:
                try await other.changePassword(of: vault, from: passwords[0], to: passwords[1])
            case .revoke where passwords.count == 1: try await other.revoke(vault, passwords[0])
            case .changePassword, .revoke: return PhoneReply(.secretMalformed, in: host.language)
            }
            return PhoneReply()
        } catch {
            return PhoneReply(error.code, in: host.language)
        }
    }

    private func perform(_ action: CredentialAction) async -> PhoneReply {
        guard let credentials else { return PhoneReply(.storageUnavailable, in: host.language) }
        do throws(VaultError) { try await credentials.perform(action, words) } catch {
            return PhoneReply(error.code, in: host.language)
        }
        return PhoneReply()
    }
}
