import Foundation
import Testing

/// The numbers of values in all statements of the service, as its sources have them.
@Suite("Statements") struct StatementTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Sources/Service/ThumbturnService").standardizedFileURL

    /// SQLite takes `$2` for a name, and counts names by where they first occur; PostgreSQL reads the number.
    @Test func `number their values in the order in which they first occur`() throws {
        let enumerator = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in enumerator where file.pathExtension == "swift" {
            for statement in Self.literals(in: try String(contentsOf: file, encoding: .utf8)) {
                let numbers = statement.matches(of: /\$([0-9]+)/).compactMap { Int($0.output.1) }
                var firsts: [Int] = []
                for number in numbers where !firsts.contains(number) { firsts.append(number) }
                #expect(firsts == firsts.indices.map { $0 + 1 }, "\(statement)")
                if !firsts.isEmpty { count += 1 }
            }
        }
        // 51 when this was written: a search that finds far fewer overlooks most.
        #expect(count >= 45)
    }

    /// The string literals of a source, long ones and short ones.
    private static func literals(in source: String) -> [String] {
        let long = /"""([\s\S]*?)"""/
        let short = /"((?:[^"\\\n]|\\.)*)"/
        return source.matches(of: long).map { String($0.output.1) }
            + source.replacing(long, with: "").matches(of: short).map { String($0.output.1) }
    }
}
