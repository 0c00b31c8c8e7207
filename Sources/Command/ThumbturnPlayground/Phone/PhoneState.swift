import ThumbturnCredentials
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator

/// The state that the page draws: the host's value, and what is the playground's own.
@MainActor struct PhoneState {
    let host: JSON
    let language: Language
    let open: OpenVault?
    let credentials: OpenCredentials?
    /// Whether a former app left a wallet that a new vault could take over.
    let hasFormer: Bool
    let world: SimulatedSnapshot
    let clock: ClockReading

    /// - Parameter withClock: false leaves the clock out, so that two states can be compared.
    func json(withClock: Bool) -> JSON {
        let clock: JSON = ["boottime": .integer(clock.boottime.count), "wall": .integer(clock.wall.count)]
        return json(withClock ? clock : .null)
    }

    private func json(_ clock: JSON) -> JSON {
        [
            "app": ["hasFormer": .bool(hasFormer), "isRunning": .bool(true)],
            "credentials": credentials?.json ?? .null,
            "host": host,
            "inside": inside,
            "words": Words.json(in: language),
            "world": [
                "clock": clock, "enrolled": JSON(world.enrolledCount),
                "faults": .array(world.faults.map { .string($0.rawValue) }), "hasPasscode": .bool(world.hasPasscode),
                "isAppInBackground": .bool(world.isAppInBackground), "isLocked": .bool(world.isDeviceLocked),
                "isLockedOut": .bool(world.isLockedOut), "prompt": prompt, "sensor": .string(world.sensor.rawValue),
                "touches": .array(world.touches.map { .string($0.rawValue) }),
            ],
        ]
    }

    private var inside: JSON {
        let machines = credentials?.snapshot.map { [Machine(of: $0.state)] } ?? []
        guard let open, let snapshot = open.snapshot else { return Inside.empty(beside: machines) }
        return Inside(snapshot: snapshot, trail: open.trail, opened: open.openedSlot, others: machines)
            .json(in: language)
    }

    private var prompt: JSON {
        guard let prompt = world.prompt else { return .null }
        return [
            "cancel": .string(prompt.text.cancelTitle), "fallback": .string(prompt.text.fallbackTitle),
            "mode": .string(prompt.mode.name), "reason": .string(prompt.text.reason),
        ]
    }
}
