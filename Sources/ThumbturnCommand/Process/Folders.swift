import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Folders for this user alone.
enum Folders {
    /// Makes every missing folder above `path`, mode 0700.
    static func makeParents(of path: String) throws(Failure) {
        var position = path.startIndex
        while let slash = path[position...].dropFirst().firstIndex(of: "/") {
            guard unsafe mkdir(String(path[..<slash]), 0o700) == 0 || errno == EEXIST || errno == EISDIR else {
                throw Failure(errno: errno, Text("a folder can't be made", "un dossier ne peut être créé"))
            }
            position = slash
        }
    }

    /// Whether it is certain that nothing is at `path`.
    static func isAbsent(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) != 0 && errno == ENOENT
    }

    /// The names in a folder; none where it is certain that there is no folder.
    static func readableNames(in folder: String) throws(Failure) -> [String] {
        guard unsafe access(folder, R_OK | X_OK) == 0 else {
            if errno == ENOENT { return [] }
            throw Failure(errno: errno, Text("the folder of the keys", "le dossier des clés"))
        }
        return names(in: folder)
    }

    /// Writes a new file for this user alone.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(errno: errno, Text("a file can't be made", "fichier impossible à créer")) }
        defer { _ = close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                #if canImport(Glibc)
                unsafe Glibc.write(file, buffer.baseAddress, buffer.count)
                #else
                unsafe Darwin.write(file, buffer.baseAddress, buffer.count)
                #endif
            }
            guard count > 0 else {
                throw Failure(errno: errno, Text("a file can't be written", "fichier impossible à écrire"))
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Removes a folder with all that is in it.
    static func remove(_ folder: String) {
        for name in names(in: folder) {
            let path = folder + "/" + name
            if isFolder(path) { remove(path) } else { _ = unsafe unlink(path) }
        }
        _ = unsafe rmdir(folder)
    }

    /// Deletes the files of a folder whose names `isMeant` picks, longer names first, through to the disk.
    ///
    /// Each is tried; where there is no folder, nothing is to be deleted.
    static func delete(in folder: String, _ isMeant: (String) -> Bool) throws(Failure) {
        let names = try readableNames(in: folder).filter(isMeant).sorted { $0.utf8.count > $1.utf8.count }
        guard !names.isEmpty else { return }
        var failure: Int32?
        for name in names where unsafe unlink(folder + "/" + name) != 0 && errno != ENOENT { failure = errno }
        let opened = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if opened < 0 || fsync(opened) != 0 { failure = failure ?? errno }
        if opened >= 0 { close(opened) }
        guard let failure else { return }
        throw Failure(errno: failure, Text("a file can't be deleted", "fichier impossible à supprimer"))
    }

    /// Every file below a folder, in the order of their paths.
    static func files(below folder: String) -> [String] {
        names(in: folder).sorted().flatMap { name in
            let path = folder + "/" + name
            return isFolder(path) ? files(below: path) : [path]
        }
    }

    /// What a file holds; nothing where it can't be read.
    static func contents(of path: String) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = unsafe read(file, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
