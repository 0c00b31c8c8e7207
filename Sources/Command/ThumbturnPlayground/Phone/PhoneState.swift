import Thumbturn
import ThumbturnCredentials
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator

/// The state that the page draws.
@MainActor struct PhoneState {
    let app: OpenApp?
    let credentials: OpenCredentials?
    let onboarding: Onboarding
    let language: Language
    let world: SimulatedSnapshot
    let clock: ClockReading
    /// The sensor, before there is a vault that asks it.
    let capability: BiometricCapability?
    /// Why there is neither an app nor its beginning; `nil` otherwise.
    let failure: ErrorCode?

    /// - Parameter withClock: false leaves the clock out, so that two states can be compared.
    func json(withClock: Bool) -> JSON {
        let clock: JSON = ["boottime": .integer(clock.boottime.count), "wall": .integer(clock.wall.count)]
        return json(withClock ? clock : .null)
    }

    private func json(_ clock: JSON) -> JSON {
        [
            "app": [
                "error": failure?.json(in: language) ?? .null, "isRunning": .bool(true),
                "language": .string(language.code), "secret": ["kind": .string("pin"), "length": .integer(6)],
                "stage": .string(app == nil ? "onboarding" : "vault"),
            ],
            "inside": inside,
            "screens": .object(screens),
            "words": words,
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
        guard let app, let snapshot = app.snapshot else { return Inside.empty(beside: machines) }
        return Inside(snapshot: snapshot, trail: app.trail, opened: app.openedSlot, others: machines).json(in: language)
    }

    private var screens: [(String, JSON)] {
        let others = [("credentials", credentials?.json ?? .null)]
        guard let app else { return others + [("onboarding", onboarding.json(capability, in: language))] }
        return others + app.screens(in: language)
    }

    private var words: JSON {
        guard case .object(let members) = Words.json(in: language) else { return .null }
        return .object(
            members + [
                ("olderCopyPhrase", .string(OlderCopyConfirmation.phrase)),
                ("resetPhrase", .string(ResetConfirmation.phrase)),
            ]
        )
    }

    private var prompt: JSON {
        guard let prompt = world.prompt else { return .null }
        return [
            "cancel": .string(prompt.text.cancelTitle), "fallback": .string(prompt.text.fallbackTitle),
            "mode": .string(prompt.mode.name), "reason": .string(prompt.text.reason),
        ]
    }
}
