package import Foundation
import ThumbturnCrypto

/// A folder's files by their paths below it, to be put back as often as wanted.
///
/// By the system's own calls: the crash explorer puts a folder back half a million times, and Foundation's take twice as long.
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
                continue
            }
            do {
                files[path.name] = try Data(contentsOf: URL(fileURLWithPath: root + "/" + path.name))
            } catch CocoaError.fileReadNoSuchFile {}  // It went meanwhile.
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
        var found: [(name: String, isFolder: Bool)] = []
        var folders = [""]
        while let folder = folders.popLast() {
            guard let stream = unsafe opendir(root + "/" + folder) else { throw CocoaError(.fileReadUnknown) }
            defer { unsafe closedir(stream) }
            while let entry = unsafe readdir(stream) {
                let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != ".." else { continue }
                let isFolder = unsafe Int(entry.pointee.d_type) == Int(DT_DIR)
                found.append((folder + name, isFolder))
                if isFolder { folders.append(folder + name + "/") }
            }
        }
        return found
    }

    private func check(_ result: Int32) throws {
        if result < 0 { throw CocoaError(.fileWriteUnknown) }
    }
}
