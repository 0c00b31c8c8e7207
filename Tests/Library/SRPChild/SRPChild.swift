import Glibc
import ThumbturnCrypto

/// Our SRP client, spoken to in lines, so that servers in other languages can be tried on it.
///
///     begin GROUP ENCODING NAME PASSWORD   → A
///     answer SALT B                        → M1, or `refused WHY`
///     confirm M2                           → K, or `refused WHY`
///
/// All but the first two operands are hexadecimal. It prints a session's key, so it is no part of the product.
@main struct SRPChild: ~Copyable {
    private var handshake: SRPClientHandshake?
    private var proof: SRPClientProof?

    static func main() {
        var child = SRPChild()
        while let line = readLine() {
            do throws(SRPError) { print(try child.answer(line.split(separator: " "))) } catch {
                print("refused \(error)")
            }
            fflush(nil)
        }
    }

    private mutating func answer(_ words: [Substring]) throws(SRPError) -> String {
        switch words.first {
        case "begin" where words.count == 5:
            return try begin(words)
        case "answer":
            guard let begun = handshake.take() else { return "refused order" }
            let value = words.count > 2 ? Self.bytes(words[2]) : []
            let proved = try begun.answer(salt: Self.bytes(words[1]), serverValue: value)
            let text = Self.text(proved.proof)
            proof = consume proved
            return text
        case "confirm":
            guard let proved = proof.take() else { return "refused order" }
            let session = try proved.confirm(Self.bytes(words[1]))
            return session.key.withBytes { key in unsafe key.withUnsafeBytes { unsafe Self.text([UInt8]($0)) } }
        default:
            return "refused words"
        }
    }

    private mutating func begin(_ words: [Substring]) throws(SRPError) -> String {
        guard let group = SRPGroup(rawValue: String(words[1])) else { return "refused group" }
        let password = Self.bytes(words[4])
        let begun = try SRPClientHandshake(
            group: group,
            account: Self.bytes(words[3]),
            password: unsafe SecretBytes(copying: password.span.bytes),
            encoding: words[2] == "minimal" ? .minimal : .minimalUnpaddedG
        )
        let text = Self.text(begun.publicValue)
        handshake = consume begun
        return text
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        let digits = Array(digits)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0 }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
