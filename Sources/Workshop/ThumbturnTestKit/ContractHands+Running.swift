import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

/// The clauses about a device that someone touches, follows or moves while it runs.
extension ContractHands {
    func touchAnswersPrompt() async throws {
        try await save(1, .currentBiometrySet)
        let ends: [(SimulatedTouch, DeviceRefusal?)] = [
            (.mismatch, .notRecognised), (.cancel, .cancelledByUser(afterMismatch: false)),
            (.fallback, .fallbackChosen), (.match, nil),
        ]
        for (shown, (touch, refusal)) in zip(1..., ends) {
            try await happen(.finger(.wait))
            let end = try await endOfPrompt(shown, touchedBy: touch)
            try expect(end == .some(refusal), "\(touch) ended the prompt with \(String(describing: end))")
        }
        try await expectPrompts(ends.count)
        try await happen(.finger(.match))
        try expect(try await reads(1), "the item did not survive")
    }

    /// Reads the item, touches the sensor once the prompt is up, and returns the refusal; nil when nothing ended it.
    private func endOfPrompt(_ number: Int, touchedBy touch: SimulatedTouch) async throws -> DeviceRefusal?? {
        let end = Shared<DeviceRefusal??>(nil)
        let reading = Task {
            do throws(DeviceRefusal) {
                end.value = .some(try await reads(1) ? nil : .weakerThanAsked)
            } catch {
                end.value = .some(error)
            }
        }
        let isUp = await eventually { await subject.promptsShown() == number }
        let isOver = end.value != nil
        var answer: DeviceRefusal??
        do {
            if isUp, !isOver { try await happen(.finger(touch)) }
            if await eventually({ end.value != nil }) { answer = end.value }
        } catch {
            reading.cancel()
            await reading.value
            throw error
        }
        reading.cancel()
        await reading.value
        try expect(isUp, "prompt \(number) did not come up")
        try expect(!isOver, "prompt \(number) did not wait for a touch")
        return answer
    }

    func changesAreTold() async throws {
        let story: [(SimulatedEvent, DeviceEvent)] = [
            (.enroll, .biometryChanged), (.lockDevice, .protectedDataLeaving), (.unlockDevice, .becameActive),
        ]
        guard story.contains(where: { subject.tells.contains($0.1) }) else { throw CannotSimulate(event: .lockDevice) }
        var listeners: [(heard: Shared<[DeviceEvent]>, task: Task<Void, Never>)] = []
        defer { for listener in listeners { listener.task.cancel() } }
        for (number, (happening, event)) in story.enumerated() {
            let heard = Shared<[DeviceEvent]>([])
            let stream = subject.device.events()
            listeners.append((heard, Task { for await event in stream { heard.append(event) } }))
            try await happen(happening)
            guard subject.tells.contains(event) else { continue }
            for listener in listeners {
                let isTold = await eventually { listener.heard.value.contains(event) }
                try expect(isTold, "\(happening) is not told as \(event), only \(listener.heard.value)")
            }
            for former in story[..<number].map(\.1) {
                try expect(!heard.value.contains(former), "\(former) is told to one who came later")
            }
        }
    }

    func clocksMoveWhileRead() async throws {
        let clock = subject.device.clock
        let start = clock()
        let readers = (1...2).map { _ in
            Task {
                var last = clock()
                while !Task.isCancelled {
                    let now = clock()
                    guard now.wall >= last.wall, now.boottime >= last.boottime, now.bootID == last.bootID else {
                        return false
                    }
                    last = now
                    // Not without a pause: other suites share the threads of this one.
                    try? await Task.sleep(nanoseconds: 2_000_000)
                }
                return true
            }
        }
        do {
            for span: Int64 in [10, 10, 11] { try await happen(.advance(.minutes(span))) }
        } catch {
            for reader in readers { reader.cancel() }
            throw error
        }
        for reader in readers {
            reader.cancel()
            try expect(await reader.value, "a clock that was moved forward went back")
        }
        try expectElapsed(.minutes(31), since: start, slack: .hours(1))

        try await happen(.clock(.days(-1)))
        try expect(ClockReading.relation(from: start, to: clock()) == .backward, "time gone back does not show")
        try await expectRunningOn()
        try await happen(.reboot)
        try expect(ClockReading.relation(from: start, to: clock()) == .rebooted, "a boot does not show")
        try await expectRunningOn()
    }

    /// Checks that time passes from where the clocks stand now.
    private func expectRunningOn() async throws {
        let now = subject.device.clock()
        try await happen(.advance(.hours(1)))
        try expectElapsed(.hours(1), since: now)
    }
}
