import Foundation
import ThumbturnCrypto

/// One file of test vectors of our own, `Tests/Vectors/<room>/<source>.json`: its origin, how many cases, the cases.
package struct VectorFile<Case: Decodable>: Decodable {
    /// Where the values come from, with section.
    package let origin: String
    /// How many cases there must be.
    package let count: Int
    /// The cases, at least one.
    package let tests: [Case]

    /// Loads a file below `Tests/Vectors`, and refuses one that is empty or does not hold as many cases as it says.
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

/// One Wycheproof file, read in place: groups of cases.
package struct WycheproofFile<Group: WycheproofGroup>: Decodable {
    /// The groups, unchanged.
    package let testGroups: [Group]
    private let numberOfTests: Int

    /// Loads a file below `wycheproof/`, and refuses it unless it holds exactly `count` cases, as it must say itself.
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

/// A group of Wycheproof cases that share some parameters.
package protocol WycheproofGroup: Decodable {
    /// One case.
    associatedtype Case: Decodable
    /// The cases of this group.
    var tests: [Case] { get }
}

/// Where vectors lie.
package enum VectorFolder {
    private static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Our own facts, part of the project.
    package static let own = checkout.appendingPathComponent("Tests/Vectors").path

    /// Third-party files, which stay outside: the folder that `THUMBTURN_VECTORS` names, and nil where it names none.
    ///
    /// Nothing is looked for elsewhere, and a folder that is named and not there fails the tests that ask for it.
    package static let published = ProcessInfo.processInfo.environment["THUMBTURN_VECTORS"]

    /// Why a test that asks for them is skipped.
    package static let publishedAreMissing = "THUMBTURN_VECTORS names no folder of published vectors"
}

/// Why vectors cannot be used.
package enum VectorError: Error {
    /// The file holds another number of cases than it must.
    case wrongCount(String, expected: Int, found: Int)
    /// There is no folder of third-party vectors.
    case noFolder
    /// The text is not hexadecimal.
    case notHexadecimal(String)
}

/// Bytes that a JSON file writes as hexadecimal text.
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
