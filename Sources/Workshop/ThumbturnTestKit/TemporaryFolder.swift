import Foundation

/// A folder of its own for one test, closed to others, and gone with the value.
package final class TemporaryFolder: Sendable {
    /// Where it lies, without a trailing slash.
    package let path: String

    /// - Parameter inMemory: puts it where files live in memory, if there is such a place, so that thousands of syncs
    ///   cost little.
    package init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isThere ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
        let url = parent.appendingPathComponent("thumbturn-\(UUID().uuidString)")
        let closed: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false, attributes: closed)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where a file of this folder lies.
    package func file(_ name: String) -> String { path + "/" + name }

    package func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Every file below, by its path from here.
    package func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let type = try FileManager.default.attributesOfItem(atPath: file(name))[.type] as? FileAttributeType
            if type == .typeRegular { files[name] = try read(name) }
        }
        return files
    }
}
