public import CBridge
import ThumbturnDevice
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules

// The functions of `thumbturn.h` about a vault; the header says what they do.

/// Returns the version of the header.
@c @implementation public func tt_version() -> UInt32 { UInt32(TT_VERSION) }

/// Opens a vault.
@c @implementation public func tt_open(
    _ json: UnsafePointer<UInt8>?,
    _ count: UInt64,
    _ flags: UInt32,
    _ device: UnsafePointer<tt_device>?,
    _ listener: UnsafePointer<tt_listener>?,
    _ context: UnsafeMutableRawPointer?,
    _ vault: UnsafeMutablePointer<UInt64>?
) -> tt_status {
    let isServed = flags == TT_MAIN_IS_SERVED
    guard let vault = unsafe vault, let device = unsafe device, let listener = unsafe listener, isServed || flags == 0,
        let bytes = unsafe copy(json, count, upTo: TT_CONFIGURATION_BYTES),
        let tables = unsafe HostTables(device: device.pointee, listener: listener.pointee, context: context)
    else { return FaceStatus.argument.rawValue }
    guard let configuration = try? HostConfiguration(reading: bytes) else { return FaceStatus.configuration.rawValue }
    guard CallbackThread.shared.start() else { return FaceStatus.full.rawValue }
    guard MainThread.settle(isServed: isServed) else { return FaceStatus.main.rawValue }
    let made = BridgedVault(tables)
    guard let handle = VaultTable.shared.add(made) else { return FaceStatus.full.rawValue }
    unsafe vault.pointee = handle
    made.start(handle, configuration)
    return FaceStatus.ok.rawValue
}

/// Copies the value.
@c @implementation public func tt_fields(
    _ vault: UInt64,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ capacity: UInt64,
    _ count: UnsafeMutablePointer<UInt64>?
) -> tt_status {
    guard let count = unsafe count, unsafe buffer != nil || capacity == 0 else { return FaceStatus.argument.rawValue }
    guard let vault = VaultTable.shared[vault] else { return FaceStatus.handle.rawValue }
    var fields = vault.fields
    return fields.withUTF8 { fields in
        unsafe count.pointee = UInt64(fields.count)
        guard let start = fields.baseAddress, let buffer = unsafe buffer, fields.count <= capacity else {
            return FaceStatus.buffer.rawValue
        }
        unsafe buffer.update(from: start, count: fields.count)
        return FaceStatus.ok.rawValue
    }
}

/// Does an action.
@c @implementation public func tt_send(
    _ vault: UInt64,
    _ ticket: UInt64,
    _ json: UnsafePointer<UInt8>?,
    _ count: UInt64,
    _ secret: UInt64
) -> tt_status {
    let held = SecretTable.shared.take(secret)
    guard let vault = VaultTable.shared[vault] else { return FaceStatus.handle.rawValue }
    guard let bytes = unsafe copy(json, count, upTo: Int(UInt32.max)) else { return FaceStatus.argument.rawValue }
    guard let action = try? JSON(reading: bytes, byteLimit: TT_ACTION_BYTES) else { return FaceStatus.action.rawValue }
    guard secret == 0 || held != nil else { return FaceStatus.secret.rawValue }
    return vault.send(ticket, action, held).rawValue
}

/// Gives up an action.
@c @implementation public func tt_cancel(_ vault: UInt64, _ ticket: UInt64) -> tt_status {
    (VaultTable.shared[vault]?.cancel(ticket) ?? .handle).rawValue
}

/// Tells what happened.
@c @implementation public func tt_happen(_ vault: UInt64, _ event: UInt32) -> tt_status {
    guard let vault = VaultTable.shared[vault] else { return FaceStatus.handle.rawValue }
    guard let event = DeviceEvent(number: event) else { return FaceStatus.argument.rawValue }
    vault.happen(event)
    return FaceStatus.ok.rawValue
}

/// Closes a vault.
@c @implementation public func tt_close(_ vault: UInt64) -> tt_status {
    guard let vault = VaultTable.shared.close(vault) else { return FaceStatus.handle.rawValue }
    vault.close { VaultTable.shared.forget(vault) }
    return FaceStatus.ok.rawValue
}

/// Answers a call to the device.
@c @implementation public func tt_answer(
    _ vault: UInt64,
    _ call: UInt64,
    _ refusal: UInt32,
    _ mismatches: UInt32,
    _ json: UnsafePointer<UInt8>?,
    _ count: UInt64,
    _ secret: UInt64
) -> tt_status {
    let held = SecretTable.shared.take(secret)
    guard let vault = VaultTable.shared.answerable(vault) else { return FaceStatus.handle.rawValue }
    guard refusal == TT_REFUSED_NOT else {
        let refusal = DeviceRefusal(number: refusal, mismatches: mismatches)
        return vault.line.answer(call, .failure(refusal)).rawValue
    }
    // A secret that was given away, or never was one, is no answer.
    guard let bytes = unsafe copy(json, count, upTo: TT_ANSWER_BYTES, orNone: true), secret == 0 || held != nil else {
        return vault.line.answer(call, nil).rawValue
    }
    return vault.line.answer(call, .success((bytes, held))).rawValue
}

/// Copies what a host gave; nil for nothing, or more than may come.
private func copy(
    _ bytes: UnsafePointer<UInt8>?,
    _ count: UInt64,
    upTo limit: Int,
    orNone mayBeMissing: Bool = false
) -> [UInt8]? {
    guard count <= limit else { return nil }
    guard let bytes = unsafe bytes, count > 0 else { return mayBeMissing && count == 0 ? [] : nil }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

extension DeviceEvent {
    /// The event of a host's number; nil for a number that means nothing.
    fileprivate init?(number: UInt32) {
        switch Int(number) {
        case TT_APP_ACTIVE: self = .becameActive
        case TT_APP_INACTIVE: self = .becameInactive
        case TT_APP_BACKGROUND: self = .enteredBackground
        case TT_DEVICE_LOCKING: self = .protectedDataLeaving
        case TT_APP_SUSPENDING: self = .suspending
        case TT_ENROLMENT: self = .biometryChanged
        default: return nil
        }
    }
}
