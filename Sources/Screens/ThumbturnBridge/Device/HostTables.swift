import CBridge
import ThumbturnCrypto
import ThumbturnRules

/// What a host is called by: its two tables, and its context.
@safe final class HostTables: @unchecked Sendable {
    // Safe to share: nothing here changes but under `clockLock`, and a host's functions are any thread's by contract.
    private let device: tt_device
    private let listener: tt_listener
    private let context: UnsafeMutableRawPointer?
    private let clockLock = Lock()
    private var lastReading = ClockReading(wall: .zero, boottime: .zero, bootID: .make())
    private var isOver = false

    /// Copies two tables; nil if one has another size, or lacks what it needs.
    init?(device: tt_device, listener: tt_listener, context: UnsafeMutableRawPointer?) {
        guard device.size == MemoryLayout<tt_device>.size, listener.size == MemoryLayout<tt_listener>.size,
            unsafe device.clock != nil, unsafe device.ask != nil,
            unsafe listener.answered != nil, unsafe listener.closed != nil
        else { return nil }
        unsafe (self.device, self.listener, self.context) = (device, listener, context)
    }

    /// Reads the clocks; after the end, what was read last.
    func reading() -> ClockReading {
        clockLock.withLock {
            guard !isOver else { return lastReading }
            var clock = tt_clock()
            unsafe device.clock?(context, &clock)
            let boot = unsafe withUnsafeBytes(of: clock.boot) { unsafe Identifier(bytes: $0.bytes) }
            lastReading = ClockReading(
                wall: Milliseconds(clock.wall),
                boottime: Milliseconds(clock.boottime),
                bootID: boot ?? .make()
            )
            return lastReading
        }
    }

    /// Reads no clock from now on.
    func stopClock() { clockLock.withLock { isOver = true } }
}

// What is called on `CallbackThread` alone.
extension HostTables {
    /// Asks the device.
    func ask(_ vault: UInt64, _ call: UInt64, _ operation: DeviceOperation, _ json: String, secret: UInt64) {
        var json = json
        json.withUTF8 { json in
            unsafe device.ask?(context, vault, call, operation.rawValue, json.baseAddress, UInt64(json.count), secret)
        }
    }

    /// Tells the value.
    func changed(_ json: String) {
        var json = json
        json.withUTF8 { unsafe listener.changed?(context, $0.baseAddress, UInt64($0.count)) }
    }

    /// Answers a ticket.
    func answered(_ ticket: UInt64, _ json: String) {
        var json = json
        json.withUTF8 { unsafe listener.answered?(context, ticket, $0.baseAddress, UInt64($0.count)) }
    }

    /// Lends a secret for the time of the call.
    ///
    /// - Returns: false where the host says that it could not take it.
    func lent(_ ticket: UInt64, _ secret: HeldSecret) -> Bool {
        guard let lend = unsafe listener.lent else { return true }
        return secret.bytes.withBytes { span in
            unsafe span.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe lend(context, ticket, start, UInt64(bytes.count)) == TT_OK
            }
        }
    }

    /// Says that nothing else will be called.
    func closed() { unsafe listener.closed?(context) }
}
