import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnTestKit

struct AuditSampleIndex: Encodable {
    var origin = "made by AuditSampleTests; keys and events are a test's"
    let count: Int
    let tests: [AuditSample]
}

enum SamplePEM {
    private static let edges = ["-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----"]

    static func text(of bytes: [UInt8]) -> String {
        let text = TextCode.base64.encode(bytes)
        let lines = stride(from: 0, to: text.count, by: 64).map { text[$0...].prefix(64) }
        return ([edges[0]] + lines.map { String(decoding: $0, as: UTF8.self) } + [edges[1], ""]).joined(separator: "\n")
    }

    /// All keys of a file.
    static func keys(in text: String) throws -> [[UInt8]] {
        let parts = text.split(separator: edges[0] + "\n")
        #expect(!parts.isEmpty && parts.allSatisfy { $0.hasSuffix(edges[1] + "\n") })
        return try parts.map { part in
            let code = part.split(separator: "\n").dropLast().joined()
            return try #require(TextCode.base64.decode(Array(code.utf8)))
        }
    }
}

/// `Examples/verify_audit.py`, run by the system's Python.
enum ExamplePython {
    struct Answer: Decodable {
        let exit: Int
        let text: String

        /// The record that it names.
        var record: UInt64? { number(behind: "record ") }
        /// The leaf that it names.
        var leaf: UInt64? { number(behind: "leaf ") }

        private func number(behind name: String) -> UInt64? {
            text.hasPrefix(name) ? UInt64(text.dropFirst(name.count).prefix { $0 != ":" }) : nil
        }
    }

    private static let script = VectorFolder.own + "/../../Examples/verify_audit.py"

    /// Whether it has the package that the example needs.
    static let verifies = (try? run("import cryptography").end) == .exited(0)

    /// Runs the example with each line of arguments, in one process: to load the package takes a third of a second.
    static func verify(_ lines: [[String]]) throws -> [Answer] {
        let program = """
            import contextlib, io, json, runpy, sys
            answers = []
            for line in json.loads(sys.argv[1]):
                sys.argv, told, code = ["verify_audit.py"] + line, io.StringIO(), 0
                with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
                    try: runpy.run_path("\(script)", run_name="__main__")
                    except SystemExit as end: code = end.code
                answers.append({"exit": code, "text": told.getvalue()})
            print(json.dumps(answers))
            """
        let answers = try run(program, String(decoding: JSONEncoder().encode(lines), as: UTF8.self))
        return try JSONDecoder().decode([Answer].self, from: Data(answers.lines.joined().utf8))
    }

    private static func run(_ arguments: String...) throws -> (lines: [String], end: TestChild.End) {
        try TestChild(["-B", "-c"] + arguments, of: "/usr/bin/python3").finish()
    }
}
