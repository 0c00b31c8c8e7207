import Testing
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct SecretLinesTests {
    private static let limit = 20
    private static let line = Question(label: Words("Line"), limit: limit, tooLong: .usage)
    private static let pin = Question(label: Words("PIN"), limit: 64, tooLong: .secretMalformed)

    @Test(
        arguments: [
            ("", []), ("a\n", ["a"]), ("a\r\nb", ["a", "b"]), ("\n\nb\n", ["", "", "b"]), ("a\n\r", ["a"]),
            // One line is as long as it may be, and each block ends elsewhere in a line.
            (
                "aaaaaaaaaaaaaaaaaaaa\r\nbbb\ncccccccccccccccccccc\nddddd",
                [
                    "aaaaaaaaaaaaaaaaaaaa", "bbb", "cccccccccccccccccccc", "ddddd",
                ]
            ),
        ]
    )
    func `lines come whole and in order, however the blocks lie`(text: String, expected: [String]) throws {
        let pipe = try Pipe(text)
        let lines = try SecretLines(of: pipe.secrets(asking: Questions(then: .moreLines)), Self.line)
        #expect(try all(lines) == expected)
        #expect(try !lines.next())
    }

    @Test func `many lines come as they were given`() throws {
        let given = (0..<500).map { String(repeating: "x", count: $0 % (Self.limit + 1)) }
        let pipe = try Pipe(given.map { $0 + "\n" }.joined())
        let lines = try SecretLines(of: pipe.secrets(asking: Questions(then: .moreLines)), Self.line)
        #expect(try all(lines) == given)
    }

    @Test(arguments: ["", "\n", "\r\n", "xyz"])
    func `a line that is too long is refused, and those before it are not`(end: String) throws {
        let pipe = try Pipe("a\n" + String(repeating: "b", count: Self.limit + 1) + end)
        let lines = try SecretLines(of: pipe.secrets(asking: Questions(then: .moreLines)), Self.line)
        #expect(try lines.next())
        let refused = #expect(throws: Failure.self) { try lines.next() }
        #expect(refused?.code == .usage)
    }

    @Test func `what is behind the answers is left to who reads next`() throws {
        let pipe = try Pipe("1234\nfirst\nsecond\n")
        let secrets = try pipe.secrets(asking: Questions(Self.pin, then: .moreLines))
        let pin = try secrets.read(Self.pin)
        #expect(pin.withBytes { Self.text($0) } == "1234")
        #expect(pipe.rest() == "first\nsecond\n")
    }

    @Test func `lines that are not all there yet are waited for`() async throws {
        let pipe = try Pipe("a\nbb", isWhole: false)
        let lines = try SecretLines(of: pipe.secrets(asking: Questions(then: .moreLines)), Self.line)
        #expect(try lines.next())
        #expect(lines.withLine { Self.text($0) } == "a")
        pipe.end(with: "b\nc")
        #expect(try all(lines) == ["bbb", "c"])
    }

    private func all(_ lines: SecretLines) throws -> [String] {
        var all: [String] = []
        while try lines.next() { all.append(lines.withLine { Self.text($0) }) }
        return all
    }

    private static func text(_ bytes: RawSpan) -> String {
        unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

/// A pipe with something in it, as `--secret-fd` names one.
private final class Pipe {
    private var ends: [Int32] = [-1, -1]

    init(_ text: String, isWhole: Bool = true) throws {
        try #require(unsafe pipe(&ends) == 0)
        put(text)
        if isWhole { close() }
    }

    deinit {
        close()
        _ = systemClose(ends[0])
    }

    func secrets(asking questions: Questions) throws -> SecretInput {
        let hints = Hints(unwritten: Words(""), complete: { $0 }, hint: { _ in Words("") })
        let output = Output(of: "test", environment: Environment(values: [:]), isJSON: false, hints: hints)
        return try SecretInput(descriptor: ends[0], asking: questions, output: output)
    }

    func end(with text: String) {
        put(text)
        close()
    }

    /// What nobody has read.
    func rest() -> String {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(ends[0], &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        let count = unsafe write(ends[1], bytes, bytes.count)
        #expect(count == bytes.count)
    }

    private func close() {
        if ends[1] >= 0 { _ = systemClose(ends[1]) }
        ends[1] = -1
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
