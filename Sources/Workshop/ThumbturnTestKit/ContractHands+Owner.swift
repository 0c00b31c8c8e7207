import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

/// The clauses about the owner: prompts, enrolment, lockout.
extension ContractHands {
    private var offersPasscode: Bool { subject.offers.contains(.anyBiometryOrPasscode) }

    /// Leaves a clause undecided if no item accepts a passcode.
    private func requirePasscode() throws { guard offersPasscode else { throw CannotSimulate(event: .passcode) } }

    func onePromptPerRead() async throws {
        try await save(1, .currentBiometrySet)
        if offersPasscode { try await save(2, .anyBiometryOrPasscode) }
        for (shown, number) in zip(1..., offersPasscode ? [1, 2, 1] : [1, 1, 1] as [UInt8]) {
            try await happen(.finger(.match))
            try expect(try await reads(number), "item \(number) came back as another")
            try await expectPrompts(shown)
        }
    }

    func promptsEndExactly() async throws {
        try await save(1, .currentBiometrySet)
        let ends: [(SimulatedTouch, DeviceRefusal)] = [
            (.mismatch, .notRecognised), (.cancel, .cancelledByUser(afterMismatch: false)),
            (.fallback, .fallbackChosen),
        ]
        for (touch, refusal) in ends {
            try await happen(.finger(touch))
            try await expectRefusal(refusal, by: "\(touch)") { () async throws(DeviceRefusal) in
                _ = try await reads(1)
            }
        }
        try await expectPrompts(ends.count)
        try await happen(.finger(.match))
        try expect(try await reads(1), "the item came back as another")
    }

    func mismatchBeforeCancelShows() async throws {
        try await save(1, .currentBiometrySet)
        try await happen(.finger(.mismatchThenCancel))
        try await expectRefusal(.cancelledByUser(afterMismatch: true), by: "read") { () async throws(DeviceRefusal) in
            _ = try await reads(1)
        }
        try await happen(.finger(.match))
        try expect(try await reads(1), "the item did not survive")
    }

    func cancellationEndsPrompt() async throws {
        try await save(1, .currentBiometrySet)
        try await happen(.finger(.wait))
        let reading = Task { () async -> DeviceRefusal? in
            do throws(DeviceRefusal) {
                _ = try await reads(1)
                return nil
            } catch {
                return error
            }
        }
        for _ in 1...100_000 where await subject.promptsShown() == 0 { await Task.yield() }
        try await expectPrompts(1)
        reading.cancel()
        let refusal = await reading.value
        try expect(refusal == .cancelledBySystem, "the prompt ended with \(String(describing: refusal))")
        try await happen(.finger(.match))
        try expect(try await reads(1), "the item did not survive")
    }

    func changedSetRevokes() async throws {
        try await save(1, .currentBiometrySet)
        if offersPasscode { try await save(2, .anyBiometryOrPasscode) }
        try await save(3, .deviceOnly)
        try await happen(.enroll)
        try expect(try await !isDescribed(1), "a revoked item is described")
        try await happen(.finger(.match))
        try await expectRefusal(.revoked, by: "read") { () async throws(DeviceRefusal) in _ = try await reads(1) }
        try await happen(.finger(.match))
        try await expectRefusal(.revoked, .absent, by: "a later read") { () async throws(DeviceRefusal) in
            _ = try await reads(1)
        }
        try await store.delete(name(1))
        try expect(try await reads(3), "an item of the device alone is gone")

        try await save(4, .currentBiometrySet)
        for number: UInt8 in offersPasscode ? [2, 4] : [4] {
            try await happen(.finger(.match))
            try expect(try await reads(number), "item \(number) does not open to the new set")
        }
    }

    func nobodyEnrolled() async throws {
        try await save(1, .currentBiometrySet)
        try await happen(.unenroll)
        try await expectRefusal(.notEnrolled, by: "save") { () async throws(DeviceRefusal) in
            try await save(2, .currentBiometrySet)
        }
        try await expectRefusal(.notEnrolled, .revoked, by: "read") { () async throws(DeviceRefusal) in
            _ = try await reads(1)
        }
        try await expectPrompts(0)
        try expect(try await !isDescribed(2), "a refused save left an item")
    }

    func lockoutRefuses() async throws {
        try await save(1, .currentBiometrySet)
        try await happen(.lockout)
        try await expectRefusal(.lockedOut, by: "read") { () async throws(DeviceRefusal) in _ = try await reads(1) }
        try await expectPrompts(0)
        try await happen(.passcode, .finger(.match))
        try expect(try await reads(1), "the item did not survive")
    }

    func passcodeIsNoFinger() async throws {
        try requirePasscode()
        try await save(1, .currentBiometrySet)
        try await save(2, .anyBiometryOrPasscode)
        try await happen(.finger(.passcode))
        try await expectRefusal(by: "read by passcode") { () async throws(DeviceRefusal) in _ = try await reads(1) }
        try await happen(.finger(.passcode))
        try expect(try await reads(2), "the passcode did not open the item")
    }

    func passcodeBreaksLockout() async throws {
        try requirePasscode()
        try await save(1, .currentBiometrySet)
        try await save(2, .anyBiometryOrPasscode)
        try await happen(.lockout, .finger(.passcode))
        try expect(try await reads(2), "the passcode did not open the item")
        try await expectPrompts(1)
    }

    func passcodeTakesItems() async throws {
        try requirePasscode()
        try await save(1, .anyBiometryOrPasscode)
        try await save(2, .deviceOnly)
        try await happen(.passcodeOff)
        try await expectRefusal(.notEnrolled, .revoked, .absent, by: "read") { () async throws(DeviceRefusal) in
            _ = try await reads(1)
        }
        try await expectRefusal(.notEnrolled, by: "save") { () async throws(DeviceRefusal) in
            try await save(3, .anyBiometryOrPasscode)
        }
        try await expectPrompts(0)
        try expect(try await !isDescribed(3), "a refused save left an item")
        try expect(try await reads(2), "an item of the device alone is gone")
    }

    func capabilityHasReasons() async throws {
        let prompt = subject.device.prompt
        try expect(await prompt.capability().available, "a new device has no use of its sensor")
        let changes: [(SimulatedEvent, SimulatedEvent, BiometricCapability.Reason)] = [
            (.lockout, .passcode, .lockedOut), (.permissionDenied, .permissionGranted, .permissionDenied),
            (.passcodeOff, .passcodeOn, .noPasscode), (.unenroll, .enroll, .notEnrolled),
            (.sensor(.none), .sensor(.face), .noHardware),
        ]
        for (change, remedy, reason) in changes {
            try await happen(change)
            let capability = await prompt.capability()
            try expect(capability.reasonIfUnavailable == reason, "\(change): \(capability)")
            try await happen(remedy)
            try expect(await prompt.capability().available, "\(remedy) did not help")
        }
        try expect(await prompt.capability().biometryType == .faceID, "a face camera is no face camera")
    }

    func promptProvesPresence() async throws {
        let prompt = subject.device.prompt
        for touch: SimulatedTouch in [.mismatch, .cancel, .fallback, .passcode] {
            try await happen(.finger(touch))
            try await expectRefusal(by: "\(touch)") { () async throws(DeviceRefusal) in try await prompt.prompt(text) }
        }
        try await happen(.finger(.match))
        try await prompt.prompt(text)
        try await expectPrompts(5)
    }

    func passcodeProvesOwner() async throws {
        let prompt = subject.device.prompt
        try await happen(.lockout, .finger(.cancel))
        try await expectRefusal(by: "a cancel") { () async throws(DeviceRefusal) in
            try await prompt.prompt(text, acceptingPasscode: true)
        }
        try expect(await !prompt.capability().available, "a cancel ended the lockout")
        try await happen(.finger(.passcode))
        try await prompt.prompt(text, acceptingPasscode: true)
        try expect(await prompt.capability().available, "the passcode did not end the lockout")
        try await happen(.finger(.match))
        try await prompt.prompt(text, acceptingPasscode: true)
        try await expectPrompts(3)
    }

    func assuranceIsOne() async throws {
        let (sensor, item) = (
            await subject.device.prompt.capability().assurance, store.assurance(of: .currentBiometrySet)
        )
        try expect(sensor == item, "the sensor claims \(sensor), the store \(item)")
        if subject.device.kind == .simulated { try expect(item == .simulated, "a simulation claims \(item)") }
    }
}

/// The clauses about the device as a whole.
extension ContractHands {
    func reinstallKeepsItems() async throws {
        let key = name(2, .deviceSecret)
        let installation = try await subject.device.installation()
        try expect(try await subject.device.installation() == installation, "an installation has two names")
        try await save(1, .deviceOnly)
        try await store.makeDeviceSecret(key)
        try await anchor.rise(to: 4, for: key)
        try await happen(.reinstall)
        try expect(try await subject.device.installation() != installation, "two installations have one name")
        guard subject.outlivesReinstall else {
            try expect(try await !isDescribed(1), "the item outlived its app")
            try expect(try await store.describe(key) == nil, "the device secret outlived its app")
            return try expect(try await anchor.position(for: key) == nil, "the anchor outlived its app")
        }
        try expect(try await reads(1), "the item is gone")
        try expect(try await store.describe(key) != nil, "the device secret is gone")
        try expect(try await anchor.sequence(for: key) == 4, "the anchor is gone")
    }

    func restoreLosesItems() async throws {
        let key = name(9, .deviceSecret)
        let (installation, boot) = (try await subject.device.installation(), subject.device.clock().bootID)
        for access in subject.offers { try await save(access.rawValue, access) }
        try await store.makeDeviceSecret(key)
        try await anchor.rise(to: 4, for: key)
        try await happen(.restoreElsewhere)
        for access in subject.offers {
            try expect(try await !isDescribed(access.rawValue), "an item under \(access) came along")
            try await expectRefusal(.absent, by: "read") { () async throws(DeviceRefusal) in
                _ = try await reads(access.rawValue)
            }
        }
        // The restored copy may include the secret's file, which no device opens: it is then damaged here.
        try await expectRefusal(.absent, .damaged, by: "evaluate") { () async throws(DeviceRefusal) in
            _ = try await store.evaluate(key, input: [])
        }
        try expect(try await anchor.sequence(for: key) == nil, "the anchor came along")
        try expect(try await subject.device.installation() != installation, "two installations have one name")
        try expect(subject.device.clock().bootID != boot, "two boots have one name")
    }

    func clocksRun() async throws {
        let clock = subject.device.clock
        let start = clock()
        try await happen(.advance(.minutes(31)))
        try expectElapsed(.minutes(31), since: start)
        try await happen(.sleep(.hours(1)))
        try expectElapsed(.minutes(91), since: start)

        let beforeSetting = clock()
        try await happen(.clock(.days(1)))
        guard case .wallMoved(let boottime) = ClockReading.relation(from: beforeSetting, to: clock()) else {
            return try expect(false, "setting the wall clock forward does not show")
        }
        try expect(boottime < .minutes(1), "setting the wall clock moved the other one")
        try await happen(.clock(.days(-2)))
        try expect(ClockReading.relation(from: beforeSetting, to: clock()) == .backward, "time gone back does not show")

        try await happen(.reboot)
        try expect(ClockReading.relation(from: start, to: clock()) == .rebooted, "a boot does not show")
        try expect(clock().boottime < .minutes(1), "a boot did not start the clock again")
    }

    /// - Parameter slack: how much longer it may have taken, on clocks that run by themselves beside other tests.
    func expectElapsed(
        _ span: Milliseconds,
        since start: ClockReading,
        slack: Milliseconds = .minutes(1)
    ) throws {
        guard case .elapsed(let least, let most) = ClockReading.relation(from: start, to: subject.device.clock()) else {
            return try expect(false, "the clocks disagree")
        }
        try expect(least >= span && most < span + slack, "\(least) to \(most), not \(span)")
    }
}
