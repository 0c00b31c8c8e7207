#if os(Linux)
import Foundation
import Glibc
import Synchronization

// Two functions of libsodium, which the linker finds here before it looks into the library. Each does what the library's own
// does, so the product is the one that ships, and no hook is in it.

/// Every run of Argon2id in this process, by its salt: each slot has one of its own.
enum Derivations {
    // `NSLock` and no `Mutex`, which the thread sanitizer does not see and so takes for no lock.
    private static let lock = NSLock()
    // Only under the lock.
    private nonisolated(unsafe) static var runs: [[UInt8]: Int] = [:]

    static func count(under salt: [UInt8]) -> Int {
        lock.withLock { unsafe runs[salt, default: 0] }
    }

    fileprivate static func add(under salt: [UInt8]) {
        lock.withLock { unsafe runs[salt, default: 0] += 1 }
    }
}

/// Random bytes that come again, as after a snapshot of a machine; only the task that asks for them gets them.
final class ReplayedRandomness: Sendable {
    @TaskLocal fileprivate static var current: ReplayedRandomness?

    private let next = Mutex<UInt8>(0)

    /// Lets `body` draw the same bytes as every other that is run by this.
    static func replaying<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $current.withValue(ReplayedRandomness(), operation: body)
    }

    fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        next.withLock { next in
            for index in buffer.indices {
                unsafe buffer[index] = next
                next &+= 1
            }
        }
    }
}

@_cdecl("crypto_pwhash")
func countedPasswordHash(
    _ output: UnsafeMutablePointer<UInt8>?,
    _ outputCount: UInt64,
    _ secret: UnsafePointer<CChar>?,
    _ secretCount: UInt64,
    _ salt: UnsafePointer<UInt8>?,
    _ passes: UInt64,
    _ memory: Int,
    _ algorithm: Int32
) -> Int32 {
    if let salt = unsafe salt {
        let salt = unsafe Array(UnsafeBufferPointer(start: salt, count: 16))
        Derivations.add(under: salt)
    }
    return unsafe Library.passwordHash(output, outputCount, secret, secretCount, salt, passes, memory, algorithm)
}

@_cdecl("randombytes_buf")
func replayableRandomBytes(_ buffer: UnsafeMutableRawPointer?, _ count: Int) {
    guard let replayed = ReplayedRandomness.current else { return unsafe Library.randomBytes(buffer, count) }
    unsafe replayed.fill(UnsafeMutableRawBufferPointer(start: buffer, count: count))
}

/// What the library itself has under these names.
private enum Library {
    typealias PasswordHash =
        @convention(c) (
            UnsafeMutablePointer<UInt8>?, UInt64, UnsafePointer<CChar>?, UInt64, UnsafePointer<UInt8>?, UInt64, Int,
            Int32
        ) -> Int32
    typealias RandomBytes = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void

    static let passwordHash = unsafe unsafeBitCast(next("crypto_pwhash"), to: PasswordHash.self)
    static let randomBytes = unsafe unsafeBitCast(next("randombytes_buf"), to: RandomBytes.self)

    /// The next definition of a name after this executable's.
    private static func next(_ name: String) -> UnsafeMutableRawPointer {
        let afterThis = unsafe UnsafeMutableRawPointer(bitPattern: -1)  // RTLD_NEXT
        guard let found = unsafe dlsym(afterThis, name) else { fatalError("no \(name) in libsodium") }
        return unsafe found
    }
}
#endif
