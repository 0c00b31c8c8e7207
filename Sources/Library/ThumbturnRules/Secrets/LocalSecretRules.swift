/// The requirements for a PIN or password (C6, A59).
///
/// Pure functions on borrowed bytes.
package enum LocalSecretRules {
    /// The minimum number of digits of a PIN.
    package static let leastDigits = 6
    /// The minimum number of digits of a PIN whose device secret is in a file: about 40 bits against offline guessing.
    package static let leastDigitsInSoftware = 12
    /// The minimum number of characters of a password.
    package static let leastCharacters = 8
    /// The assurance against which a new account password is checked: a copy of the service's verifiers allows offline
    /// guessing, as a file does (A59).
    package static let accountAssurance = Assurance.softwareFile
    /// The maximum length of a secret, in bytes of UTF-8.
    package static let mostBytes = 1_024

    /// Returns whether a secret that was long enough under one assurance may be too short under another.
    package static func mayBeTooShort(chosenUnder former: Assurance, under assurance: Assurance) -> Bool {
        assurance == .softwareFile && former != .softwareFile
    }

    /// Returns whether this could be a PIN or password at all: not too long, and without control characters.
    ///
    /// No other secret was ever accepted, so malformed input can be refused without counting a try. An empty secret is
    /// short, not malformed.
    package static func isWellFormed(_ secret: RawSpan) -> Bool {
        secret.byteCount <= mostBytes
            && (0..<secret.byteCount).allSatisfy { secret.byte(at: $0) >= 0x20 && secret.byte(at: $0) != 0x7F }
    }

    /// Returns whether a secret is UTF-8, so that any keyboard or terminal produces the same bytes for the same
    /// characters.
    ///
    /// An existing vault's secret may not be UTF-8, and still opens it.
    private static func isText(_ secret: RawSpan) -> Bool {
        unsafe secret.withUnsafeBytes { buffer in
            var parser = Unicode.UTF8.ForwardParser()
            var bytes = unsafe buffer.makeIterator()
            while true {
                switch unsafe parser.parseScalar(from: &bytes) {
                case .valid: continue
                case .emptyInput: return true
                case .error: return false
                }
            }
        }
    }

    /// Checks a new PIN or password; returns nil when it may be used.
    ///
    /// - Parameters:
    ///   - secret: UTF-8; only a secret of digits alone is a PIN.
    ///   - assurance: what guards the device secret.
    package static func weakness(of secret: RawSpan, under assurance: Assurance) -> ErrorCode? {
        guard isWellFormed(secret), isText(secret) else { return .secretMalformed }
        var characters = 0
        var digits = 0
        for index in 0..<secret.byteCount {
            let byte = secret.byte(at: index)
            if byte & 0xC0 != 0x80 { characters += 1 }
            if byte.isDigit { digits += 1 }
        }
        let isInSoftware = assurance == .softwareFile
        // Mention twelve digits first: an owner told to use six would then be refused again.
        let tooShort: ErrorCode = isInSoftware ? .secretTooWeakForDevice : .secretTooShort
        guard digits == secret.byteCount else {
            if characters < leastCharacters { return tooShort }
            return isMonotonous(secret) || isListed(secret, in: commonPasswords) ? .secretTooCommon : nil
        }
        if digits < (isInSoftware ? leastDigitsInSoftware : leastDigits) { return tooShort }
        return isMonotonous(secret) || isListed(secret, in: commonPINs) ? .secretTooCommon : nil
    }

    /// Returns whether a secret has equal steps from one byte to the next, or repeats a pattern of up to half its
    /// length.
    ///
    /// Examples: 000000, 123456, 987654, 246802, 121212, 123123, aaaaaaaa.
    private static func isMonotonous(_ secret: RawSpan) -> Bool {
        let count = secret.byteCount
        let isRun = (2..<count).allSatisfy { index in
            step(secret, index) == step(secret, 1)
        }
        if isRun { return true }
        return (1...(count / 2)).contains { period in
            count % period == 0
                && (period..<count).allSatisfy { secret.byte(at: $0) == secret.byte(at: $0 - period) }
        }
    }

    /// Returns the step from the byte before `index`; digits wrap around, so that 789012 is a run.
    private static func step(_ secret: RawSpan, _ index: Int) -> Int {
        let difference = Int(secret.byte(at: index)) - Int(secret.byte(at: index - 1))
        let areDigits = secret.byte(at: index).isDigit && secret.byte(at: index - 1).isDigit
        return areDigits ? (difference + 10) % 10 : difference
    }

    private static func isListed(_ secret: RawSpan, in list: [StaticString]) -> Bool {
        list.contains { entry in
            guard entry.utf8CodeUnitCount == secret.byteCount else { return false }
            let bytes = unsafe UnsafeBufferPointer(start: entry.utf8Start, count: entry.utf8CodeUnitCount)
            return bytes.indices.allSatisfy { unsafe bytes[$0] == secret.byte(at: $0).lowercased }
        }
    }

    // The most common PINs of at least six digits in published breaches that the pattern rule above does not catch.
    private static let commonPINs: [StaticString] = [
        "102030", "112233", "332211", "123321", "101112", "111222", "111222333", "112358", "114477", "121314", "123654",
        "131211", "142536", "147258", "147852", "147963", "159357", "159753", "192837", "201020", "314159", "357159",
        "456123", "456852", "520131", "520520", "654123", "741852", "753951", "789123", "789456", "852456", "951753",
        "963852", "987321", "98765432", "12344321", "11223344", "147258369", "123456789", "1234567890", "0123456789",
        "31415926", "314159265", "159357456", "7894561230", "741852963", "963852741", "11112222", "12341234",
        "20002000",
        "19871987", "5201314", "1314520", "7758521", "0102030405", "1122334455", "123456123456", "111111222222",
        "010203", "134679", "159951", "1234321", "8675309",
    ]

    // Passwords of at least eight characters that lead every published list.
    private static let commonPasswords: [StaticString] = [
        "password", "password1", "password12", "password123", "passw0rd", "p@ssw0rd", "p@ssword", "iloveyou",
        "princess",
        "sunshine", "football", "baseball", "superman", "trustno1", "starwars", "whatever", "computer", "michelle",
        "jennifer", "corvette", "maverick", "mercedes", "internet", "qwertyui", "qwertyuiop", "qwerty123", "qwerty12",
        "1q2w3e4r", "1q2w3e4r5t", "1qaz2wsx", "zaq12wsx", "q1w2e3r4", "asdfghjk", "asdfghjkl", "zxcvbnm1", "abcd1234",
        "abc12345", "a1b2c3d4", "admin123", "administrator", "welcome1", "welcome123", "letmein1", "changeme",
        "motdepasse", "azertyui", "azertyuiop", "azerty123", "bonjour1", "doudou123", "thumbturn", "bitcoin1",
        "satoshi1", "hodlhodl", "ethereum",
    ]
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
