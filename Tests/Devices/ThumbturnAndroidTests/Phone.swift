import AndroidMachine
import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnBridge

/// The phone of this process: stand-ins of Android's framework in a Java machine, with the shipped adapter on them.
enum Phone {
    /// The levels of Android's framework that this run is for.
    static let levels = (ProcessInfo.processInfo.environment["THUMBTURN_ANDROID_LEVELS"] ?? "30 31 33 34 35 36")
        .split(separator: " ").compactMap { Int($0) }

    private static let status: Int32 = {
        let environment = ProcessInfo.processInfo.environment
        guard let java = environment["THUMBTURN_JAVA"], let classes = environment["THUMBTURN_ANDROID_CLASSES"],
            let libraries = environment["THUMBTURN_ANDROID_LIBRARIES"]
        else { return -1 }
        if environment["THUMBTURN_COVERAGE"] != nil { atexit { _ = try? Phone.call("coverage") } }
        return unsafe machine_start(java + "/lib/server/libjvm.so", classes, libraries)
    }()

    /// Does one command of `Harness`.
    @discardableResult
    static func call(_ command: String, _ argument: String = "") throws -> String {
        guard status == 0 else { throw Failure(description: "Java's machine did not start: \(status)") }
        var answer = [CChar](repeating: 0, count: 1 << 16)
        let thrown = unsafe machine_call(command, argument, &answer, Int32(answer.count))
        let text = String(decoding: answer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard thrown == 0 else { throw Failure(description: "\(command) threw") }
        return text
    }

    /// Starts one of the tests' programs in Java in a machine of its own, on the library that an app loads.
    static func machine(_ name: String, _ arguments: String...) throws -> TestChild {
        let environment = ProcessInfo.processInfo.environment
        guard let java = environment["THUMBTURN_JAVA"], let classes = environment["THUMBTURN_ANDROID_CLASSES"],
            let libraries = environment["THUMBTURN_ANDROID_APP_LIBRARIES"]
        else { throw Failure(description: "Android/test.sh says where Java is") }
        let options = [
            "-Xcheck:jni", "-Xmx64m", "-XX:+UseSerialGC", "-Djava.library.path=\(libraries)", "-cp", classes,
        ]
        return try TestChild(options + ["org.thumbturn.device.\(name)"] + arguments, of: java + "/bin/java")
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }
}

/// An app on a new phone, which holds a vault: one at a time, for a process has one phone.
final class PhoneApp: Sendable {
    let folder: TemporaryFolder
    let device: Device
    private let handle: UInt64
    private let wallOffset = Shared<Int64>(0)

    /// Starts a phone at a level, opens a vault in its app, and takes the device that the bridge made for that.
    ///
    /// - Parameters:
    ///   - former: the folder of a phone of which this one is a copy.
    ///   - isSeen: whether the app's activity is in front already when it opens the vault.
    ///   - events: what happened to the phone before.
    init(level: Int, from former: String? = nil, isSeen: Bool = true, happening events: [String] = []) async throws {
        folder = try TemporaryFolder()
        for name in try former.map(FileManager.default.contentsOfDirectory) ?? [] {
            try FileManager.default.copyItem(atPath: "\(former ?? "")/\(name)", toPath: folder.file(name))
        }
        try Phone.call("start", "\(folder.path)\n\(level)")
        for event in events { try Phone.call("happen", event) }
        handle = UInt64(try Phone.call("open", isSeen ? "" : "unseen")) ?? 0
        guard let line = VaultTable.shared[handle]?.line else { throw Phone.Failure(description: "no vault \(handle)") }
        let bridged = try await BridgedDevice.device(on: line)
        let offset = wallOffset
        device = Device(
            kind: bridged.kind,
            store: bridged.store,
            prompt: bridged.prompt,
            anchor: bridged.anchor,
            // No stand-in can set the wall clock of Java's machine.
            clock: {
                var reading = bridged.clock()
                reading.wall = reading.wall + Milliseconds(offset.value)
                return reading
            },
            installation: bridged.installation,
            events: bridged.events
        )
    }

    /// Closes the vault, and waits until nothing of it is left.
    func close() async throws {
        try Phone.call("close")
        await until { VaultTable.shared.answerable(handle) == nil }
    }

    /// Lets something happen; false for what this phone can't suffer.
    func simulate(_ event: SimulatedEvent) throws -> Bool {
        switch event {
        case .finger(.mismatch):
            // One finger that is nobody's ends no prompt of Android's: the adapter ends it at the third.
            for _ in 1...3 { try Phone.call("touch", "mismatch") }
        case .finger(.mismatchThenCancel):
            for touch in ["mismatch", "cancel"] { try Phone.call("touch", touch) }
        case .finger(let touch): try Phone.call("touch", touch.rawValue)
        case .advance(let span), .sleep(let span):
            wallOffset.change { $0 += span.count }
            try Phone.call("happen", "advance \(span.count)")
        case .clock(let span): wallOffset.change { $0 += span.count }
        case .sensor(let sensor): try Phone.call("happen", "sensor \(sensor.rawValue)")
        case .fault: return false
        // Android has no such permission: USE_BIOMETRIC is granted with the installation.
        case .permissionDenied, .permissionGranted: return false
        case .enroll, .unenroll, .passcodeOff, .passcodeOn, .passcode, .lockout, .reboot, .reinstall, .restoreElsewhere,
            .lockDevice, .unlockDevice, .background, .foreground:
            return try Phone.call("happen", "\(event)") == "true"
        }
        return true
    }
}
