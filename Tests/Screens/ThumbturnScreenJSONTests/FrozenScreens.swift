import Foundation
import Testing
import ThumbturnJSON
import ThumbturnTestKit

/// A folder of samples, each a line of JSON in its canonical form: what a host in another language is written against.
///
/// Once a version is released its samples are added to, never made anew:
/// `THUMBTURN_FREEZE_SCREENS=1 swift test --filter SampleTests` writes those that are not there.
struct FrozenScreens {
    private let folder: String

    /// - Parameter name: the folder's name in `Tests/Vectors`.
    init(_ name: String) { folder = "\(VectorFolder.own)/\(name)/" }

    /// Expects that the folder has these samples, and no others.
    func expect(_ made: [String: JSON]) throws {
        let lines = try made.mapValues(Self.line)
        if ProcessInfo.processInfo.environment["THUMBTURN_FREEZE_SCREENS"] != nil { try write(lines) }
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == Set(lines.keys.map { $0 + ".json" })
        )
        for (name, bytes) in lines {
            let frozen = try String(contentsOfFile: "\(folder)\(name).json", encoding: .utf8)
            #expect(String(decoding: bytes, as: UTF8.self) == frozen, "\(name)")
        }
    }

    /// - Returns: the bytes of a sample, without the end of the line.
    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)\(name).json")).dropLast())
    }

    private func write(_ lines: [String: [UInt8]]) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in lines {
            let path = "\(folder)\(name).json"
            guard !FileManager.default.fileExists(atPath: path) else { continue }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    /// - Returns: the canonical form, which is the only one that is written.
    private static func line(_ json: JSON) throws -> [UInt8] {
        let bytes = try json.canonical()
        #expect(Array(json.wireText.utf8) == bytes)
        return bytes + [UInt8(ascii: "\n")]
    }
}

extension JSON {
    var plainText: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var elements: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }
}
