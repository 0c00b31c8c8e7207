import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

/// A whole Linux machine: a TPM or files, the stack's fprintd and logind, and a person at its reader.
final class TestMachine: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case tpm, files
    }

    /// What the person does, and has done.
    private struct Person {
        /// At the prompts to come.
        var touches: [SimulatedTouch] = []
        /// At the prompt that is up; `wait` only as long as one is.
        var present: SimulatedTouch?
        /// The finger that the prompt that is up wants; nil until the reader says.
        var wanted: String?
        var promptsShown = 0
        /// The enrolled fingers of the virtual reader's, by their names.
        var fingers: [String: String] = [:]

        /// The finger to lay down now; nil while the reader has not said which it wants, or for who lays none down.
        var scan: String? {
            guard let wanted else { return nil }
            switch present {
            case .match?: return fingers[wanted] ?? fingers.values.first
            case .mismatch?: return "stranger"
            case .mismatchThenCancel?, .cancel?, .fallback?, .passcode?, .wait?, nil: return nil
            }
        }
    }

    let kind: Kind
    let tpm: SoftwareTPM
    let proxy: TPMProxy
    let folder: TemporaryFolder
    private let reader = OtherClient()
    private let person = Shared(Person())

    /// Starts a machine on a fresh stack, with one enrolled finger.
    init(_ kind: Kind) async throws {
        self.kind = kind
        tpm = try SoftwareTPM()
        proxy = try TPMProxy(before: tpm)
        folder = try TemporaryFolder()
        try startBoot()
        try TestStack.run("up")
        try await enrol()
    }

    /// Where the device keeps its items.
    var items: String { folder.file("device/items") }

    /// The files there of device secrets: keys, the parts of slots, what explains anchors.
    func deviceSecrets() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: items).filter { $0.contains(".device-secret.") }.sorted()
    }

    /// The machine as a process of the app sees it, by a clock that is `later` than the machine's.
    func device(later span: Milliseconds = .zero) async throws -> Device {
        var configuration = LinuxConfiguration(
            folder: folder.file("device"),
            store: kind == .tpm ? .tpm(proxy.tcti) : .files
        )
        configuration.bus = TestStack.address
        configuration.owner = TestStack.owner
        configuration.machineFile = folder.file("machine-id")
        configuration.bootFile = folder.file("boot-id")
        configuration.progress = { [person] in Self.hear($0, person) }
        configuration.dismissal = { [person] _ in
            // Who lets a prompt wait may still do something, as long as it is up.
            while person.value.present == .wait, !Task.isCancelled { await Task.yield() }
            person.change { person in if person.present == .wait { person.present = nil } }
            switch person.value.present {
            case .cancel?: return .cancel
            case .fallback?, .passcode?: return .fallback
            case .match?, .mismatch?, .mismatchThenCancel?, .wait?, nil: return nil
            }
        }
        let device = try await Device.linux(configuration)
        return Device(
            kind: device.kind,
            store: device.store,
            prompt: device.prompt,
            anchor: device.anchor,
            clock: {
                var reading = device.clock()
                reading.wall = reading.wall + span
                reading.boottime = reading.boottime + span
                return reading
            },
            installation: device.installation,
            events: device.events,
            turns: device.turns
        )
    }

    // --- the person ---

    private static let fingers = ["right-index-finger", "left-thumb", "right-thumb", "left-index-finger"]

    /// Takes the next touch when a prompt comes up, and lays a finger down once the reader says which it wants.
    private static func hear(_ event: FingerProgress, _ person: Shared<Person>) {
        if event == .ready {
            person.change { person in
                person.promptsShown += 1
                person.present = person.touches.isEmpty ? nil : person.touches.removeFirst()
                person.wanted = nil
            }
        }
        guard case .finger(let name) = event else { return }
        let finger = person.change { person in
            person.wanted = name
            return person.scan
        }
        if let finger { lay(finger) }
    }

    private static func lay(_ finger: String) {
        Thread.detachNewThread { try? TestStack.happen("SCAN " + finger) }
    }

    /// At the prompt that waits, or else at the next, the person does this.
    func touch(_ touch: SimulatedTouch = .match) {
        let finger = person.change { person -> String? in
            guard person.present == .wait, touch != .wait else {
                person.touches.append(touch)
                return nil
            }
            person.present = touch
            return person.scan
        }
        if let finger { Self.lay(finger) }
    }

    /// The person leaves: what a prompt that never came up was to be met with is forgotten.
    func leave() { person.change { $0.touches = [] } }

    /// How many prompts were up; where the person is going to let one wait, that one is waited for.
    func promptsShown() async -> Int {
        while person.value.touches.first == .wait, !Task.isCancelled { await Task.yield() }
        return person.value.promptsShown
    }

    /// Enrols one more finger.
    func enrol() async throws {
        let name = try #require(Self.fingers.first { person.value.fingers[$0] == nil })
        let finger = "finger-\(UInt32.random(in: .min ... .max))"
        try await reader.enrol(finger, as: name)
        person.change { $0.fingers[name] = finger }
    }

    /// Enrols the same fingers under the same names, where the service has lost them.
    func enrolAgain() async throws {
        for (name, finger) in person.value.fingers { try await reader.enrol(finger, as: name) }
    }

    /// Deletes every finger.
    func unenrol() async throws {
        for name in person.value.fingers.keys { try await reader.delete(name) }
        person.change { $0.fingers = [:] }
    }

    // --- the machine ---

    /// Another name of the boot, and of the machine.
    func startBoot() throws {
        try folder.write(Array((Identifier.make().text + "\n").utf8), to: "boot-id")
        if !FileManager.default.fileExists(atPath: folder.file("machine-id")) { try renameMachine() }
    }

    func renameMachine() throws { try folder.write(Array((Identifier.make().text + "\n").utf8), to: "machine-id") }

    func setModeOfItems(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: items)
    }
}
