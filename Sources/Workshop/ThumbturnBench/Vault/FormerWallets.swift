import CArgon2
import COpenSSL
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator

/// Wallets as sealed by former apps, with the raw primitives: the input of a migration, and the least it could take.
///
/// All of one kind have the same salt. A migration can't rely on that, and derives a key for each.
enum FormerWallets {
    case openSSL, argon2

    static let pin = "571923"
    private static let salt: [UInt8] = Array("0123456789abcdef0123456789abcdef".utf8)
    private static let saltOfOpenSSL = Array("saltsalt".utf8)
    private static let memoryKiB: UInt32 = 32_768
    private static let passes: UInt32 = 2
    private static let lanes: UInt32 = 6

    /// Derives the key of a wallet, 32 bytes, and the vector if the format does not store one.
    func derive() throws -> (key: [UInt8], vector: [UInt8]) {
        var pin = Array(Self.pin.utf8)
        var key = [UInt8](repeating: 0, count: 32)
        var vector = [UInt8](repeating: 9, count: 16)
        switch self {
        case .openSSL:
            let count = unsafe EVP_BytesToKey(
                EVP_aes_256_cbc(),
                EVP_md5(),
                Self.saltOfOpenSSL,
                pin,
                Int32(pin.count),
                1,
                &key,
                &vector
            )
            guard count == 32 else { throw BenchError(what: "EVP_BytesToKey refused") }
        case .argon2:
            var salt = Self.salt
            let status = unsafe pin.withUnsafeMutableBufferPointer { pin in
                unsafe salt.withUnsafeMutableBufferPointer { salt in
                    unsafe key.withUnsafeMutableBufferPointer { key in
                        var context = unsafe argon2_context()
                        unsafe context.out = key.baseAddress
                        unsafe context.outlen = UInt32(key.count)
                        unsafe context.pwd = pin.baseAddress
                        unsafe context.pwdlen = UInt32(pin.count)
                        unsafe context.salt = salt.baseAddress
                        unsafe context.saltlen = UInt32(salt.count)
                        unsafe context.t_cost = Self.passes
                        unsafe context.m_cost = Self.memoryKiB
                        unsafe context.lanes = Self.lanes
                        unsafe context.threads = 1
                        unsafe context.version = UInt32(ARGON2_VERSION_13.rawValue)
                        return unsafe argon2id_ctx(&context)
                    }
                }
            }
            guard status == ARGON2_OK.rawValue else { throw BenchError(what: "Argon2id refused") }
        }
        return (key, vector)
    }

    /// Seals this many new mnemonics.
    func seal(_ count: Int) throws -> [[UInt8]] {
        let (key, vector) = try derive()
        return try (0..<count).map { _ in
            let words = try Mnemonic.text(of: Mnemonic.makeEntropy())
            let plaintext = words.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
            let ciphertext = try Self.encrypt(plaintext, key, vector)
            switch self {
            case .openSSL: return TextCode.base64.encode(Array("Salted__".utf8) + Self.saltOfOpenSSL + ciphertext)
            case .argon2:
                let salt = String(decoding: Self.salt, as: UTF8.self)
                let digits = String(repeating: "09", count: vector.count)
                let cipher = String(decoding: TextCode.base64.encode(ciphertext), as: UTF8.self)
                return Array(#"{"cipher":"\#(cipher)","iv":"\#(digits)","salt":"\#(salt)","version":1}"#.utf8)
            }
        }
    }

    private static func encrypt(_ plaintext: [UInt8], _ key: [UInt8], _ vector: [UInt8]) throws -> [UInt8] {
        let context = unsafe EVP_CIPHER_CTX_new()
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var ciphertext = [UInt8](repeating: 0, count: plaintext.count + 16)
        var (written, last): (Int32, Int32) = (0, 0)
        let worked = unsafe ciphertext.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return false }
            return unsafe EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), nil, key, vector) == 1
                && EVP_EncryptUpdate(context, start, &written, plaintext, Int32(plaintext.count)) == 1
                && EVP_EncryptFinal_ex(context, start + Int(written), &last) == 1
        }
        guard worked else { throw BenchError(what: "AES-CBC refused") }
        return Array(ciphertext.prefix(Int(written + last)))
    }
}

extension Workshop {
    /// Migrates this many former wallets into a new vault.
    ///
    /// - Returns: the seconds of the call, without the time in the former app's store.
    func migrate(_ count: Int, _ kind: FormerWallets) async throws -> Double {
        let bench = try await BenchVault(in: newFolder(), wallets: 10)
        let watch = Stopwatch()
        let store = bench.device.device.timed(by: watch).store
        var migrations: [LegacyMigration] = []
        for (index, sealed) in try kind.seal(count).enumerated() {
            guard let item = ItemName(former: "former.\(index)") else { throw BenchError(what: "no name") }
            try await bench.device.save(SecretBytes(former: sealed), as: item, access: .deviceOnly)
            let items = LegacyItems(in: store, sealed: item, biometric: nil)
            migrations.append(LegacyMigration(of: items, named: try WalletName("former \(index)")))
        }
        try await bench.vault.unlock(with: bench.secret)
        _ = watch.read()
        let seconds = try await timed {
            let added = try await bench.vault.migrate(migrations, with: SecretBytes(ascii: FormerWallets.pin))
            guard added.count == count else { throw BenchError(what: "not all were taken over") }
        }
        await bench.vault.close()
        return seconds - watch.read()
    }

    /// Does the least that a migration needs: a derivation for each wallet, and the rows in one transaction.
    ///
    /// - Parameter database: the file of a closed vault.
    func migrateBarely(_ count: Int, _ kind: FormerWallets, _ database: RawDatabase) throws -> Double {
        try timed {
            for _ in 0..<count { _ = try kind.derive() }
            try database.insertWallets(count)
        }
    }
}

extension SecretBytes {
    fileprivate init(former bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}
