package import Foundation
import ThumbturnCrypto

/// A folder's files by their paths below it, to be put back as often as wanted.
///
/// It is put back by the system's own calls: the crash explorer does that half a million times, and Foundation's take longer.
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
        for path in try Self.paths(below: root) {
            if path.isFolder {
                folders.append(path.name)
            } else {
                files[path.name] = try Data(contentsOf: URL(fileURLWithPath: root + "/" + path.name))
            }
        }
        self.files = files
        self.folders = folders.sorted()
    }

    /// Makes `root` hold this and nothing else, open to its owner alone.
    package func restore(to root: String) throws {
        if unsafe access(root, F_OK) == 0 {
            for path in try Self.paths(below: root).reversed() {
                let full = root + "/" + path.name
                try check(unsafe path.isFolder ? rmdir(full) : unlink(full))
            }
            try check(unsafe rmdir(root))
        }
        for folder in [root] + folders.map({ root + "/" + $0 }) { try check(unsafe mkdir(folder, 0o700)) }
        for (path, data) in files {
            let file = unsafe open(root + "/" + path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            try check(file)
            defer { close(file) }
            let written = unsafe data.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard written == data.count else { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// What lies below `root`, a folder before what is in it.
    private static func paths(below root: String) throws -> [(name: String, isFolder: Bool)] {
        try FileManager.default.subpathsOfDirectory(atPath: root).compactMap { name in
            var isFolder: ObjCBool = false
            let isThere = unsafe FileManager.default.fileExists(atPath: root + "/" + name, isDirectory: &isFolder)
            return isThere ? (name, isFolder.boolValue) : nil
        }
    }

    private func check(_ result: Int32) throws {
        if result < 0 { throw CocoaError(.fileWriteUnknown) }
    }
}
