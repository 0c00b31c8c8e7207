#if os(Linux)
import Glibc
import Testing

@testable @_spi(InsecureTestParameters) import ThumbturnCrypto

/// A54: what a scan of the whole process finds after our functions returned and their secrets ended.
@Suite(.serialized) struct MemoryTests {
    /// Counts traces after `work` ran on a thread of its own, whose stack is part of the scan.
    private func traces(of secrets: MaskedSecret..., after work: @escaping () -> Void) -> Int {
        let thread = PausedThread(after: work)
        defer { thread.finish() }
        return secrets.reduce(0) { $0 + $1.traces() }
    }

    @Test(.holds("A54")) func `a living secret is found, an ended one is not`() {
        let masked = MaskedSecret.make()
        #expect(masked.traces() == 0)
        do {
            let secret = masked.load()
            #expect(masked.traces() >= 7)
            #expect(secret.byteCount == 32)
        }
        #expect(masked.traces() == 0)
    }

    @Test func `control: freed arrays are found`() {
        let masked = MaskedSecret.make()
        let found = traces(of: masked) {
            let copies = (0..<64).map { _ in masked.load().exposed }
            #expect(copies.count == 64)
        }
        #expect(found > 0)
    }

    @inline(never) private static func leaveOnStack(_ masked: MaskedSecret) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { buffer in
            unsafe masked.unmask(into: UnsafeMutableRawBufferPointer(rebasing: buffer[0..<32]))
        }
    }

    @Test(.holds("A54")) func `a stack buffer is found, unless withCleanStack ran it`() {
        let masked = MaskedSecret.make()
        #expect(traces(of: masked) { Self.leaveOnStack(masked) } > 0)
        let other = MaskedSecret.make()
        #expect(traces(of: other) { withCleanStack { Self.leaveOnStack(other) } } == 0)
        #expect(traces(of: other) { withCleanStack(.shallow) { Self.leaveOnStack(other) } } == 0)
    }

    @Test(.holds("A54")) func `sealing and opening leave neither key nor plaintext`() {
        let key = MaskedSecret.make()
        let plaintext = MaskedSecret.make()
        let found = traces(of: key, plaintext) {
            for _ in 0..<4 {
                let error = cryptoError { () throws(CryptoError) in
                    let key = key.load()
                    let box = try plaintext.load().withBytes { (bytes) throws(CryptoError) in
                        try AES256GCM.seal(bytes, key: key, associatedData: [1])
                    }
                    return try AES256GCM.open(box, key: key, associatedData: [1])
                }
                #expect(error == nil)
            }
        }
        #expect(found == 0)
    }

    @Test(.holds("A54")) func `a box that fails to open leaves nothing either`() {
        let key = MaskedSecret.make()
        let plaintext = MaskedSecret.make()
        let found = traces(of: key, plaintext) {
            let error = cryptoError { () throws(CryptoError) in
                let key = key.load()
                let box = try plaintext.load().withBytes { (bytes) throws(CryptoError) in
                    try AES256GCM.seal(bytes, key: key, associatedData: [1])
                }
                return try AES256GCM.open(box, key: key, associatedData: [2])
            }
            #expect(error == .authenticationFailed)
        }
        #expect(found == 0)
    }

    @Test(.holds("A54")) func `HMAC and HKDF leave neither key nor output`() {
        let key = MaskedSecret.make()
        var output = MaskedSecret.make()
        let derive = { () throws(CryptoError) in
            try HKDFSHA256.derive(from: key.load(), salt: [1], info: [2], byteCount: 80)
        }
        #expect(cryptoError { () throws(CryptoError) in output = MaskedSecret(of: try derive()) } == nil)
        let expected = output
        let found = traces(of: key, expected) {
            #expect(HMACSHA256.tag([1, 2, 3], key: key.load()).count == 32)
            #expect(cryptoError(derive) == nil)
        }
        #expect(found == 0)
    }

    @Test(.holds("A54")) func `a whole unlock leaves no password, stretched secret, key or master key`() throws {
        let password = MaskedSecret.make()
        let share = MaskedSecret.make()
        let salt = [UInt8](repeating: 3, count: 16)
        let stretch = { () throws(CryptoError) in
            try StretchedSecret(
                stretching: password.load(),
                salt: salt,
                parameters: Argon2Limits.insecureTest.default,
                limits: .insecureTest
            )
        }
        let keyOf = { () throws(CryptoError) in
            KeyEncryptionKey(
                stretched: try stretch(),
                deviceShare: share.load(),
                salt: salt,
                purpose: "pin-slot"
            )
        }
        let stretched = try MaskedSecret(of: stretch().bytes)
        let key = try MaskedSecret(of: keyOf().bytes)
        let created = MasterKey.make()
        let master = MaskedSecret(of: created.bytes)
        let wallet = MaskedSecret(of: created.derive("wallet-key", context: [1], salt: salt))
        let box = try keyOf().wrap(created, associatedData: [9])
        _ = consume created

        let found = traces(of: password, share, stretched, key, master, wallet) {
            let error = cryptoError { () throws(CryptoError) in
                let key = try keyOf()
                let opened = try key.unwrap(box, associatedData: [9])
                _ = try key.wrap(opened, associatedData: [9])
                #expect(opened.derive("wallet-key", context: [1], salt: salt).byteCount == 32)
                #expect(MasterKey.matches(opened, opened.copy()) == true)
            }
            #expect(error == nil)
        }
        #expect(found == 0)
    }

    @Test(.holds("A54"), arguments: LegacyDerivation.allCases)
    func `opening what was sealed before the vault leaves no password, key or plaintext`(
        derivation: LegacyDerivation
    ) throws {
        let password = MaskedSecret.make()
        let derive = { () throws(CryptoError) in try derivation.key(from: password.load()) }
        // Without the initialisation vector, which is no secret.
        let key = try MaskedSecret(of: derive().bytes.copy().prefix(32))
        var ciphertext = (0..<64).map { UInt8($0) }
        // Tries the byte that decides about the last byte of the last block, until a padding fits.
        let fitting = (0...255).first { byte in
            ciphertext[47] = UInt8(byte)
            return cryptoError { () throws(CryptoError) in try derive().open(ciphertext) } == nil
        }
        ciphertext[47] = UInt8(try #require(fitting))
        let plaintext = try MaskedSecret(of: derive().open(ciphertext))
        let good = ciphertext
        // Of 256 last blocks one has a padding that fits by chance: this is one that has none.
        let unfitting = (0...255).first { byte in
            ciphertext[47] = UInt8(byte)
            return cryptoError { () throws(CryptoError) in try derive().open(ciphertext) } == .authenticationFailed
        }
        ciphertext[47] = UInt8(try #require(unfitting))
        let bad = ciphertext

        let found = traces(of: password, key, plaintext) {
            #expect(cryptoError { () throws(CryptoError) in try derive().open(good) } == nil)
            #expect(cryptoError { () throws(CryptoError) in try derive().open(bad) } == .authenticationFailed)
        }
        #expect(found == 0)
    }

    @Test(.holds("A54")) func `a private key that was made, used and ended leaves no scalar, in either order`() throws {
        let drawn = SecretBytes.random(byteCount: 32)
        // Below the order for certain.
        unsafe drawn.mutableBytes[0] = 0x7F
        let scalar = MaskedSecret(of: drawn)
        _ = consume drawn
        let found = traces(of: scalar, scalar.reversed) {
            for _ in 0..<4 {
                let error = cryptoError { () throws(CryptoError) in
                    // No look at the signature: what that leaves could hide what this does.
                    _ = try P256PrivateKey(scalar: scalar.load()).sign([1, 2, 3])
                }
                #expect(error == nil)
            }
        }
        #expect(found == 0)
    }

    enum LegacyDerivation: CaseIterable {
        case digest, argon2id

        func key(from password: borrowing SecretBytes) throws(CryptoError) -> LegacyKey {
            switch self {
            case .digest: return try LegacyKey(digesting: password, salt: [1, 2, 3, 4, 5, 6, 7, 8])
            case .argon2id:
                guard let argon2id = LegacyArgon2id.builtIn else { throw .backendFailed }
                return try LegacyKey(
                    stretching: password,
                    salt: [UInt8](repeating: 3, count: 32),
                    cost: LegacyArgon2id.Cost(memoryKiB: 128, passes: 1, lanes: 4),
                    by: argon2id,
                    initializationVector: [UInt8](repeating: 4, count: 16)
                )
            }
        }
    }

    @Test func `isLocked tells whether the system locked the memory`() throws {
        let secret = SecretBytes.random(byteCount: 32)
        let isLocked = unsafe LockedMemory.contains(secret.start)
        #expect(secret.isLocked == isLocked)
    }

    @Test func `isLocked is false, and the secret still works, where the system refuses the lock`() async {
        await #expect(processExitsWith: .success) {
            // Root may lock without limit; an ordinary user with no allowance may not lock at all.
            if getuid() == 0, setuid(65_534) != 0 { exit(2) }
            var allowance = rlimit(rlim_cur: 0, rlim_max: 0)
            guard unsafe setrlimit(Int32(__RLIMIT_MEMLOCK.rawValue), &allowance) == 0 else { exit(3) }
            let secret = SecretBytes([1, 2, 3])
            exit(!secret.isLocked && secret.exposed == [1, 2, 3] ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
#endif
