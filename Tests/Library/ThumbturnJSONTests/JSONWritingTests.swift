import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnJSON

@Suite struct JSONWritingTests {
    @Test func `members keep the order in which they were given`() {
        let value: JSON = ["b": 1, "a": .array([.null, .bool(false), JSON("x"), JSON(nil as String?)])]
        #expect(value.plain == #"{"b":1,"a":[null,false,"x",null]}"#)
    }

    @Test func `each byte of a string is escaped as the caller says`() {
        let value: JSON = ["a": "b"]
        #expect(value.text { $0 == UInt8(ascii: "a") ? "<>" : nil } == #"{"<>":"b"}"#)
        #expect(JSON.numbered(0x0F) == #"\u000f"# && JSON.numbered(0x9A) == #"\u009a"#)
    }

    // RFC 8785 §3.2.2.2 and §3.2.3: its own samples.
    @Test(arguments: [
        (##""\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/""##, ##""€$\u000f\nA'B\"\\\\\"/""##),
        (
            #"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#,
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"\u{1F600}\":\"Emoji: Grinning Face\",\"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
        ),
        (
            #" { "literals" : [ null, true , false ], "b":{}, "a":[] } "#,
            #"{"a":[],"b":{},"literals":[null,true,false]}"#
        ),
        (#""\b\u007f""#, "\"\\b\u{7F}\""),
    ])
    func `the canonical form is RFC 8785's`(text: String, canonical: String) throws {
        #expect(try read(text).canonical() == Array(canonical.utf8))
    }

    @Test func `every control character has its shortest form`() throws {
        let short: [UInt8: String] = [8: #"\b"#, 9: #"\t"#, 10: #"\n"#, 12: #"\f"#, 13: #"\r"#]
        for number in UInt8(0)..<0x20 {
            let value = JSON.string(String(Unicode.Scalar(number)))
            let written = short[number] ?? (number < 16 ? #"\u000"# : #"\u00"#) + String(number, radix: 16)
            #expect(try value.canonical() == Array("\"\(written)\"".utf8))
        }
    }

    @Test func `names are sorted by their UTF-16 units at every depth, and nothing else is`() throws {
        let value: JSON = .array([
            ["b": ["\u{FFFF}": 1, "\u{10000}": 2], "": .array([3, 1, 2]), "ab": 4, "a": 5], JSON(0),
        ])
        let expected = "[{\"\":[3,1,2],\"a\":5,\"ab\":4,\"b\":{\"\u{10000}\":2,\"\u{FFFF}\":1}},0]"
        #expect(try value.canonical() == Array(expected.utf8))
    }

    @Test func `what has no canonical form is refused`() throws {
        #expect(throws: JSONError.Kind.outOfRange) { try JSON.array([.integer(1 << 53)]).canonical() }
        #expect(throws: JSONError.Kind.outOfRange) { try JSON.integer(.min).canonical() }
        #expect(throws: JSONError.Kind.duplicateName) { try (["b": ["a": 1, "b": 2, "a": 1]] as JSON).canonical() }
        let lookAlike: JSON = ["e\u{301}": 1, "\u{E9}": 2]
        #expect(try lookAlike.canonical() == Array("{\"e\u{301}\":1,\"\u{E9}\":2}".utf8))
    }

    @Test(arguments: UInt64(1)...200)
    func `what was written is read as the same`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let value = JSON.random(depth: 4, &generator)
        let canonical = try value.canonical()
        let read = try JSON(reading: canonical, byteLimit: canonical.count)
        #expect(try read.canonical() == canonical, "seed \(seed)")
        #expect(read.plain == String(decoding: canonical, as: UTF8.self), "sorted members stay sorted, seed \(seed)")
        #expect(try JSON(reading: Array(value.plain.utf8), byteLimit: .max).plain == value.plain, "seed \(seed)")
    }

    @Test(
        .enabled(if: VectorFolder.published != nil, "\(VectorFolder.publishedAreMissing)"),
        arguments: ["arrays", "french", "structures", "unicode", "values", "weird"]
    )
    func `json-canonicalization: its documents of whole numbers have its form, the others are refused`(
        name: String
    ) throws {
        let folder = try #require(VectorFolder.published) + "/jcs"
        let text = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/input/\(name).json"))
        guard !["structures", "values"].contains(name) else {
            #expect(refusal(Array(text))?.kind == .notWhole, "56.0, and 333333333.33333329")
            return
        }
        let output = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/output/\(name).json"))
        #expect(try JSON(reading: Array(text), byteLimit: 1 << 20).canonical() == Array(output))
        #expect(try JSON(reading: Array(output), byteLimit: 1 << 20).canonical() == Array(output))
    }
}

extension JSON: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }

    /// A value of every kind, with names that Swift takes for equal.
    fileprivate static func random(depth: Int, _ generator: inout SeededGenerator) -> JSON {
        switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &generator) {
        case 0: .null
        case 1: .bool(Bool.random(using: &generator))
        case 2:
            .integer(Int64.random(in: wholeNumbers, using: &generator) >> Int64.random(in: 0...53, using: &generator))
        case 3: .string(randomText(&generator))
        case 4: .array((0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, &generator) })
        default:
            .object(
                Set((0..<Int.random(in: 0..<5, using: &generator)).map { _ in Array(randomText(&generator).utf8) })
                    .sorted { $0.count < $1.count }
                    .map { (String(decoding: $0, as: UTF8.self), random(depth: depth - 1, &generator)) }
            )
        }
    }

    private static func randomText(_ generator: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = [
            "\u{0}", "\u{8}", "\n", "\u{1F}", "\"", "\\", "/", "a", "e", "\u{301}", "\u{7F}", "\u{85}", "\u{E9}",
            "\u{2028}",
            "\u{D7FF}", "\u{E000}", "\u{FB33}", "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{10FFFF}",
        ]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<6, using: &generator) {
            text.append(scalars[Int.random(in: 0..<scalars.count, using: &generator)])
        }
        return String(text)
    }
}
