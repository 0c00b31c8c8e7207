import Foundation
import ThumbturnCrypto

/// A file of our own test vectors, `Tests/Vectors/<room>/<source>.json`: its origin, the number of cases, and the
/// cases.
package struct VectorFile<Case: Decodable>: Decodable {
    /// The source of the values, with section.
    package let origin: String
    /// The required number of cases.
    package let count: Int
    /// The cases, at least one.
    package let tests: [Case]

    /// Loads a file below `Tests/Vectors`; refuses one that is empty or has another number of cases than it states.
    package static func load(_ path: String) throws -> VectorFile {
        let file = try JSONDecoder().decode(
            VectorFile.self,
            from: Data(contentsOf: URL(fileURLWithPath: "\(VectorFolder.own)/\(path)"))
        )
        guard !file.tests.isEmpty, file.tests.count == file.count else {
            throw VectorError.wrongCount(path, expected: file.count, found: file.tests.count)
        }
        return file
    }
}

/// A Wycheproof file, read in place: groups of cases.
package struct WycheproofFile<Group: WycheproofGroup>: Decodable {
    /// The groups, unchanged.
    package let testGroups: [Group]
    private let numberOfTests: Int

    /// Loads a file below `wycheproof/`; refuses it unless it has and states exactly `count` cases.
    package static func load(_ name: String, count: Int) throws -> WycheproofFile {
        let folder = try VectorFolder.published.orThrow(VectorError.noFolder)
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/wycheproof/\(name)"))
        let file = try JSONDecoder().decode(WycheproofFile.self, from: data)
        let found = file.testGroups.reduce(0) { $0 + $1.tests.count }
        guard found > 0, found == count, file.numberOfTests == count else {
            throw VectorError.wrongCount(name, expected: count, found: found)
        }
        return file
    }
}

/// A group of Wycheproof cases with common parameters.
package protocol WycheproofGroup: Decodable {
    /// One case.
    associatedtype Case: Decodable
    /// The cases of this group.
    var tests: [Case] { get }
}

/// The folders of vectors.
package enum VectorFolder {
    private static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Our own vectors, part of the project.
    package static let own = checkout.appendingPathComponent("Tests/Vectors").path

    /// Third-party vectors outside of the project: the folder named by `THUMBTURN_VECTORS`; `nil` if it is not set.
    ///
    /// No other place is searched, and if the named folder is missing, the tests that need it fail.
    package static let published = ProcessInfo.processInfo.environment["THUMBTURN_VECTORS"]

    /// Why tests that need them are skipped.
    package static let publishedAreMissing = "THUMBTURN_VECTORS names no folder of published vectors"
}

/// Why vectors cannot be used.
package enum VectorError: Error {
    /// The file has another number of cases than required.
    case wrongCount(String, expected: Int, found: Int)
    /// There is no folder of third-party vectors.
    case noFolder
    /// The text is not hexadecimal.
    case notHexadecimal(String)
}

/// Bytes in hexadecimal text in a JSON file.
package struct HexBytes: Decodable, Sendable {
    /// The bytes.
    package let bytes: [UInt8]

    /// Reads the text of one JSON string.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let bytes = TextCode.hexadecimal.decode(Array(text.utf8)) else {
            throw VectorError.notHexadecimal(text)
        }
        self.bytes = bytes
    }
}

extension Optional {
    fileprivate func orThrow(_ error: any Error) throws -> Wrapped {
        guard let self else { throw error }
        return self
    }
}
