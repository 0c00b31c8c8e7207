import Testing
import ThumbturnTestKit

@testable import ThumbturnJSON

@Suite struct JSONReadingTests {
    @Test func `a value is read as it was written`() throws {
        let text = #" { "b" : [ null , true, false, -1, 0 ],"a":{} , "" :"x" , "é" : [] } "#
        let value = try read(text)
        #expect(value.plain == #"{"b":[null,true,false,-1,0],"a":{},"":"x","é":[]}"#)
        #expect(value["b"]?.plain == "[null,true,false,-1,0]")
        #expect(value["c"] == nil && value["b"]?["a"] == nil)
    }

    @Test func `a member is found by the bytes of its name`() throws {
        let value = try read("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{E9}"]?.plain == "1")
        #expect(value["e\u{301}"]?.plain == "2")
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u0041\u00e9\u20AC\ud83d\ude00""#, "A\u{E9}\u{20AC}\u{1F600}"),
        (#""\u0000x""#, "\u{0}x"),
        (
            "\"\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\"",
            "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}"
        ),
    ])
    func `a string is read scalar by scalar`(text: String, expected: String) throws {
        guard case .string(let string) = try read(text) else { throw JSONError(kind: .unexpectedByte, offset: 0) }
        #expect(Array(string.utf8) == Array(expected.utf8))
    }

    // Beside the refusals of whole texts below, these have a test of their own.
    @Test(
        arguments: [
            ("", .endsEarly, 0), (" \n", .endsEarly, 2), ("[", .endsEarly, 1), ("[1", .endsEarly, 2),
            ("[1,", .endsEarly, 3),
            ("{", .endsEarly, 1), (#"{"a""#, .endsEarly, 4), (#"{"a":"#, .endsEarly, 5), (#"{"a":1"#, .endsEarly, 6),
            (#"{"a":1,"#, .endsEarly, 7), (#""a"#, .endsEarly, 2), ("tru", .endsEarly, 3), ("-", .endsEarly, 1),
            (#""\"#, .endsEarly, 2), (#""\u00"#, .endsEarly, 5), (#""\ud83d\u"#, .endsEarly, 9),

            ("]", .unexpectedByte, 0), ("[1,]", .unexpectedByte, 3), ("[,1]", .unexpectedByte, 1),
            ("[1 2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2), (#"{"a":1,}"#, .unexpectedByte, 7),
            ("{a:1}", .unexpectedByte, 1), ("{1:1}", .unexpectedByte, 1), (#"{"a" 1}"#, .unexpectedByte, 5),
            (#"{"a":1 "b":2}"#, .unexpectedByte, 7), ("'a'", .unexpectedByte, 0), ("nul1", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0), ("+1", .unexpectedByte, 0),
            (".5", .unexpectedByte, 0),
            ("-a", .unexpectedByte, 1), ("-Infinity", .unexpectedByte, 1), ("\u{A0}1", .unexpectedByte, 0),
            ("\u{C}1", .unexpectedByte, 0), ("\u{0}", .unexpectedByte, 0),

            ("1 2", .trailingBytes, 2), ("{}{}", .trailingBytes, 2), ("null\u{0}", .trailingBytes, 4),
            ("[],", .trailingBytes, 2),
            ("0x10", .trailingBytes, 1),

            (#""\a""#, .unknownEscape, 1), (#""\U0041""#, .unknownEscape, 1), (#""\u00g0""#, .unknownEscape, 1),
            (#""\u 041""#, .unknownEscape, 1), ("\"\\u\u{FF11}000\"", .unknownEscape, 1),
            ("\"\\\n\"", .unknownEscape, 1),

            ("\u{FEFF}{}", .byteOrderMark, 0),
        ] as [(String, JSONError.Kind, Int)]
    )
    func `what is no JSON is refused where it goes wrong`(text: String, kind: JSONError.Kind, offset: Int) {
        #expect(refusal(text) == JSONError(kind: kind, offset: offset))
    }

    @Test(arguments: ["//\n1", "/**/1", "[1,/*a*/2]", "[1//\n]", "1#", "{}// end"])
    func `a comment is refused`(text: String) {
        #expect([.unexpectedByte, .trailingBytes].contains(refusal(text)?.kind))
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE2, 0x28, 0xAC], [0xE2, 0x82, 0x28],
            [0xF0, 0x9F, 0x98],
            [0xF0, 0x9F, 0x98, 0x28], [0xF0, 0x9F, 0x28, 0x80], [0xFE], [0xFF],
            // Overlong forms of `/`, NUL, U+07FF and U+FFFF; surrogates; beyond U+10FFFF.
            [0xC0, 0xAF], [0xC1, 0xBF], [0xC0, 0x80], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]]
    )
    func `a string that is not UTF-8 is refused`(bytes: [UInt8]) {
        let error = JSONError(kind: .notUTF8, offset: 2)
        #expect(refusal(Array("\"a".utf8) + bytes + Array("\"".utf8)) == error)
        #expect(refusal(Array("\"a".utf8) + bytes) == error, "nor at the end of the input")
        #expect(refusal(Array("{\"".utf8) + bytes + Array("\":1}".utf8)) == error, "nor as a name")
    }

    @Test(arguments: [
        #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\ud83d""#, #""\ud83d\u0041""#,
        #""\udc00\ud800""#, #""\ude00\ude00""#,
    ])
    func `half of a surrogate pair is refused`(text: String) {
        #expect(refusal(text) == JSONError(kind: .loneSurrogate, offset: 1))
    }

    @Test(arguments: UInt8(0)..<0x20)
    func `a control character in a string is refused`(byte: UInt8) {
        #expect(refusal(Array("\"a".utf8) + [byte, 0x22]) == JSONError(kind: .controlCharacter, offset: 2))
    }

    @Test(arguments: [
        (#"{"a":1,"a":1}"#, 7), (#"{"a":1,"b":2,"\u0061":3}"#, 13), (#"[{"":{},"":0}]"#, 8),
        (#"{"x":{"\ud83d\ude00":1,"😀":2}}"#, 23), ("{\"\u{E9}\":1,\"\u{E9}\":1}", 8),
    ])
    func `a name that comes twice in an object is refused`(text: String, offset: Int) {
        #expect(refusal(text) == JSONError(kind: .duplicateName, offset: offset))
    }

    @Test func `names that only look alike are two, and each object has names of its own`() throws {
        #expect(throws: Never.self) { try read("{\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212B}\":3,\"\u{C5}\":4}") }
        #expect(throws: Never.self) { try read(#"{"a":{"a":1},"b":[{"a":2},{"a":3}],"A":4}"#) }
    }

    @Test(
        arguments: [
            ("1.0", .notWhole), ("0.5", .notWhole), ("-0.0", .notWhole), ("1e2", .notWhole), ("1E400", .notWhole),
            ("0e0", .notWhole),
            ("1.", .notWhole), ("-0", .minusZero), ("00", .leadingZero), ("01", .leadingZero), ("-01", .leadingZero),
            ("-00", .leadingZero), ("9007199254740992", .outOfRange), ("-9007199254740992", .outOfRange),
            ("9223372036854775808", .outOfRange), ("18446744073709551617", .outOfRange),
            ("340282366920938463463374607431768211457", .outOfRange),
        ] as [(String, JSONError.Kind)]
    )
    func `a number that is not whole, or not written as one, is refused`(text: String, kind: JSONError.Kind) {
        #expect(refusal(text) == JSONError(kind: kind, offset: 0))
        #expect(refusal("[0,\(text)]") == JSONError(kind: kind, offset: 3))
    }

    @Test(arguments: [Int64(0), 1, -1, 10, 9_007_199_254_740_991, -9_007_199_254_740_991])
    func `a whole number is read up to the last that a double holds`(number: Int64) throws {
        guard case .integer(number) = try read("\(number)") else {
            Issue.record("not \(number)")
            return
        }
    }

    // RFC 8785, appendix B: of its numbers zero is whole and within our range.
    @Test(arguments: [
        "5e-324", "-5e-324", "1.7976931348623157e+308", "-1.7976931348623157e+308", "9007199254740992",
        "-9007199254740992",
        "295147905179352830000", "9.999999999999997e+22", "1e+23", "1.0000000000000001e+23", "999999999999999700000",
        "999999999999999900000", "1e+21", "9.999999999999997e-7", "0.000001", "333333333.3333332", "333333333.33333325",
        "333333333.3333333", "333333333.3333334", "333333333.33333343", "-0.0000033333333333333333",
        "1424953923781206.2",
    ])
    func `no number of RFC 8785's appendix B but zero is read`(text: String) {
        #expect([.notWhole, .outOfRange].contains(refusal(text)?.kind))
    }

    @Test(arguments: ["[", #"{"a":"#])
    func `what lies too deep is refused, however deep it is`(opening: String) throws {
        let closing = opening == "[" ? "]" : "}"
        let inner = opening == "[" ? "" : "0"
        func text(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + inner + String(repeating: closing, count: depth)
        }
        #expect(refusal(text(32)) == nil)
        #expect(refusal(text(33)) == JSONError(kind: .tooDeep, offset: 32 * opening.utf8.count))
        #expect(refusal(text(100_000)) == JSONError(kind: .tooDeep, offset: 32 * opening.utf8.count))
        #expect(refusal(text(3), depthLimit: 2)?.kind == .tooDeep)
        #expect(refusal(text(1), depthLimit: 0)?.kind == .tooDeep && refusal("1", depthLimit: 0) == nil)
        #expect(refusal(text(JSON.mostDepth), depthLimit: JSON.mostDepth) == nil)
        #expect(refusal(text(100_000), depthLimit: JSON.mostDepth)?.kind == .tooDeep)
    }

    @Test func `what is longer than the caller takes is refused unseen`() {
        #expect(refusal("[1,2]", byteLimit: 5) == nil)
        #expect(refusal("[1,2]", byteLimit: 4) == JSONError(kind: .tooLong, offset: 4))
        #expect(refusal([0xFF], byteLimit: 0) == JSONError(kind: .tooLong, offset: 0))
    }

    enum Body: CaseIterable {
        case numbers, text, escapes, members, space

        var json: String {
            switch self {
            case .numbers: "[" + String(repeating: "0,", count: 100_000) + "0]"
            case .text: "\"" + String(repeating: "é", count: 500_000) + "\""
            case .escapes: "\"" + String(repeating: #"\n"#, count: 100_000) + "\""
            case .members: "{" + (0..<20_000).map { "\"\($0)\":{}" }.joined(separator: ",") + "}"
            case .space: String(repeating: " ", count: 200_000) + "1"
            }
        }
    }

    /// No time is measured: a reader that looks back would take hours.
    @Test(arguments: Body.allCases)
    func `a long body is read in one pass`(body: Body) throws {
        let json = body.json
        #expect(try read(json, byteLimit: 1_000_002).plain.utf8.count == (body == .space ? 1 : json.utf8.count))
    }

    @Test func `a damaged text is read or refused, and stops nothing`() throws {
        var generator = SeededGenerator(seed: 14)
        let text = Array(#"{"a":[1,-20,"x\u00e9\ud83d\ude00é",null],"b":{"c":true}}"#.utf8)
        var refused = 0
        for _ in 0..<20_000 {
            let damaged = generator.mutate(text)
            guard let error = refusal(damaged) else { continue }
            refused += 1
            #expect((0...damaged.count).contains(error.offset))
        }
        #expect(refused > 10_000, "seed 14")
    }
}

extension JSON {
    /// The value with its members in their order.
    var plain: String { text(escaping: JSON.shortestEscape) }
}

func read(_ text: String, byteLimit: Int = 1 << 20, depthLimit: Int = 32) throws(JSONError) -> JSON {
    try JSON(reading: Array(text.utf8), byteLimit: byteLimit, depthLimit: depthLimit)
}

func refusal(_ bytes: [UInt8], byteLimit: Int = 1 << 20, depthLimit: Int = 32) -> JSONError? {
    do throws(JSONError) {
        _ = try JSON(reading: bytes, byteLimit: byteLimit, depthLimit: depthLimit)
        return nil
    } catch { return error }
}

func refusal(_ text: String, byteLimit: Int = 1 << 20, depthLimit: Int = 32) -> JSONError? {
    refusal(Array(text.utf8), byteLimit: byteLimit, depthLimit: depthLimit)
}
