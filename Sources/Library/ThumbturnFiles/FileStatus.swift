#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The system's information about a file or a folder.
package struct FileStatus {
    private let raw: stat

    /// Reads the status of `path`, of a link itself, without opening it.
    package init(of path: String) throws(FileError) { try self.init(of: path, in: AT_FDCWD, followingLinks: false) }

    init(of path: String, in folder: CInt, followingLinks: Bool) throws(FileError) {
        var raw = stat()
        guard unsafe fstatat(folder, path, &raw, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
            throw FileError(errno: errno)
        }
        self.raw = raw
    }

    init(descriptor: CInt) throws(FileError) {
        var raw = stat()
        guard unsafe fstat(descriptor, &raw) == 0 else { throw FileError(errno: errno) }
        self.raw = raw
    }

    /// The length in bytes.
    package var byteCount: Int { Int(raw.st_size) }

    /// The number of its names; 0 once the last one was removed.
    package var nameCount: Int { Int(raw.st_nlink) }

    /// Whether it is a folder.
    package var isFolder: Bool { type == S_IFDIR }
    /// Whether it is a character device, such as `/dev/null`.
    package var isCharacterDevice: Bool { type == S_IFCHR }
    /// Whether it is a symbolic link.
    package var isSymbolicLink: Bool { type == S_IFLNK }

    /// Whether it belongs to this user.
    package var isOwn: Bool { raw.st_uid == geteuid() }

    /// Whether it is a folder in which all users may create names but remove only their own, such as `/tmp`.
    package var keepsNamesApart: Bool { isFolder && raw.st_mode & S_ISVTX != 0 }

    /// Whether a user other than this one and root could replace files in this folder.
    package var isExposed: Bool { (raw.st_uid != 0 && !isOwn) || (raw.st_mode & 0o022 != 0 && !keepsNamesApart) }

    /// The permission bits: the lowest nine bits of its mode.
    var permissions: mode_t { raw.st_mode & 0o777 }

    private var type: mode_t { raw.st_mode & S_IFMT }

    /// Whether both are of the same file, under any name.
    package func isSameFile(as other: FileStatus) -> Bool {
        raw.st_dev == other.raw.st_dev && raw.st_ino == other.raw.st_ino
    }

    /// Whether it was not written since an earlier status, according to the system's clock.
    package func isUnchanged(since other: FileStatus) -> Bool {
        #if canImport(Darwin)
        let (now, before) = (raw.st_mtimespec, other.raw.st_mtimespec)
        #else
        let (now, before) = (raw.st_mtim, other.raw.st_mtim)
        #endif
        return byteCount == other.byteCount && now.tv_sec == before.tv_sec && now.tv_nsec == before.tv_nsec
    }

    /// Throws unless it meets the requirements.
    ///
    /// - Throws: `.refused` with the first flaw, in the order of `FileFlaw`.
    package func check(_ demands: Demands) throws(FileError) {
        guard !isSymbolicLink else { throw .refused(.symbolicLink) }
        switch demands.kind {
        case .file: guard type == S_IFREG else { throw .refused(.notARegularFile) }
        case .folder: guard isFolder else { throw .refused(.notAFolder) }
        }
        guard !demands.hasOneName || raw.st_nlink <= 1 else { throw .refused(.hardLinked) }
        guard !demands.isOwn || isOwn else { throw .refused(.wrongOwner) }
        let refused: mode_t =
            switch demands.others {
            case .anything: 0
            case .readOnly: 0o022
            case .nothing: 0o077
            }
        guard raw.st_mode & refused == 0 else { throw .refused(.wrongMode) }
    }
}
