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
        case .language(let language): host.language = language
        case .migrate: return await moveIn()
        case .exportTrail: if let secret { return await exportTrail(with: secret) }
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
            return PhoneReply(.storageUnavailable, in: host.language)
        }
    }

    /// Moves a former app's wallet into a new vault, by a finger.
    private func moveIn() async -> PhoneReply {
        guard open == nil else { return PhoneReply(.vaultExists, in: host.language) }
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

    private func exportTrail(with pin: HeldSecret) async -> PhoneReply {
        guard let open else { return PhoneReply(.vaultMissing, in: host.language) }
        do {
            let authorization = try await open.vault.unlock(with: pin.bytes)
            let file = TrailFile()
            try await open.vault.exportTrail(authorization) { file.append($0) }
            export = file.text
            return PhoneReply([("export", .string(file.text))])
        } catch {
            return PhoneReply((error as? VaultError)?.code ?? .storageUnavailable, in: host.language)
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
