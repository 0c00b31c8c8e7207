import Testing

@testable import ThumbturnCrypto

@Suite struct TextCodeTests {
    // RFC 4648 §10.
    static let base64 = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]
    static let hexadecimal = [("", ""), ("f", "66"), ("fo", "666f"), ("foobar", "666f6f626172"), ("ÿ", "c3bf")]

    @Test(
        arguments: base64.map { (TextCode.base64, $0.0, $0.1) } + hexadecimal.map { (TextCode.hexadecimal, $0.0, $0.1) }
    )
    func `RFC 4648: bytes become their text, and the text the bytes again`(code: TextCode, plain: String, text: String)
    {
        let bytes = Array(plain.utf8)
        #expect(code.encode(bytes) == Array(text.utf8))
        #expect(code.decode(Array(text.utf8)) == bytes)
        #expect(code.characterCount(of: bytes.count) == text.utf8.count)
        let secret = SecretBytes(bytes).withBytes { code.encode($0) }
        let written = secret.exposed
        #expect(written == Array(text.utf8), "nor does a secret's text end in a zero")
    }

    @Test func `digits are read in either case`() {
        #expect(TextCode.hexadecimal.decode(Array("0aF9".utf8)) == [0x0A, 0xF9])
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zm9vY", "Zg==Zg==", "Zg===", "=", "====", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", " Zm9v", "Zm9-",
        "Zm9_",
        "Zm9v\u{0}", "é",
    ])
    func `base64 is read strictly`(text: String) {
        #expect(TextCode.base64.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: [(TextCode.base64, 64), (.hexadecimal, 22)])
    func `no other byte stands for a character, in whatever place`(code: TextCode, count: Int) {
        for place in 0..<4 {
            let read = (0...UInt8.max).filter { byte in
                var text = Array("AAAA".utf8)
                text[place] = byte
                return code.decode(text) != nil && byte != UInt8(ascii: "=")
            }
            #expect(read.count == count && read.allSatisfy { $0 < 0x80 }, "\(place): \(read)")
        }
    }

    @Test(arguments: ["0", "000", "0g", "g0", "00 ", "0 0", "00:00", "0x00", "00\u{0}", "é"])
    func `hexadecimal is read strictly`(text: String) {
        #expect(TextCode.hexadecimal.decode(Array(text.utf8)) == nil)
    }

    @Test(arguments: [(TextCode.base64, "Zm9v"), (.hexadecimal, "666f6f")])
    func `what has no room is refused`(code: TextCode, text: String) {
        for room in 0..<5 {
            var bytes = [UInt8](repeating: 0, count: room)
            let count = unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe Array(text.utf8).withUnsafeBytes { unsafe code.decode($0.bytes, into: bytes) }
            }
            #expect(count == (room < 3 ? nil : 3))
        }
    }

    @Test func `every byte is written as it stands everywhere`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 37 * $0 + count) }
            for code in [TextCode.base64, .hexadecimal] { #expect(code.decode(code.encode(bytes)) == bytes) }
        }
    }
}
