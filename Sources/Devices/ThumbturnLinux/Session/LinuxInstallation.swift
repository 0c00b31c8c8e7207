import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// Names this installation of the app: by a file in its folder, and by the machine.
///
/// A missing file is a new installation, and so is a damaged one. The file lies beside the store, so an app that is installed again and still finds
/// its store finds the file too: that is no new installation (A27). A backup that is restored elsewhere brings the file but
/// not the machine's name: that is a new one, and so is a system that was installed anew.
struct LinuxInstallation: Sendable {
    /// The folder of the app; it must not outlive it.
    let folder: String
    /// Where the system keeps the name of the machine.
    var machineFile = "/etc/machine-id"

    private static let file = "installation"

    /// The name: the first 16 bytes of the SHA-256 of label · the file's bytes, which are 16 · the machine's name.
    ///
    /// The machine's name is not for others, so only the digest is (machine-id(5)). Where there is none, the file is all.
    ///
    /// - Throws: `.unavailable` when the file can neither be read nor made, or is not ours alone.
    func name() throws(DeviceRefusal) -> Identifier {
        // Why it can't be read doesn't matter: then the file alone makes the name, which is another.
        let machine = (try? Descriptor.contents(ofSystemFile: machineFile, upTo: 64)) ?? []
        let digest = SHA256.digest(Array("thumbturn/installation/v1".utf8), try drawn(), machine.machineName)
        guard let name = Identifier(bytes: Array(digest[..<16])) else { throw .unavailable }
        return name
    }

    private func drawn() throws(DeviceRefusal) -> [UInt8] {
        let folder = try PrivateFolder(folder)
        if let bytes = try folder.withFiles(stored) { return bytes }
        return try folder.withLock { files throws(DeviceRefusal) in
            // Another process may have made it meanwhile.
            if let bytes = try stored(files) { return bytes }
            let bytes = Identifier.make().bytes
            try files.add(SecretBytes(record: bytes), as: Self.file)
            return bytes
        }
    }

    private func stored(_ files: borrowing PrivateFolder.Opened) throws(DeviceRefusal) -> [UInt8]? {
        do throws(DeviceRefusal) {
            guard let bytes = try files.read(Self.file) else { return nil }
            return bytes.bytes(0..<bytes.byteCount)
        } catch {
            // It stays as it is: what it makes is another name, and that is all that a name is for.
            guard error == .damaged else { throw error }
            return []
        }
    }
}
