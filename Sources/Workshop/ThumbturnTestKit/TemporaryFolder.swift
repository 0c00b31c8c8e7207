import Foundation

/// A private folder for one test, deleted with the object.
package final class TemporaryFolder: Sendable {
    /// Its path, without a trailing slash.
    package let path: String

    /// - Parameter inMemory: whether to create it on a file system in memory, if there is one, so that thousands of
    ///   syncs cost little.
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

    /// Returns the path of a file in this folder.
    package func file(_ name: String) -> String { path + "/" + name }

    package func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: file(name))))
    }

    package func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    }

    /// Returns every file below the folder, by relative path.
    package func files() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let type = try FileManager.default.attributesOfItem(atPath: file(name))[.type] as? FileAttributeType
            if type == .typeRegular { files[name] = try read(name) }
        }
        return files
    }
}
