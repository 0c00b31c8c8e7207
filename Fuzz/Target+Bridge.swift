import CBridge
import ThumbturnBridge
import ThumbturnCrypto

extension Target {
    /// The three functions of the C header that read what a host wrote: each answers by a status, and by nothing else.
    static var bridge: [Target] {
        let configuration = #"{"home":"/nowhere","language":"en","policy":"wallet","secret":{"kind":"pin","length":6}}"#
        let actions = [
            #"{"name":"submitSecret","screen":"unlock","secret":"taken"}"#, #"{"name":"lock","screen":"unlock"}"#,
            #"{"consent":true,"name":"answer","screen":"onboarding"}"#,
            #"{"name":"create","screen":"wallets","wallet":"é"}"#,
        ]
        return [
            text("bridge-open", [Array(configuration.utf8)]) { bytes in
                let host = FuzzedHost()
                try host.open(bytes)
                host.close()
            },
            Target(name: "bridge-send") { folder in
                let host = FuzzedHost()
                try host.open(Array(configuration.replacing("/nowhere", with: folder).utf8))
                return (actions.map { Array($0.utf8) }, { bytes in try await host.send(bytes) })
            },
            text("bridge-answer", [Array(FuzzedHost.facts.utf8)]) { bytes in
                let host = FuzzedHost(answering: bytes)
                try host.open(Array(configuration.utf8))
                let status = await host.statusOfAnswer()
                host.close()
                guard status == TT_OK else { throw FuzzError(what: "refused") }
            },
        ]
    }
}

/// A host whose device says what it is, or what a fuzzer made of that, and refuses all else.
private final class FuzzedHost: @unchecked Sendable {
    // Safe to share: `lock` guards the variables.
    static let facts =
        #"{"assurance":{"anyBiometryOrPasscode":"softwareFile","currentBiometrySet":"osKeychain","#
        + #""deviceOnly":"hardwareBound"},"kind":"android"}"#

    private let answer: [UInt8]
    private let lock = Lock()
    private var handle: UInt64 = 0
    private var answered: Set<UInt64> = []
    private var lastTicket: UInt64 = 0
    private var status: tt_status?

    init(answering answer: [UInt8] = Array(facts.utf8)) { self.answer = answer }

    func open(_ json: [UInt8]) throws {
        let me = unsafe Unmanaged.passRetained(self)
        var device = unsafe tt_device(
            size: UInt64(MemoryLayout<tt_device>.size),
            clock: { _, reading in unsafe reading?.pointee.wall = 1 },
            ask: { context, vault, call, operation, _, _, secret in
                tt_secret_drop(secret)
                unsafe FuzzedHost.of(context)?.ask(vault, call, operation)
            }
        )
        var listener = unsafe tt_listener(
            size: UInt64(MemoryLayout<tt_listener>.size),
            changed: nil,
            answered: { context, ticket, _, _ in
                guard let host = unsafe FuzzedHost.of(context) else { return }
                host.lock.withLock { _ = host.answered.insert(ticket) }
            },
            lent: nil,
            closed: { context in
                if let context = unsafe context { unsafe Unmanaged<FuzzedHost>.fromOpaque(context).release() }
            }
        )
        var number: UInt64 = 0
        let (served, count) = (UInt32(TT_MAIN_IS_SERVED), UInt64(json.count))
        let opened = unsafe tt_open(json, count, served, &device, &listener, me.toOpaque(), &number)
        guard opened == TT_OK else {
            unsafe me.release()
            throw FuzzError(what: "refused")
        }
        lock.withLock { handle = number }
    }

    func close() { if tt_close(lock.withLock { handle }) != TT_OK { reportBug("a vault that can't be closed") } }

    /// Sends an action, and waits until it is answered.
    func send(_ json: [UInt8]) async throws {
        let ticket = lock.withLock { () -> UInt64 in
            lastTicket += 1
            return lastTicket
        }
        var secret: UInt64 = 0
        unsafe tt_secret_make(6, &secret)
        let status = unsafe tt_send(lock.withLock { handle }, ticket, json, UInt64(json.count), secret)
        if tt_secret_drop(secret) != TT_SECRET { reportBug("a secret that was not taken") }
        guard status == TT_OK else { throw FuzzError(what: "refused") }
        while lock.withLock({ answered.remove(ticket) == nil }) { await Task.yield() }
    }

    /// Waits until the device has been asked what it is.
    func statusOfAnswer() async -> tt_status {
        while true {
            if let status = lock.withLock({ status }) { return status }
            await Task.yield()
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> FuzzedHost? {
        unsafe context.map { unsafe Unmanaged<FuzzedHost>.fromOpaque($0).takeUnretainedValue() }
    }

    private func ask(_ vault: UInt64, _ call: UInt64, _ operation: UInt32) {
        guard operation == TT_DEVICE_FACTS else {
            tt_answer(vault, call, UInt32(TT_REFUSED_UNAVAILABLE), 0, nil, 0, 0)
            return
        }
        let given = unsafe tt_answer(vault, call, UInt32(TT_REFUSED_NOT), 0, answer, UInt64(answer.count), 0)
        if unsafe tt_answer(vault, call, 0, 0, answer, UInt64(answer.count), 0) != TT_CALL {
            reportBug("a call that was answered twice")
        }
        // Last: who waits for it closes the vault.
        lock.withLock { status = given }
    }
}
