import Glibc
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Names this installation of the app: by a file in its folder, and by the machine.
///
/// A missing file is a new installation. A backup that is restored elsewhere brings the file and not the machine's name, so
/// that is one too, as is a system that was installed anew.
struct LinuxInstallation: Sendable {
    /// The folder of the app; it must not outlive it.
    let folder: String
    /// Where the system keeps the name of the machine.
    var machineFile = "/etc/machine-id"

    private static let file = "installation"

    /// The name: the first 16 bytes of the SHA-256 of label · the file's 16 bytes · the machine's name.
    ///
    /// The machine's name is not for others, so only the digest is (machine-id(5)). Where there is none, the file is all.
    ///
    /// - Throws: `.unavailable` when the file can neither be read nor made, or is not ours alone.
    func name() throws(DeviceRefusal) -> Identifier {
        let machine = SmallFile.contents(of: machineFile, upTo: 64) ?? []
        let digest = SHA256.digest(Array("thumbturn/installation/v1".utf8), try drawn(), machine)
        guard let name = Identifier(bytes: Array(digest[..<16])) else { throw .unavailable }
        return name
    }

    private func drawn() throws(DeviceRefusal) -> [UInt8] {
        let path = folder + "/" + Self.file
        // A second time, because another process may make it first.
        for _ in 1...2 {
            if let bytes = try stored(at: path) { return bytes }
            try make(path)
        }
        throw .unavailable
    }

    private func stored(at path: String) throws(DeviceRefusal) -> [UInt8]? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .unavailable
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
            let bytes = SmallFile.contents(of: path, upTo: 16, flags: O_NOFOLLOW), bytes.count == 16
        else { throw .unavailable }
        return bytes
    }

    /// Makes the file, whole or not at all; one that is there by now stays.
    private func make(_ path: String) throws(DeviceRefusal) {
        let draft = path + "." + Identifier.random().text
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .unavailable }
        defer { unsafe unlink(draft) }
        let bytes = Identifier.random().bytes
        let written = unsafe write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        // A link, unlike a new name, does not overwrite.
        guard written, unsafe link(draft, path) == 0 || errno == EEXIST else { throw .unavailable }
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .unavailable }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw .unavailable }
    }
}
