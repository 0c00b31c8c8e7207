public import CBridge
import ThumbturnCrypto

// The functions of `thumbturn.h` about secrets.

/// Makes a secret of zeros.
@c @implementation public func tt_secret_make(_ count: UInt64, _ secret: UnsafeMutablePointer<UInt64>?) -> tt_status {
    guard let secret = unsafe secret, count <= TT_SECRET_BYTES else { return FaceStatus.argument.rawValue }
    let zeros = unsafe SecretBytes(byteCount: Int(count)) { _ in }
    guard let number = SecretTable.shared.add(HeldSecret(zeros)) else { return FaceStatus.full.rawValue }
    unsafe secret.pointee = number
    return FaceStatus.ok.rawValue
}

/// Lends the memory of a secret.
@c @implementation public func tt_secret_bytes(
    _ secret: UInt64,
    _ bytes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
    _ count: UnsafeMutablePointer<UInt64>?
) -> tt_status {
    guard let bytes = unsafe bytes, let count = unsafe count else { return FaceStatus.argument.rawValue }
    guard let held = SecretTable.shared.look(secret) else { return FaceStatus.secret.rawValue }
    held.bytes.withBytes { span in
        unsafe span.withUnsafeBytes { memory in
            // The address stays good as long as the table keeps the secret: its memory never moves.
            let start = unsafe UnsafeMutableRawPointer(mutating: memory.baseAddress)
            unsafe bytes.pointee = start?.assumingMemoryBound(to: UInt8.self)
            unsafe count.pointee = UInt64(memory.count)
        }
    }
    return FaceStatus.ok.rawValue
}

/// Wipes a secret.
@c @implementation public func tt_secret_drop(_ secret: UInt64) -> tt_status {
    (SecretTable.shared.take(secret) == nil ? FaceStatus.secret : .ok).rawValue
}
