import ThumbturnFiles
import CBridge
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnBridge

@Suite("Calls to a host's device, and tickets")
struct BridgedCallTests {
    @Test(arguments: [
        (DeviceOperation.facts, "{}"), (.facts, #"{"assurance":{},"kind":"android"}"#),
        (.installation, #"{"installation":"00"}"#),
        (.capability, #"{"assurance":"hardwareBound","reason":"tired","sensor":"touchID"}"#), (.capability, "{}"),
        (.describe, #"{"item":{"access":"all","staysOnDevice":true}}"#), (.describe, #"{"item":true}"#),
        (.save, #"{"more":1}"#),
        (.makeKey, #"{"publicKey":"00"}"#), (.sign, #"{"signature":"0"}"#), (.anchor, #"{"position":"00"}"#),
        (.anchorMove, #"{"moved":1}"#), (.read, "{}"), (.evaluate, "{}"), (.delete, "["), (.delete, "7"),
        (.prompt, "null"),
    ])
    func `an answer of another form is refused, and ends its call as unclassified`(
        operation: DeviceOperation,
        json: String
    ) async throws {
        let line = try silentLine()
        let call = Task { try await line.ask(operation) }
        await until { line.waiting.count == 1 }
        let number = try #require(line.waiting.first)
        #expect(line.answer(number, .success((Array(json.utf8), nil))) == .answer)
        await #expect(throws: DeviceRefusal.unclassified) { try await call.value }
        #expect(line.answer(number, .success((Array(json.utf8), nil))) == .call)
    }

    @Test func `a secret comes where it belongs, 32 bytes long, and nowhere else`() {
        func reads(_ operation: DeviceOperation, _ count: Int) -> Bool {
            DeviceAnswer(to: operation, [], HeldSecret(.random(byteCount: count))) != nil
        }
        #expect(reads(.read, 32) && reads(.read, 1) && reads(.evaluate, 32))
        #expect(!reads(.evaluate, 31) && !reads(.evaluate, 33) && !reads(.save, 32) && !reads(.prompt, 1))
    }

    @Test func `a call is answered once, whoever tries again`() async throws {
        let line = try silentLine()
        let call = Task { _ = try await line.ask(.delete) }
        await until { line.waiting.count == 1 }
        let number = try #require(line.waiting.first)
        #expect(line.answer(number + 1, .failure(.absent)) == .call)
        let taken = Monitor(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...8 {
                group.addTask { if line.answer(number, .failure(.absent)) == .ok { taken.change { $0 += 1 } } }
            }
        }
        #expect(taken.change { $0 } == 1)
        await #expect(throws: DeviceRefusal.absent) { try await call.value }
    }

    @Test func `a device that never answers is unavailable, and its late answer nobody's`() async throws {
        let line = try silentLine(DeviceLine.Patience(answer: Milliseconds(20), prompt: Milliseconds(20)))
        let call = Task { _ = try await line.ask(.save, [], secret: HeldSecret(.random(byteCount: 32))) }
        await until { line.waiting.count == 1 }
        let number = line.waiting.first ?? 0
        await #expect(throws: DeviceRefusal.unavailable) { try await call.value }
        #expect(line.answer(number, .success(([], nil))) == .call)
    }

    @Test func `a deadline passes though another is far off, and is dropped with its call`() async throws {
        let deadlines = Deadlines()
        let line = try silentLine(deadlines: deadlines)
        let call = Task { _ = try await line.ask(.delete) }
        await until { deadlines.count == 1 }
        let passed = Monitor<[UInt64]>([])
        for number: UInt64 in 1...3 {
            deadlines.set(number, after: Milliseconds(20)) { passed.change { $0.append(number) } }
        }
        deadlines.drop(2)
        await until { passed.change { $0.count } == 2 }
        #expect(passed.change { $0.sorted() } == [1, 3])
        #expect(deadlines.count == 1, "the call's own has not passed")
        // Another, after whoever looked has gone to sleep until the call's.
        deadlines.set(4, after: Milliseconds(20)) { passed.change { $0.append(4) } }
        await until { passed.change { $0.contains(4) } }
        #expect(line.answer(line.waiting.first ?? 0, .failure(.absent)) == .ok)
        await #expect(throws: DeviceRefusal.absent) { try await call.value }
        #expect(deadlines.count == 0, "a call that was answered keeps no memory")
    }

    @Test func `a prompt ends with its task, though its host never takes it away`() async throws {
        let line = try silentLine(DeviceLine.Patience(answer: Milliseconds(20), prompt: Milliseconds(20)))
        let call = Task { _ = try await line.ask(.read) }
        await until { line.waiting.count == 1 }
        try await Task.sleep(nanoseconds: 40_000_000)
        #expect(line.waiting.count == 1, "a prompt waits for its owner as long as it takes")
        call.cancel()
        await #expect(throws: DeviceRefusal.cancelledBySystem) { try await call.value }
        let late = Task {
            await Task.yield()
            while !Task.isCancelled { await Task.yield() }
            _ = try await line.ask(.read)
        }
        late.cancel()
        await #expect(throws: DeviceRefusal.cancelledBySystem) { try await late.value }
    }

    @Test func `a line that was hung up asks nothing, and reads no clock`() async throws {
        let line = try silentLine()
        let call = Task { _ = try await line.ask(.read) }
        await until { line.waiting.count == 1 }
        let before = line.tables.reading()
        line.hangUp()
        await #expect(throws: DeviceRefusal.unavailable) { try await call.value }
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await line.ask(.facts) }
        #expect(line.tables.reading() == before && line.tables.reading() == before)
        for await _ in line.events() { Issue.record("an event after the end") }
    }

    @Test func `the numbers of the header are those that are read`() {
        let refusals: [(Int, DeviceRefusal)] = [
            (TT_REFUSED_CANCELLED_BY_SYSTEM, .cancelledBySystem), (TT_REFUSED_FALLBACK, .fallbackChosen),
            (TT_REFUSED_NOT_RECOGNISED, .notRecognised), (TT_REFUSED_LOCKED_OUT, .lockedOut),
            (TT_REFUSED_NOT_ENROLLED, .notEnrolled), (TT_REFUSED_REVOKED, .revoked),
            (TT_REFUSED_UNAVAILABLE, .unavailable),
            (TT_REFUSED_DAMAGED, .damaged), (TT_REFUSED_HARDWARE_MISSING, .hardwareMissing),
            (TT_REFUSED_ABSENT, .absent),
            (TT_REFUSED_WEAKER, .weakerThanAsked), (TT_REFUSED_UNCLASSIFIED, .unclassified), (99, .unclassified),
        ]
        for (number, refusal) in refusals { #expect(DeviceRefusal(number: UInt32(number), mismatches: 0) == refusal) }
        for count: UInt32 in [0, 1, 3] {
            let user = DeviceRefusal(number: UInt32(TT_REFUSED_CANCELLED_BY_USER), mismatches: count)
            let reader = DeviceRefusal(number: UInt32(TT_REFUSED_READER_FAILED), mismatches: count)
            #expect(user == .cancelledByUser(afterMismatch: count > 0))
            #expect(reader == .readerFailed(afterMismatch: count > 0))
        }
        let statuses = [
            TT_OK, TT_HANDLE, TT_ARGUMENT, TT_CONFIGURATION, TT_ACTION, TT_TICKET, TT_CALL, TT_SECRET, TT_BUFFER,
            TT_FULL,
            TT_MAIN, TT_ANSWER,
        ]
        #expect(statuses == FaceStatus.allCases.map { Int($0.rawValue) })
        let operations = [
            TT_DEVICE_FACTS, TT_DEVICE_INSTALLATION, TT_DEVICE_CAPABILITY, TT_DEVICE_PROMPT, TT_DEVICE_SAVE,
            TT_DEVICE_READ,
            TT_DEVICE_DESCRIBE, TT_DEVICE_DELETE, TT_DEVICE_MAKE_SECRET, TT_DEVICE_EVALUATE, TT_DEVICE_MAKE_KEY,
            TT_DEVICE_PUBLIC_KEY, TT_DEVICE_SIGN, TT_DEVICE_ANCHOR, TT_DEVICE_ANCHOR_MOVE, TT_DEVICE_ANCHOR_REMOVE,
            TT_DEVICE_CANCEL,
        ]
        #expect(operations == DeviceOperation.allCases.map { Int($0.rawValue) })
        #expect(tt_version() == TT_VERSION)
    }

    @Test func `a ticket that waits is not taken again, and all are answered at the end`() async throws {
        let host = try HostSide()
        // A device that never says what it is.
        host.interceptor = { _, _, operation in operation == .facts }
        #expect(host.open() == TT_OK)
        let start = #"{"name":"start","screen":"app"}"#
        for ticket: UInt64 in 1...64 { #expect(host.send(ticket, start) == TT_OK) }
        #expect(host.send(7, start) == TT_TICKET)
        #expect(host.send(65, start) == TT_FULL)
        #expect(tt_cancel(host.handle, 65) == TT_TICKET)
        await host.close()
        let told = host.told
        #expect(told.answers.count == 64 && told.answers.values.allSatisfy { $0.count == 1 })
        #expect(told.tooLate == 0)
    }

    @Test func `a vault may be closed in a callback, and a ticket used again there`() async throws {
        let host = try HostSide()
        host.whenAnswered = { host, ticket in
            if host.told.answers[ticket]?.count == 1 {
                #expect(host.send(ticket, "{}") == TT_OK)
            } else {
                #expect(tt_close(host.handle) == TT_OK)
            }
        }
        #expect(host.open() == TT_OK)
        #expect(host.send(5, "{}") == TT_OK)
        await until { host.told.isClosed }
        #expect(host.told.isClosed && host.told.tooLate == 0)
        #expect(host.told.answers[5]?.count == 2)
        #expect(tt_close(host.handle) == TT_HANDLE)
    }

    @Test func `eight threads on one handle are all answered`() async throws {
        let host = try HostSide()
        let (ready, answered, done) = (Monitor(0), Monitor<Set<UInt64>>([]), Monitor(0))
        host.whenAnswered = { _, ticket in answered.change(wakingAll: true) { _ = $0.insert(ticket) } }
        #expect(host.open() == TT_OK)
        // Read once: a lock of the test's own would put in order what is to be a race.
        let (handle, start) = (host.handle, Array(#"{"name":"start","screen":"app"}"#.utf8))
        for thread: UInt64 in 1...8 {
            // Not tasks, which share as many threads as there are processors.
            let started = SystemThread {
                ready.change(wakingAll: true) { $0 += 1 }
                _ = ready.wait { $0 == 8 ? () : nil }
                for round: UInt64 in 1...50 {
                    let (ticket, secret) = (thread * 1_000 + round, HostSide.secret([1]))
                    let status = unsafe tt_send(handle, ticket, start, UInt64(start.count), secret)
                    if status == TT_OK { _ = tt_cancel(handle, ticket) }
                    var (value, count) = ([UInt8](repeating: 0, count: 1 << 16), UInt64(0))
                    unsafe tt_fields(handle, &value, UInt64(value.count), &count)
                    tt_happen(handle, UInt32(round % 6 + 1))
                    if status == TT_OK { _ = answered.wait { $0.contains(ticket) ? () : nil } }
                }
                done.change { $0 += 1 }
            }
            try #require(started).detach()
        }
        await until { done.change { $0 } == 8 }
        await host.close()
        let answers = host.told.answers
        #expect(answers.count == 8 * 50 && answers.values.allSatisfy { $0.count == 1 })
        #expect(host.told.tooLate == 0)
    }

    /// A line to a host that answers nothing.
    private func silentLine(
        _ patience: DeviceLine.Patience = DeviceLine.Patience(),
        deadlines: Deadlines = .shared
    ) throws -> DeviceLine {
        #expect(CallbackThread.shared.start())
        let device = unsafe tt_device(
            size: UInt64(MemoryLayout<tt_device>.size),
            clock: { _, reading in
                unsafe reading?.pointee.wall = Int64.random(in: 0...1 << 40)
            },
            ask: { _, _, _, _, _, _, secret in tt_secret_drop(secret) }
        )
        let tables = unsafe HostTables(device: device, listener: HostSide.listener, context: nil)
        return DeviceLine(try #require(tables), patience: patience, deadlines: deadlines)
    }
}
