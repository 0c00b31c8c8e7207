import CSodium
import ThumbturnConsole
import ThumbturnCrypto

/// One call of libsodium's Argon2id.
enum RawArgon2 {
    static func run() throws {
        let parameters = Argon2Limits.standard.default
        let pin = BenchVault.pin
        var output = [UInt8](repeating: 0, count: 32)
        let status = unsafe crypto_pwhash(
            &output,
            UInt64(output.count),
            pin,
            UInt64(pin.utf8.count),
            [UInt8](repeating: 7, count: 16),
            UInt64(parameters.passes),
            Int(parameters.memoryKiB) * 1_024,
            crypto_pwhash_ALG_ARGON2ID13
        )
        guard status == 0 else { throw BenchError(what: "Argon2id refused") }
    }
}
