import ThumbturnFiles
import CBridge
import Dispatch
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnBridge

/// A host on the other side of the header: its device is a simulated one, behind a table of C functions.
///
/// It asks the library by the header's functions alone, as a host in C does.
final class HostSide: @unchecked Sendable {
    // Safe to share: `lock` guards the variables.
    let simulated: SimulatedDevice
    let folder: TemporaryFolder
    private let kind: String
    private let assurance: String
    private let lock = Lock()
    private var heard = Heard()
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var following: Task<Void, Never>?
    private var opened: UInt64 = 0
    private var script: (@Sendable (HostSide, UInt64, DeviceOperation) -> Bool)?
    private var hasRoom = true
    private var hook: (@Sendable (HostSide, UInt64) -> Void)?

    /// What the library told.
    struct Heard: Sendable {
        var values: [String] = []
        var answers: [UInt64: [String]] = [:]
        var lent: [UInt64: String] = [:]
        var asked: [UInt32] = []
        var cancelled: [UInt64] = []
        var isClosed = false
        /// What was called after the end.
        var tooLate = 0
    }

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - kind: what its device claims to be; a contract knows a simulation by what it claims.
    ///   - assurance: how well it claims to guard.
    init(kind: String = "android", assurance: String = "hardwareBound") throws {
        (self.kind, self.assurance) = (kind, assurance)
        simulated = SimulatedDevice()
        folder = try TemporaryFolder(inMemory: true)
    }

    deinit { following?.cancel() }

    var handle: UInt64 { lock.withLock { opened } }
    var told: Heard { lock.withLock { heard } }

    /// Sees each call first; true where it answers by itself, or not at all.
    var interceptor: (@Sendable (HostSide, UInt64, DeviceOperation) -> Bool)? {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }

    /// Whether it has room for what is lent to it.
    var takesSecrets: Bool {
        get { lock.withLock { hasRoom } }
        set { lock.withLock { hasRoom = newValue } }
    }

    /// Runs in each `answered`.
    var whenAnswered: (@Sendable (HostSide, UInt64) -> Void)? {
        get { lock.withLock { hook } }
        set { lock.withLock { hook = newValue } }
    }

    /// The configuration of its folder.
    var configuration: String {
        #"{"home":"\#(folder.path)","language":"en","policy":"wallet","secret":{"kind":"pin","length":6}}"#
    }

    /// Opens a vault; the object lives until `closed`.
    @discardableResult
    func open(_ configuration: String? = nil) -> tt_status {
        let context = unsafe Unmanaged.passRetained(self)
        var number: UInt64 = 0
        let status = unsafe open(Array((configuration ?? self.configuration).utf8), context.toOpaque(), &number)
        if status == TT_OK {
            lock.withLock { opened = number }
            let events = simulated.device.events()
            let handle = number
            let task = Task { for await event in events { _ = tt_happen(handle, event.number) } }
            lock.withLock { following = task }
        } else {
            unsafe context.release()
        }
        return status
    }

    private func open(_ json: [UInt8], _ context: UnsafeMutableRawPointer, _ number: inout UInt64) -> tt_status {
        var (device, listener) = (Self.device, Self.listener)
        return unsafe json.withUnsafeBufferPointer {
            unsafe tt_open(
                $0.baseAddress,
                UInt64($0.count),
                UInt32(TT_MAIN_IS_SERVED),
                &device,
                &listener,
                context,
                &number
            )
        }
    }

    static var device: tt_device {
        unsafe tt_device(
            size: UInt64(MemoryLayout<tt_device>.size),
            clock: { context, reading in
                guard let side = unsafe HostSide.of(context), let reading = unsafe reading else { return }
                let now = side.simulated.device.clock()
                unsafe reading.pointee.wall = now.wall.count
                unsafe reading.pointee.boottime = now.boottime.count
                unsafe withUnsafeMutableBytes(of: &reading.pointee.boot) { unsafe $0.copyBytes(from: now.bootID.bytes) }
            },
            ask: { context, vault, call, operation, json, count, secret in
                guard let side = unsafe HostSide.of(context) else { return }
                side.took(vault)
                unsafe side.asked(call, operation, text(json, count), secret)
            }
        )
    }

    static var listener: tt_listener {
        unsafe tt_listener(
            size: UInt64(MemoryLayout<tt_listener>.size),
            changed: { context, json, count in
                unsafe HostSide.of(context)?.hear { unsafe $0.values.append(text(json, count)) }
            },
            answered: { context, ticket, json, count in
                guard let side = unsafe HostSide.of(context) else { return }
                side.hear { unsafe $0.answers[ticket, default: []].append(text(json, count)) }
                side.whenAnswered?(side, ticket)
            },
            lent: { context, ticket, bytes, count in
                guard let side = unsafe HostSide.of(context), side.takesSecrets else { return tt_status(TT_SECRET) }
                side.hear { $0.lent[ticket] = unsafe text(bytes, count) }
                return tt_status(TT_OK)
            },
            closed: { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<HostSide>.fromOpaque(context).takeRetainedValue().hear { $0.isClosed = true }
            }
        )
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> HostSide? {
        unsafe context.map { unsafe Unmanaged<HostSide>.fromOpaque($0).takeUnretainedValue() }
    }

    private func hear(_ body: (inout Heard) -> Void) {
        lock.withLock {
            if heard.isClosed { heard.tooLate += 1 }
            body(&heard)
        }
    }

    private func took(_ vault: UInt64) { lock.withLock { opened = vault } }

    private func asked(_ call: UInt64, _ number: UInt32, _ json: String, _ secret: UInt64) {
        hear { $0.asked.append(number) }
        guard let operation = DeviceOperation(rawValue: number) else { return }
        if operation == .cancel {
            hear { $0.cancelled.append(call) }
            return lock.withLock { tasks[call] }?.cancel() ?? ()
        }
        if interceptor?(self, call, operation) == true { return _ = tt_secret_drop(secret) }
        let task = Task { await perform(call, operation, json, secret) }
        lock.withLock { tasks[call] = task }
    }

    private func perform(_ call: UInt64, _ operation: DeviceOperation, _ text: String, _ secret: UInt64) async {
        let given = HostSide.bytes(of: secret)
        tt_secret_drop(secret)
        do {
            let json = try JSON(reading: Array(text.utf8), byteLimit: 65_536)
            try await perform(operation, json, given) { answer, secret in
                _ = self.answer(call, answer, secret: secret)
            }
        } catch let refusal as DeviceRefusal {
            let (number, mismatches) = refusal.numbers
            tt_answer(handle, call, number, mismatches, nil, 0, 0)
        } catch {
            tt_answer(handle, call, UInt32(TT_REFUSED_UNCLASSIFIED), 0, nil, 0, 0)
        }
        lock.withLock { tasks[call] = nil }
    }

    private func perform(
        _ operation: DeviceOperation,
        _ json: JSON,
        _ secret: [UInt8],
        _ answer: (String, [UInt8]?) -> Void
    ) async throws {
        let (device, name) = (simulated.device, ItemName(text: json.text("name")))
        let prompt = json["prompt"] ?? json
        let words = PromptText(
            reason: prompt.text("reason"),
            cancelTitle: prompt.text("cancel"),
            fallbackTitle: prompt.text("fallback")
        )
        switch (operation, name) {
        case (.facts, _):
            let all = AccessControl.allCases.map { "\"\($0)\":\"\(assurance)\"" }.sorted().joined(separator: ",")
            answer(#"{"assurance":{\#(all)},"kind":"\#(kind)"}"#, nil)
        case (.installation, _): answer(#"{"installation":"\#(try await device.installation().text)"}"#, nil)
        case (.capability, _):
            let now = await device.capability()
            let reason = now.reasonIfUnavailable.map { "\"\($0.name)\"" } ?? "null"
            answer(#"{"assurance":"\#(assurance)","reason":\#(reason),"sensor":"\#(now.biometryType)"}"#, nil)
        case (.prompt, _):
            guard case .bool(let takesPasscode)? = json["passcode"] else { throw DeviceRefusal.unclassified }
            try await simulated.prompt(words, acceptingPasscode: takesPasscode)
            answer("{}", nil)
        case (.save, let name?):
            let access = AccessControl.allCases.first { "\($0)" == json.text("access") }
            guard let access else { throw DeviceRefusal.unclassified }
            try await simulated.save(SecretBytes(bytes: secret), as: name, access: access, lease: nil)
            answer("", nil)
        case (.read, let name?):
            let read = try await simulated.read(name, prompt: words)
            answer("{}", read.withBytes { $0.exposed })
        case (.describe, let name?):
            guard let item = try await simulated.describe(name) else { return answer(#"{"item":null}"#, nil) }
            answer(#"{"item":{"access":"\#(item.access)","staysOnDevice":\#(item.staysOnDevice)}}"#, nil)
        case (.delete, let name?):
            try await simulated.delete(name)
            answer("{}", nil)
        case (.makeSecret, let name?):
            try await simulated.makeDeviceSecret(name)
            answer("{}", nil)
        case (.evaluate, let name?):
            let made = try await simulated.evaluate(name, input: secret)
            answer("{}", made.withBytes { $0.exposed })
        case (.makeKey, let name?):
            answer(#"{"publicKey":"\#(digits(try await simulated.makeDeviceKey(name)))"}"#, nil)
        case (.publicKey, let name?):
            answer(#"{"publicKey":"\#(digits(try await simulated.devicePublicKey(name)))"}"#, nil)
        case (.sign, let name?):
            let message = TextCode.hexadecimal.decode(Array(json.text("message").utf8)) ?? []
            answer(#"{"signature":"\#(digits(try await simulated.sign(message, with: name)))"}"#, nil)
        case (.anchor, let name?):
            let position = try await simulated.position(for: name).map { "\"\(digits($0.bytes))\"" }
            answer(#"{"position":\#(position ?? "null")}"#, nil)
        case (.anchorMove, let name?):
            guard let next = position(json["to"]) else { throw DeviceRefusal.unclassified }
            let moved = try await simulated.move(from: position(json["from"]), to: next, for: name)
            answer(#"{"moved":\#(moved)}"#, nil)
        case (.anchorRemove, let name?):
            try await simulated.remove(for: name)
            answer("{}", nil)
        case (.cancel, _), (_, nil): throw DeviceRefusal.unclassified
        }
    }

    private func position(_ json: JSON?) -> LedgerPosition? {
        guard case .string(let text)? = json else { return nil }
        return TextCode.hexadecimal.decode(Array(text.utf8)).flatMap { LedgerPosition(bytes: $0) }
    }
}

// What a host does.
extension HostSide {
    /// Answers a call to the device.
    @discardableResult
    func answer(_ call: UInt64, _ json: String, secret: [UInt8]? = nil) -> tt_status {
        let number = secret.map(Self.secret) ?? 0
        return unsafe Array(json.utf8).withUnsafeBufferPointer {
            unsafe tt_answer(handle, call, UInt32(TT_REFUSED_NOT), 0, $0.baseAddress, UInt64($0.count), number)
        }
    }

    /// Sends an action.
    @discardableResult
    func send(_ ticket: UInt64, _ action: String, secret: UInt64 = 0) -> tt_status {
        send(ticket, Array(action.utf8), secret: secret)
    }

    func send(_ ticket: UInt64, _ action: [UInt8], secret: UInt64 = 0) -> tt_status {
        unsafe action.withUnsafeBufferPointer {
            unsafe tt_send(handle, ticket, $0.baseAddress, UInt64($0.count), secret)
        }
    }

    /// Does an action of a screen, and returns its answer.
    func perform(_ screen: String, _ name: String, _ members: String = "", secret: String? = nil) async -> String {
        let ticket = Self.nextTicket.next()
        let taken = secret == nil ? "" : #","secret":"taken""#
        let number = secret.map { Self.secret(Array($0.utf8)) } ?? 0
        let status = send(ticket, #"{"name":"\#(name)","screen":"\#(screen)"\#(members)\#(taken)}"#, secret: number)
        guard status == TT_OK else { return "status \(status)" }
        await until { told.answers[ticket] != nil }
        return told.answers[ticket]?.first ?? "no answer"
    }

    /// Closes the vault, and waits for the last callback.
    func close() async {
        tt_close(handle)
        await until { told.isClosed }
    }

    /// The value, by `tt_fields`.
    var fields: String {
        var count: UInt64 = 0
        unsafe tt_fields(handle, nil, 0, &count)
        var buffer = [UInt8](repeating: 0, count: Int(count) + 4_096)
        guard unsafe tt_fields(handle, &buffer, UInt64(buffer.count), &count) == TT_OK else { return "" }
        return String(decoding: buffer[..<Int(count)], as: UTF8.self)
    }

    /// What one screen shows; null if it isn't there.
    func screen(_ name: String) -> JSON {
        (try? JSON(reading: Array(fields.utf8), byteLimit: 1 << 20))?["screens"]?[name] ?? .null
    }

    /// Waits until a screen shows something.
    func shows(_ name: String, _ fact: (JSON) -> Bool) async { await until { fact(screen(name)) } }

    /// Makes a secret.
    static func secret(_ bytes: [UInt8]) -> UInt64 {
        var (number, start, count) = unsafe (UInt64(0), UnsafeMutablePointer<UInt8>?.none, UInt64(0))
        guard unsafe tt_secret_make(UInt64(bytes.count), &number) == TT_OK,
            unsafe tt_secret_bytes(number, &start, &count) == TT_OK, count == bytes.count
        else { return 0 }
        for (index, byte) in bytes.enumerated() { unsafe start?[index] = byte }
        return number
    }

    /// Copies the bytes of a secret.
    static func bytes(of secret: UInt64) -> [UInt8] {
        var (start, count) = unsafe (UnsafeMutablePointer<UInt8>?.none, UInt64(0))
        guard unsafe tt_secret_bytes(secret, &start, &count) == TT_OK, let start = unsafe start else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    static let nextTicket = Counter()

    /// The answer of an action that was done.
    static let done = #"{"error":null}"#
}

/// Counts from 1.
final class Counter: Sendable {
    private let last = Monitor<UInt64>(1_000)

    func next() -> UInt64 {
        last.change { last in
            last += 1
            return last
        }
    }
}

private func text(_ bytes: UnsafePointer<UInt8>?, _ count: UInt64) -> String {
    unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
}

private func digits(_ bytes: [UInt8]) -> String {
    String(decoding: TextCode.hexadecimal.encode(bytes), as: UTF8.self)
}

/// Waits until something is so, and records an issue if it never is.
func until(at place: SourceLocation = #_sourceLocation, _ fact: () async throws -> Bool) async rethrows {
    let end = DispatchTime.now().uptimeNanoseconds + 600_000_000_000
    while try await !fact() {
        guard DispatchTime.now().uptimeNanoseconds < end else {
            Issue.record("it never was so", sourceLocation: place)
            return
        }
        try? await Task.sleep(nanoseconds: 200_000)
    }
}

extension JSON {
    /// The text of a member; empty if there is none.
    func text(_ name: String) -> String {
        guard case .string(let text)? = self[name] else { return "" }
        return text
    }
}

extension SecretBytes {
    init(bytes: [UInt8]) { unsafe self.init(byteCount: bytes.count) { unsafe $0.copyBytes(from: bytes) } }
}

extension DeviceEvent {
    /// Its number in the header.
    var number: UInt32 {
        switch self {
        case .becameActive: UInt32(TT_APP_ACTIVE)
        case .becameInactive: UInt32(TT_APP_INACTIVE)
        case .enteredBackground: UInt32(TT_APP_BACKGROUND)
        case .protectedDataLeaving: UInt32(TT_DEVICE_LOCKING)
        case .suspending: UInt32(TT_APP_SUSPENDING)
        case .biometryChanged: UInt32(TT_ENROLMENT)
        }
    }
}

extension DeviceRefusal {
    /// Its number in the header, and the mismatches before it.
    var numbers: (refusal: UInt32, mismatches: UInt32) {
        let number =
            switch meaning {
            case .cancelledByUser: TT_REFUSED_CANCELLED_BY_USER
            case .cancelledBySystem: TT_REFUSED_CANCELLED_BY_SYSTEM
            case .fallbackChosen: TT_REFUSED_FALLBACK
            case .notRecognised: TT_REFUSED_NOT_RECOGNISED
            case .lockedOut: TT_REFUSED_LOCKED_OUT
            case .notEnrolled: TT_REFUSED_NOT_ENROLLED
            case .revoked: TT_REFUSED_REVOKED
            case .readerFailed: TT_REFUSED_READER_FAILED
            case .unavailable: TT_REFUSED_UNAVAILABLE
            case .damaged: TT_REFUSED_DAMAGED
            case .hardwareMissing: TT_REFUSED_HARDWARE_MISSING
            case .absent: TT_REFUSED_ABSENT
            case .weakerThanAsked: TT_REFUSED_WEAKER
            default: TT_REFUSED_UNCLASSIFIED
            }
        return (UInt32(number), followsMismatch ? 1 : 0)
    }
}
