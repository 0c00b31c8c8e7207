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
        /// At the prompt that is up.
        var present: SimulatedTouch?
        var promptsShown = 0
        /// The enrolled fingers of the virtual reader's, by their names.
        var fingers: [String: String] = [:]
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
            switch person.value.present {
            case .cancel?: .cancel
            case .fallback?, .passcode?: .fallback
            case .match?, .mismatch?, .mismatchThenCancel?, .wait?, nil: nil
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
            }
        }
        guard case .finger(let name) = event else { return }
        let now = person.value
        let finger: String? =
            switch now.present {
            case .match?: now.fingers[name] ?? now.fingers.values.first
            case .mismatch?: "stranger"
            case .mismatchThenCancel?, .cancel?, .fallback?, .passcode?, .wait?, nil: nil
            }
        guard let finger else { return }
        Thread.detachNewThread { try? TestStack.happen("SCAN " + finger) }
    }

    /// At the next prompt the person does this.
    func touch(_ touch: SimulatedTouch = .match) { person.change { $0.touches.append(touch) } }

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
