import ThumbturnRules

/// The form of a secret that is a single run of characters, not a mnemonic.
package enum SecretForm: CaseIterable, Sendable {
    /// A BIP-32 key, `xprv` or the equivalent of another coin or script.
    case extendedKey
    /// A private key in the wallet import format: 51 or 52 characters of base 58.
    case importKey
    /// At least 32 hexadecimal digits.
    case digits

    /// The description shown to a person.
    package var text: String {
        switch self {
        case .extendedKey: "an extended key (xprv)"
        case .importKey: "a private key (WIF)"
        case .digits: "hexadecimal digits"
        }
    }

    init?(of run: RawSpan) {
        var digits = 0..<run.byteCount
        if run.byteCount > 2, run.byte(at: 0) == UInt8(ascii: "0"), run.byte(at: 1) | 0x20 == UInt8(ascii: "x") {
            digits = 2..<run.byteCount
        }
        if digits.count >= 32, digits.allSatisfy({ Alphabet.hexadecimal.value(of: run.byte(at: $0)) != nil }) {
            self = .digits
            return
        }
        guard (0..<run.byteCount).allSatisfy({ run.byte(at: $0).isBase58 }) else { return nil }
        // A letter for the script or network, then the mark of every extended private key.
        let mark = Array("prv".utf8)
        if run.byteCount >= 100, (1...3).allSatisfy({ run.byte(at: $0) == mark[$0 - 1] }) {
            self = .extendedKey
            return
        }
        let leads = [51: Array("59".utf8), 52: Array("KLc".utf8)]
        guard leads[run.byteCount]?.contains(run.byte(at: 0)) == true else { return nil }
        self = .importKey
    }
}

extension UInt8 {
    fileprivate var isBase58: Bool {
        switch self {
        case UInt8(ascii: "0"), UInt8(ascii: "O"), UInt8(ascii: "I"), UInt8(ascii: "l"): false
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension Alphabet {
    fileprivate static let hexadecimal = Alphabet("0123456789abcdef")
}
