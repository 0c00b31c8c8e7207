import Testing
import ThumbturnRules

@Suite struct LocalSecretRulesTests {
    private func weakness(_ secret: String, _ assurance: Assurance = .hardwareBound) -> ErrorCode? {
        weakness(Array(secret.utf8), assurance)
    }

    private func weakness(_ bytes: [UInt8], _ assurance: Assurance = .hardwareBound) -> ErrorCode? {
        unsafe bytes.withUnsafeBytes { unsafe LocalSecretRules.weakness(of: $0.bytes, under: assurance) }
    }

    static let listed = [
        "102030", "112233", "332211", "123321", "101112", "111222", "111222333", "112358", "114477", "121314", "123654",
        "131211", "142536", "147258", "147852", "147963", "159357", "159753", "192837", "201020", "314159", "357159",
        "456123", "456852", "520131", "520520", "654123", "741852", "753951", "789123", "789456", "852456", "951753",
        "963852", "987321", "98765432", "12344321", "11223344", "147258369", "123456789", "1234567890", "0123456789",
        "31415926", "314159265", "159357456", "7894561230", "741852963", "963852741", "11112222", "12341234",
        "20002000", "19871987", "5201314", "1314520", "7758521", "0102030405", "1122334455", "123456123456",
        "111111222222", "010203", "134679", "159951", "1234321", "8675309",
    ]

    @Test("a PIN that everybody tries is refused", .holds("A59"), arguments: listed)
    func everybodysPIN(pin: String) {
        #expect(weakness(pin) == .secretTooCommon)
    }

    @Test(
        "runs and repeats are refused",
        .holds("A59"),
        arguments: [
            "000000", "999999", "123456", "654321", "987654", "246802", "135791", "789012", "098765", "121212",
            "123123",
            "696969", "000000000000", "121212121212", "123451234512345", "aaaaaaaa", "abcdefgh", "hgfedcba", "abababab",
            "éééééééé",
        ]
    )
    func monotonous(secret: String) {
        #expect(weakness(secret) == .secretTooCommon)
    }

    @Test(
        "an ordinary PIN is accepted",
        .holds("C6"),
        arguments: ["271828", "580317", "904126", "1230984", "123457", "100000"]
    )
    func ordinary(pin: String) {
        #expect(weakness(pin) == nil)
    }

    @Test("five digits are too few, whatever they are", .holds("C6"), arguments: ["", "0", "12", "12345", "90412"])
    func short(pin: String) {
        #expect(weakness(pin) == .secretTooShort)
    }

    @Test func `a PIN whose device secret lies in a file has twelve digits`() {
        #expect(weakness("58031779264", .softwareFile) == .secretTooWeakForDevice)
        #expect(weakness("580317792648", .softwareFile) == nil)
        #expect(weakness("271828", .softwareFile) == .secretTooWeakForDevice)
        #expect(weakness("121212121212", .softwareFile) == .secretTooCommon)
        #expect(weakness("correct horse", .softwareFile) == nil)
        for assurance in [Assurance.simulated, .osKeychain, .hardwareBound] {
            #expect(weakness("271828", assurance) == nil)
        }
    }

    @Test(
        "where twelve digits are asked for, nothing speaks of six",
        .holds("C6"),
        arguments: ["", "0", "90412", "short", "12345a"]
    )
    func shortInSoftware(secret: String) {
        #expect(weakness(secret, .softwareFile) == .secretTooWeakForDevice)
        for assurance in [Assurance.simulated, .osKeychain, .hardwareBound] {
            #expect(weakness(secret, assurance) == .secretTooShort)
        }
    }

    @Test func `a password has eight characters, counted as characters and not as bytes`() {
        #expect(weakness("abcdefz") == .secretTooShort)
        #expect(weakness("abcdefhz") == nil)
        #expect(weakness("éàüçôñî") == .secretTooShort, "7 characters, 14 bytes")
        #expect(weakness("éàüçôñîœ") == nil)
        #expect(weakness("🔑🗝🔐🔒🔓🧷🪪") == .secretTooShort, "7 characters, 28 bytes")
        #expect(weakness("🔑🗝🔐🔒🔓🧷🪪🧲") == nil)
    }

    @Test(
        "common passwords are refused in any case",
        .holds("A59"),
        arguments: [
            "password", "PASSWORD", "PassWord123", "motdepasse", "azertyuiop", "Qwertyuiop", "thumbturn", "letmein1",
        ]
    )
    func commonPassword(password: String) {
        #expect(weakness(password) == .secretTooCommon)
    }

    @Test func `a digit beside letters makes it a password`() {
        #expect(weakness("12345a") == .secretTooShort)
        #expect(weakness("123456 8") == nil)
    }

    @Test("control characters are malformed", arguments: Array(UInt8(0)..<0x20) + [0x7F])
    func control(byte: UInt8) {
        #expect(weakness(Array("correct horse".utf8) + [byte]) == .secretMalformed)
        #expect(weakness([byte]) == .secretMalformed)
        #expect(!isWellFormed([byte]) && !isWellFormed(Array("49".utf8) + [byte]))
    }

    @Test func `what is only short, common or not ASCII is well formed`() {
        for secret in ["", "1", "000000", "été à la plage", "\u{85}"] { #expect(isWellFormed(Array(secret.utf8))) }
        #expect(isWellFormed([UInt8](repeating: 0x39, count: 1_024)))
        #expect(!isWellFormed([UInt8](repeating: 0x39, count: 1_025)))
    }

    @Test(
        "bytes that are no UTF-8 are no new password, and may be one that a vault has",
        arguments: [
            [0xE9], [0xC3], [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF, 0xFE],
        ] as [[UInt8]]
    )
    func bytes(other: [UInt8]) {
        for secret in [Array("correct horse".utf8) + other, other + Array("correct horse".utf8)] {
            #expect(weakness(secret) == .secretMalformed && isWellFormed(secret), "\(other)")
        }
        #expect(weakness("correct horsé 馬 \u{1F40E}") == nil)
    }

    private func isWellFormed(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe LocalSecretRules.isWellFormed($0.bytes) }
    }

    @Test func `1,024 bytes are accepted and 1,025 are not`() {
        let phrase = (0..<1_024).map { (index: Int) -> UInt8 in UInt8(0x61 + (index * index + index / 26) % 26) }
        #expect(weakness(phrase) == nil)
        #expect(weakness(phrase + [0x7A]) == .secretMalformed)
    }
}
