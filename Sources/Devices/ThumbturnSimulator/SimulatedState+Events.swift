import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

extension SimulatedState {
    mutating func apply(_ event: SimulatedEvent, at host: HostClocks) {
        switch event {
        case .finger(let touch): touches.append(touch)
        case .enroll: fingers.append(.make())
        case .unenroll: fingers = []
        case .passcodeOff: removePasscode()
        case .passcodeOn: hasPasscode = true
        case .passcode: givePasscode()
        case .lockout: isLockedOut = true
        case .reboot: reboot(at: host)
        case .advance(let span), .sleep(let span): clock.advance(span)
        case .clock(let span): clock.wallOffset = clock.wallOffset + span
        case .reinstall: reinstall()
        case .restoreElsewhere: restoreElsewhere(at: host)
        case .lockDevice: isDeviceLocked = true
        case .unlockDevice: isDeviceLocked = false
        case .background: isAppInBackground = true
        case .foreground: isAppInBackground = false
        case .permissionDenied: isPermissionGranted = false
        case .permissionGranted: isPermissionGranted = true
        case .sensor(let sensor): self.sensor = sensor
        case .fault(let fault): faults.append(fault)
        }
    }

    /// Removes the passcode and the items that it would open, which do not return with a new one.
    private mutating func removePasscode() {
        hasPasscode = false
        for (name, item) in items where item.access == .anyBiometryOrPasscode {
            items[name] = nil
            revokedNames.insert(name)
        }
    }

    /// Restarts the device, and with it the app.
    private mutating func reboot(at host: HostClocks) {
        clock.reboot(as: .make(), at: host)
        isAppInBackground = false
    }

    /// Removes the app's container with the store's memory; rows and anchors survive (A27).
    private mutating func reinstall() {
        installation = .make()
        revokedNames = []
        isAppInBackground = false
    }

    /// Becomes another device with one enrolled finger; a row moves along only if its attribute was dropped (A26, A32).
    private mutating func restoreElsewhere(at host: HostClocks) {
        reinstall()
        clock.reboot(as: .make(), at: host)
        items = items.filter { !$0.value.staysOnDevice }
        anchors = [:]
        fingers = [.make()]
        hasPasscode = true
        isDeviceLocked = false
        isLockedOut = false
        mismatchesInARow = 0
    }
}
