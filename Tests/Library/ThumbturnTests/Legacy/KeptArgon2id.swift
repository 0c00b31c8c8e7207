import Foundation
import Thumbturn
import ThumbturnCrypto

/// Argon2id that derives a key once and keeps it, and makes one up for any salt or PIN but the right ones: a test of a
/// thousand openings could not wait for the rest.
final class KeptArgon2id: @unchecked Sendable {
    private let pin: [UInt8]
    private let salts: [[UInt8]]
    // Safe to share: `lock` guards both.
    private let lock = NSLock()
    private var keys: [[UInt8]: [UInt8]] = [:]
    private var asked: [[UInt8]] = []

    /// Derives truly for this PIN and these salts.
    init(pin: String, salts: [[UInt8]]) {
        self.pin = Array(pin.utf8)
        self.salts = salts
    }

    /// The salts it was asked for, in order.
    var salted: [[UInt8]] { lock.withLock { asked } }

    var value: LegacyArgon2id {
        LegacyArgon2id { [self] (password, salt, cost) throws(CryptoError) in
            let typed = password.revealed()
            lock.withLock { asked.append(salt) }
            guard typed == pin, salts.contains(salt) else { return secret(SHA256.digest(typed, salt)) }
            if let key = lock.withLock({ keys[salt] }) { return secret(key) }
            guard let builtIn = LegacyArgon2id.builtIn else { throw .backendFailed }
            let key = try builtIn.derive(from: password, salt: salt, cost: cost)
            lock.withLock { keys[salt] = key.revealed() }
            return key
        }
    }
}
