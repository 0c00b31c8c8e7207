package import Foundation
import ThumbturnCrypto

/// A folder's files by their paths below it, to be put back as often as wanted.
package struct FolderImage {
    package let files: [String: Data]
    private let folders: [String]

    /// The digest of every name and every byte.
    package var digest: [UInt8] {
        var hasher = SHA256.Hasher()
        for folder in folders { hasher.update(Array("\(folder)/\0".utf8)) }
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            hasher.update(Array("\(path)\0\(data.count)\0".utf8))
            hasher.update(Array(data))
        }
        return hasher.finalize()
    }

    /// Reads everything below `root`.
    package init(of root: String) throws {
        var files: [String: Data] = [:]
        var folders: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: root) {
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
            guard isThere else { continue }
            if isFolder.boolValue {
                folders.append(path)
            } else {
                files[path] = try Data(contentsOf: URL(fileURLWithPath: root + "/" + path))
            }
        }
        self.files = files
        self.folders = folders.sorted()
    }

    /// Makes `root` hold this and nothing else, open to its owner alone.
    package func restore(to root: String) throws {
        let manager = FileManager.default
        if manager.fileExists(atPath: root) { try manager.removeItem(atPath: root) }
        for folder in [root] + folders.map({ root + "/" + $0 }) {
            try manager.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        for (path, data) in files {
            guard
                manager.createFile(
                    atPath: root + "/" + path,
                    contents: data,
                    attributes: [.posixPermissions: 0o600]
                )
            else { throw CocoaError(.fileWriteUnknown) }
        }
    }
}
