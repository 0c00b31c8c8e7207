package import Foundation
import ThumbturnCrypto

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The files of a folder by relative path, which can be restored any number of times.
///
/// It uses system calls, because the crash explorer takes and restores an image half a million times, and Foundation is
/// slower.
package struct FolderImage {
    package let files: [String: Data]
    private let folders: [String]

    /// Returns a digest of every name, and of every byte of the files whose names do not end in `suffix`.
    package func digest(leavingOut suffix: String) -> [UInt8] {
        var hasher = SHA256.Hasher()
        for folder in folders { hasher.update(Array("\(folder)/\0".utf8)) }
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            hasher.update(Array("\(path)\0".utf8))
            guard !path.hasSuffix(suffix) else { continue }
            hasher.update(Array("\(data.count)\0".utf8))
            unsafe data.withUnsafeBytes { unsafe hasher.update($0.bytes) }
        }
        return hasher.finalize()
    }

    /// Reads everything below `root`.
    package init(of root: String) throws {
        var files: [String: Data] = [:]
        var folders: [String] = []
        for path in try Self.paths(below: root) {
            if path.isFolder { folders.append(path.name) } else { files[path.name] = try Self.contents(of: path.full) }
        }
        self.files = files
        self.folders = folders.sorted()
    }

    /// Makes `root` contain these files and nothing else, accessible to its owner alone.
    package func restore(to root: String) throws {
        if unsafe access(root, F_OK) == 0 {
            for path in try Self.paths(below: root).reversed() {
                try check(unsafe path.isFolder ? rmdir(path.full) : unlink(path.full))
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

    private typealias Path = (name: String, full: String, isFolder: Bool)

    /// Returns the paths below `root`, each folder before its contents.
    private static func paths(below root: String, _ prefix: String = "") throws -> [Path] {
        guard let stream = unsafe opendir(root) else { throw CocoaError(.fileReadUnknown) }
        defer { unsafe closedir(stream) }
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { throw CocoaError(.fileReadUnknown) }
        var paths: [Path] = []
        while let entry = unsafe readdir(stream) {
            // Use the entry's address: an entry is shorter than the structure, and must not be copied as a whole.
            let name = unsafe String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
            guard name != ".", name != ".." else { continue }
            let full = root + "/" + name
            var status = stat()
            guard unsafe lstat(full, &status) == 0 else { continue }  // gone meanwhile
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            paths.append((prefix + name, full, isFolder))
            if isFolder { paths += try Self.paths(below: full, prefix + name + "/") }
        }
        return paths
    }

    private static func contents(of path: String) throws -> Data {
        guard let bytes = UnsyncedChanges.contents(of: path) else { throw CocoaError(.fileReadUnknown) }
        return Data(bytes)
    }

    private func check(_ result: Int32) throws { if result < 0 { throw CocoaError(.fileWriteUnknown) } }
}
