import Glibc
import ThumbturnCrypto

/// The pipe beside the lines: secrets as their length in 4 bytes, big-endian, and their bytes.
///
/// The lines never have one, so what keeps or shows lines keeps and shows none.
struct SecretPipe: Sendable {
    /// The most bytes of a secret, and of several PINs together.
    static let maximumByteCount = 4_096

    let descriptor: Int32

    /// Sends a secret.
    ///
    /// - Returns: whether the other end took it.
    func send(_ bytes: RawSpan) -> Bool {
        precondition(bytes.byteCount <= Self.maximumByteCount, "a secret that is too long")
        let count = UInt32(bytes.byteCount)
        let head = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) }
        return descriptor.writeAll(head) && descriptor.writeAll(bytes)
    }

    /// Receives a secret, straight into memory that is wiped; `nil` at the end.
    func receive() -> SecretBytes? {
        var head = [UInt8](repeating: 0, count: 4)
        guard unsafe head.withUnsafeMutableBytes({ unsafe Self.fill($0, from: descriptor) }) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard count <= Self.maximumByteCount else { return nil }
        var isWhole = false
        let secret = unsafe SecretBytes(byteCount: count) { buffer in
            isWhole = unsafe Self.fill(buffer, from: descriptor)
        }
        guard isWhole else { return nil }
        return secret
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Bool {
        var filled = 0
        while filled < buffer.count {
            guard let start = buffer.baseAddress else { return false }
            let count = unsafe read(descriptor, start + filled, buffer.count - filled)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            filled += count
        }
        return true
    }
}
