import CSQLite
import Foundation
import ThumbturnCrypto

#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// The random bytes of a process that explores: the same ones whenever the same scene is played.
///
/// So plays that go the same way leave the same bytes, and what is known of a scene needs not be found out again (`Known`).
/// Each process draws other ones.
package enum Dice {
    fileprivate static let lock = NSLock()
    /// Drawn by the system's generator, before it is replaced.
    nonisolated(unsafe) fileprivate static var seed = RandomBytes.make(32)
    nonisolated(unsafe) private static var isLoaded = false

    /// Takes the place of the system's generator, in libsodium and in SQLite, until the process ends.
    package static func load() {
        lock.withLock {
            guard unsafe !isLoaded else { return }
            unsafe isLoaded = true
            _ = unsafe seed
            unsafe randombytes_set_implementation(implementation)
            // Every VFS that is made of the system's has its generator.
            unsafe sqlite3_vfs_find(nil).pointee.xRandomness = { _, count, bytes in
                guard let bytes = unsafe bytes else { return 0 }
                unsafe Dice.draw(UnsafeMutableRawPointer(bytes), Int(count))
                return count
            }
        }
    }

    /// Starts anew, with what belongs to a scene.
    static func take(up scene: [UInt8]) {
        lock.withLock {
            guard unsafe isLoaded else { return }
            unsafe current = SHA256.digest(unsafe seed, scene)
        }
        sqlite3_randomness(0, nil)  // What it has in stock goes, too.
    }

    nonisolated(unsafe) private static var current: [UInt8] = unsafe seed

    fileprivate static func draw(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
        lock.withLock {
            unsafe current = SHA256.digest(unsafe current)
            unsafe randombytes_buf_deterministic(bytes, count, current)
        }
    }

    nonisolated(unsafe) private static let implementation: UnsafeMutablePointer<randombytes_implementation> = {
        let implementation = UnsafeMutablePointer<randombytes_implementation>.allocate(capacity: 1)
        unsafe implementation.initialize(to: randombytes_implementation())
        unsafe implementation.pointee.implementation_name = { unsafe name }
        unsafe implementation.pointee.random = {
            var number: UInt32 = 0
            unsafe Dice.draw(&number, 4)
            return number
        }
        unsafe implementation.pointee.buf = { bytes, count in
            guard let bytes = unsafe bytes else { return }
            unsafe Dice.draw(bytes, count)
        }
        return unsafe implementation
    }()

    nonisolated(unsafe) private static let name: UnsafePointer<CChar> = {
        let name = UnsafeMutablePointer<CChar>.allocate(capacity: 5)
        for (index, character) in "dice".utf8CString.enumerated() { unsafe name[index] = character }
        return unsafe UnsafePointer(name)
    }()
}
