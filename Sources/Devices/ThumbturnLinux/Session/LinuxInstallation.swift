import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// Names this installation of the app, from a file in its folder and the machine's name.
///
/// A missing or damaged file makes a new installation. The file is in the same folder as the store, so an app that is
/// reinstalled and still has its store has the file too: that is not a new installation (A27). A backup restored on
/// another machine has the file but another machine name: that is a new installation, and so is a reinstalled system.
struct LinuxInstallation: Sendable {
    /// The app's folder; it must be removed with the app.
    let folder: String
    /// The system file with the machine's name.
    var machineFile = "/etc/machine-id"

    private static let file = "installation"

    /// Returns the name: the first 16 bytes of the SHA-256 of label · the file's bytes, which are 16 · the machine's
    /// name.
    ///
    /// The machine's name is confidential, so only its digest is used (machine-id(5)). Without one, the file alone
    /// decides.
    ///
    /// - Throws: `.unavailable` when the file can neither be read nor made, or others can access it.
    func name() throws(DeviceRefusal) -> Identifier {
        // Why it can't be read doesn't matter: the file alone then gives another name.
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
            // Leave the damaged file as it is: it results in another name, as it should.
            guard error == .damaged else { throw error }
            return []
        }
    }
}
