import Thumbturn
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator

// What happens around the phone.
extension Phone {
    /// Makes something happen, in the words of `simulate`.
    func happen(_ words: String) async -> PhoneReply {
        if let former = FormerWallet(words: words) { return await leave(former) }
        guard let event = SimulatedEvent(words: words) else { return PhoneReply(.usage, in: host.language) }
        do throws(DeviceRefusal) { try device.simulate(event) } catch {
            return PhoneReply(.storageUnavailable, in: host.language)
        }
        if event.movesClock, let vault = open?.vault {
            // The vault's own timer counts real time.
            await vault.lockIfIdle()
            await vault.publish()
        }
        changed()
        return PhoneReply()
    }

    /// Leaves what another app would have left on the device.
    private func leave(_ former: FormerWallet) async -> PhoneReply {
        do throws(DeviceRefusal) { try await former.leave(on: device.device) } catch {
            return PhoneReply(.storageUnavailable, in: host.language)
        }
        await lookForFormer()
        return PhoneReply()
    }
}

extension FormerWallet {
    /// Reads what stands behind `simulate`: `legacy wallet`, and others.
    init?(words: String) {
        guard words.hasPrefix("legacy ") else { return nil }
        self.init(rawValue: String(words.dropFirst("legacy ".count)))
    }
}

extension SimulatedEvent {
    /// Reads one event, and nothing else.
    init?(words: String) {
        let parts = words.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let (event, consumed) = Self.parse(parts[...]), consumed == parts.count else { return nil }
        self = event
    }

    /// Whether it is another time afterwards.
    fileprivate var movesClock: Bool {
        switch self {
        case .advance, .sleep, .clock, .reboot, .restoreElsewhere: true
        case .finger, .enroll, .unenroll, .passcodeOff, .passcodeOn, .passcode, .lockout, .reinstall, .lockDevice,
            .unlockDevice, .background, .foreground, .permissionDenied, .permissionGranted, .sensor, .fault:
            false
        }
    }

    /// Whether no app survives it: it is gone, and has to be started again.
    var endsApp: Bool {
        switch self {
        case .reboot, .reinstall, .restoreElsewhere: true
        case .advance, .sleep, .clock, .finger, .enroll, .unenroll, .passcodeOff, .passcodeOn, .passcode, .lockout,
            .lockDevice, .unlockDevice, .background, .foreground, .permissionDenied, .permissionGranted, .sensor,
            .fault:
            false
        }
    }
}
