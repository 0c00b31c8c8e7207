package import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Failure {
    /// Creates a failure for a folder that can't be created or is not private to this user.
    fileprivate init(makingFolder error: FileError) {
        switch error {
        case .refused(.wrongOwner):
            self.init(
                .vaultUnsafe,
                Words("a folder belongs to another user", "un dossier appartient à un autre utilisateur"),
                hint: Words(
                    "run the command as that user, without sudo",
                    "lancez la commande en tant que lui, sans sudo"
                )
            )
        case .refused: self.init(.vaultUnsafe)
        case .absent, .taken, .tooLarge, .cutShort, .busy, .system:
            self.init(errno: error.number, Words("a folder can't be made", "un dossier ne peut être créé"))
        }
    }
}

/// Folders that are private to this user.
package enum Folders {
    /// Returns the canonical path from the root; the path unchanged if the file does not exist.
    package static func absolute(_ path: String) -> String {
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// Creates every missing folder above `path`, with mode 0700.
    package static func makeParents(of path: String) throws(Failure) {
        var position = path.startIndex
        while let slash = path[position...].dropFirst().firstIndex(of: "/") {
            do throws(FileError) { try OpenFolder.make(String(path[..<slash])) } catch {
                throw Failure(makingFolder: error)
            }
            position = slash
        }
    }

    /// Refuses a folder that is not private to this user or could not be created; creates nothing.
    ///
    /// - Parameter withParents: whether missing folders above it will be created.
    package static func requirePlace(for path: String, withParents: Bool) throws(FileError) {
        guard isAbsent(path) else { return try FileStatus(of: path).check(.privateFolder) }
        var missing = path
        while isAbsent(OpenFolder.parent(of: missing)) {
            guard withParents else { throw .absent }
            missing = OpenFolder.parent(of: missing)
        }
        try OpenFolder.requireOwner(of: missing)
        guard unsafe access(OpenFolder.parent(of: missing), W_OK | X_OK) == 0 else { throw .system(errno) }
    }

    /// Returns the folders above `path`, with links resolved, that a user other than this one and root owns or can
    /// write: such a user could replace what is in them.
    package static func exposed(above path: String) -> [String] {
        var folder = path
        while isAbsent(folder), folder != OpenFolder.parent(of: folder) { folder = OpenFolder.parent(of: folder) }
        folder = absolute(folder)
        if folder == path { folder = OpenFolder.parent(of: folder) }
        var exposed: [String] = []
        while folder.hasPrefix("/") {
            if let status = try? FileStatus(of: folder), status.isExposed { exposed.append(folder) }
            guard folder != "/" else { break }
            folder = OpenFolder.parent(of: folder)
        }
        return exposed
    }

    /// Creates a private folder with a unique name that starts with `name`.
    package static func makeTemporary(_ name: String, in parent: String = "/tmp") throws(Failure) -> String {
        var template = Array("\(parent)/\(name).XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw Failure(errno: errno, Words("a folder can't be made", "un dossier ne peut être créé"))
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Creates a folder for measurements.
    ///
    /// It is under `TMPDIR` or `/var/tmp`, which is on a disk while `/tmp` is often memory: durable writes must have
    /// their real cost.
    package static func makeForMeasuring(_ name: String) throws(Failure) -> String {
        try makeTemporary(name, in: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp")
    }

    /// Creates a temporary folder under `TMPDIR` or `/tmp`.
    package static func makeScratch(_ name: String) throws(Failure) -> String {
        try makeTemporary(name, in: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")
    }

    /// Returns whether `path` certainly does not exist.
    package static func isAbsent(_ path: String) -> Bool {
        do { _ = try FileStatus(of: path) } catch { return error == .absent }
        return false
    }

    /// Refuses a path for a new file if its folder certainly does not exist.
    package static func requireParent(of path: String) throws(Failure) {
        let folder = OpenFolder.parent(of: path)
        var status = stat()
        // With a trailing slash, a plain file does not count as a folder.
        guard unsafe stat(folder + "/", &status) != 0, errno == ENOENT || errno == ENOTDIR else { return }
        throw Failure(
            .storageUnavailable,
            statement: Words("There is no folder \(folder).", "Il n'y a pas de dossier \(folder)."),
            hint: Words("make it, or name another", "créez-le, ou nommez-en un autre")
        )
    }

    /// Returns the names in a folder; empty if the folder certainly does not exist.
    package static func readableNames(in folder: String) throws(Failure) -> [String] {
        guard unsafe access(folder, R_OK | X_OK) == 0 else {
            if errno == ENOENT { return [] }
            throw Failure(errno: errno, Words("the folder of the keys", "le dossier des clés"))
        }
        return names(in: folder)
    }

    /// Writes a new file that is private to this user.
    package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file: Descriptor
        do throws(FileError) { file = try Descriptor(making: path) } catch {
            throw Failure(errno: error.number, Words("a file can't be made", "fichier impossible à créer"))
        }
        do throws(FileError) { try file.write(bytes) } catch {
            throw Failure(errno: error.number, Words("a file can't be written", "fichier impossible à écrire"))
        }
    }

    /// Removes a folder with its contents.
    package static func remove(_ folder: String) {
        for name in names(in: folder) {
            let path = folder + "/" + name
            if isFolder(path) { remove(path) } else { _ = unsafe unlink(path) }
        }
        _ = unsafe rmdir(folder)
    }

    /// Deletes the files of a folder whose names `isMeant` selects, longest names first, and syncs the folder.
    ///
    /// It tries each file even if one fails; a missing folder is no error.
    package static func delete(in folder: String, _ isMeant: (String) -> Bool) throws(Failure) {
        let names = try readableNames(in: folder).filter(isMeant).sorted { $0.utf8.count > $1.utf8.count }
        guard !names.isEmpty else { return }
        var failure: Int32?
        for name in names where unsafe unlink(folder + "/" + name) != 0 && errno != ENOENT { failure = errno }
        do { try OpenFolder.synchronize(folder) } catch { failure = failure ?? error.number }
        guard let failure else { return }
        throw Failure(errno: failure, Words("a file can't be deleted", "fichier impossible à supprimer"))
    }

    /// Returns the paths of all files below a folder, sorted.
    package static func files(below folder: String) -> [String] {
        names(in: folder).sorted().flatMap { name in
            let path = folder + "/" + name
            return isFolder(path) ? files(below: path) : [path]
        }
    }

    /// Returns the contents of a file; empty if it can't be read.
    package static func contents(of path: String) -> [UInt8] {
        (try? Descriptor(opening: path, .plainFile).contents(upTo: .max - 1)) ?? []
    }

    /// Returns the first bytes of a file, following links; fewer if the file is shorter or can't be read.
    package static func beginning(of path: String, count: Int) -> [UInt8] {
        (try? Descriptor(opening: path, followingLinks: true, .plainFile).bytes(at: 0, count: count)) ?? []
    }

    private static func isFolder(_ path: String) -> Bool { (try? FileStatus(of: path))?.isFolder ?? false }

    /// Returns whether a path leads to a folder, following links.
    package static func leads(toFolder path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func names(in folder: String) -> [String] {
        let demands = Demands(.folder, isOwn: false)
        return (try? OpenFolder(folder, followingLinks: true, demands).names()) ?? []
    }
}
