import Thumbturn
import ThumbturnCrypto

/// What other programs sealed: two of the project's samples, and one of them as the bytes it stands for.
extension Target {
    static var legacy: [Target] {
        [
            text("legacy-openssl", [openSSL, openSSLInLines, openSSLInBinary]) { bytes in
                let sealed = try LegacySealed(reading: SecretBytes(exposed: bytes))
                let entropy = try sealed.open(with: SecretBytes(exposed: Array("993105".utf8)), argon2id: nil)
                // Whoever changes a block garbles it, so that no other words can come of it.
                guard entropy.exposed == openSSLEntropy else { return reportBug("a mnemonic that was never sealed") }
            },
            // A changed initialisation vector may make another mnemonic of the first words, so what opens is not judged.
            text("legacy-argon2", [argon2]) { bytes in
                let sealed = try LegacySealed(reading: SecretBytes(exposed: bytes))
                _ = try sealed.open(with: SecretBytes(exposed: [1]), argon2id: derived)
            },
        ]
    }

    private static let openSSL = Array(
        ("U2FsdGVkX1/LNiVS8CxU1aJJkT+vpWct86k2Z6TsqoxuBii13KqMi2RcV53HXPR/kPG5hJt/V2zciEbhbG5tUXIloeiUmA5h"
            + "Z+1F7HtdCUjacwG7gUYdo9HcqJdpwWt+").utf8
    )
    private static let openSSLInLines = Array((0..<3).flatMap { openSSL.dropFirst(64 * $0).prefix(64) + [0x0A] })
    private static let openSSLInBinary = hexadecimal(
        "53616c7465645f5fcb362552f02c54d5a249913fafa5672df3a93667a4ecaa8c6e0628b5dcaa8c8b645c579dc75cf47f"
            + "90f1b9849b7f576cdc8846e16c6e6d517225a1e894980e6167ed45ec7b5d0948da7301bb81461da3d1dca89769c16b7e"
    )
    private static let openSSLEntropy = hexadecimal("26b1c84490ae4f510b44f6ed84f5a6b6")

    private static let argon2 = Array(
        (#"{"cipher":"YeJJUClNaGtJPUox0iDm80dE/ceeDbJ0IGSPX3gYlvl8aFc8oO5xOmqBKOAIIUoIKuD1yzc17XJXCGJ"#
            + #"mwLfsk/UNCUH/Q8oaAwRJJBeZWS4=","iv":"165fa366db91bf41b53e0112fb057450","salt":"7a3e5d4051d"#
            + #"7b0daa2e694db948a5aac","version":2}"#).utf8
    )
    /// Gives the sample's key at once.
    private static let derived = LegacyArgon2id { (_, _, _) throws(CryptoError) in
        SecretBytes(exposed: hexadecimal("7b16d26616cfdcfb5b377a1735604af34a6469d64b5f483078bcf5b37268078d"))
    }

    private static func hexadecimal(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
