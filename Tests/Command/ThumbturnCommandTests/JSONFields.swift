import Foundation
import Testing
import ThumbturnConsole

/// The fields that `docs/json.md` has for each command, and those that were seen.
struct JSONFields {
    /// A field's path, such as `slots[].kind`, and the kinds of value that it may have.
    typealias Fields = [String: Set<String>]

    private static let failure = "A failure"
    /// The page's section for each command.
    private var sections: [String: String] = [:]
    private var documented: [String: Fields] = [:]
    private var seen: [String: Set<String>] = [:]

    init() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/json.md")
        var section = ""
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("## ") {
                section = String(line.dropFirst(3))
                for command in Self.quoted(in: line) + [section] { sections[command] = section }
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.split(separator: " ").joined(separator: " ") }
            guard cells.count == 5, cells[1].hasPrefix("`") else { continue }
            let types = cells[2].split(separator: ", ")
            for (index, field) in Self.quoted(in: cells[1]).enumerated() {
                let type = types.count == 1 ? types[0] : types[index]
                documented[section, default: [:]][field] = Set(type.split(separator: " or ").map(String.init))
            }
        }
    }

    /// Holds an object that a command printed against the page.
    mutating func take(_ printed: String, of command: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    {
        let object = try JSON(reading: Array(printed.utf8), byteLimit: 1 << 20)
        let section = try #require(sections[command], "\(command)", sourceLocation: sourceLocation)
        for (path, type) in Self.fields(of: object) {
            let name = documented[section]?[path] == nil ? Self.failure : section
            let isAllowed = documented[name]?[path]?.contains(type) == true
            #expect(isAllowed, "\(command): \(path) is \(type)", sourceLocation: sourceLocation)
            seen[name, default: []].insert(path)
        }
    }

    /// What the page has of these commands, or of all, and nothing printed.
    func unseen(of commands: [String]? = nil) -> [String] {
        Set((commands ?? Array(sections.keys)).compactMap { sections[$0] }).sorted().flatMap { section in
            (documented[section] ?? [:]).keys.filter { !(seen[section]?.contains($0) ?? false) }.sorted()
                .map { "\(section): \($0)" }
        }
    }

    private static func quoted(in text: some StringProtocol) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static func fields(of value: JSON, at path: String = "") -> [(String, String)] {
        switch value {
        case .null: [(path, "null")]
        case .bool: [(path, "bool")]
        case .integer: [(path, "number")]
        case .string: [(path, "text")]
        case .array(let elements): [(path, "list")] + elements.flatMap { fields(of: $0, at: path + "[]") }
        case .object(let members):
            (path.isEmpty || path.hasSuffix("[]") ? [] : [(path, "object")])
                + members.flatMap { fields(of: $0.1, at: path.isEmpty ? $0.0 : path + "." + $0.0) }
        }
    }
}
