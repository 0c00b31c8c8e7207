internal import ThumbturnCrypto
internal import ThumbturnFiles

/// A small file with a secret, readable by this user only.
struct PrivateFile: Sendable {
    private let folder: String
    private let name: String

    init(_ path: String) {
        folder = OpenFolder.parent(of: path)
        name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Adds the file, and its folder if only that is missing, through to the disk.
    ///
    /// - Throws: `.unreadable`: with `FileError.taken` if anything exists at the path, which stays as it is; with
    ///   `.absent` if the folder above is missing too.
    func add(_ secret: borrowing SecretBytes) throws(SignerError) {
        try sorted(.folder) { () throws(FileError) in
            if try OpenFolder.make(self.folder) { try OpenFolder.synchronize(OpenFolder.parent(of: self.folder)) }
        }
        let folder = try sorted(.folder) { () throws(FileError) in try OpenFolder(self.folder) }
        try sorted(.folder) { () throws(FileError) in try folder.lock(within: Self.patience) }
        try sorted(.key) { () throws(FileError) in
            try secret.withBytes { bytes throws(FileError) in try folder.add(bytes, as: name) }
        }
    }

    /// Returns whether certainly nothing is at the path, and something can be put there.
    ///
    /// - Throws: `.unreadable` if nothing is there and nothing can be put there.
    func isAbsent() throws(SignerError) -> Bool {
        do throws(FileError) {
            _ = try FileStatus(of: folder + "/" + name)
            return false
        } catch {
            guard error == .absent else { throw .unreadable(.key, error) }
        }
        try sorted(.folder) { () throws(FileError) in try OpenFolder.requirePlace(in: folder) }
        return true
    }

    /// Reads the file, from a folder that is private too.
    ///
    /// - Throws: `.keyMissing`, `.damaged` if it is longer than `limit`, `.unreadable`.
    func contents(upTo limit: Int) throws(SignerError) -> SecretBytes {
        let folder: OpenFolder
        do throws(FileError) { folder = try OpenFolder(self.folder) } catch {
            throw error == .absent ? .keyMissing : .unreadable(.folder, error)
        }
        do throws(FileError) {
            return try Self.contents(of: folder.open(name, Self.demands), upTo: limit)
        } catch {
            switch error {
            case .absent: throw .keyMissing
            case .tooLarge, .cutShort: throw .damaged
            default: throw .unreadable(.key, error)
            }
        }
    }

    /// Reads a file from any folder.
    static func contents(at path: String, upTo limit: Int) throws(FileError) -> SecretBytes {
        try contents(of: Descriptor(opening: path, demands), upTo: limit)
    }

    private func sorted<Result: ~Copyable>(
        _ file: SignerFile,
        _ call: () throws(FileError) -> Result
    ) throws(SignerError) -> Result {
        do throws(FileError) { return try call() } catch { throw .unreadable(file, error) }
    }

    private static let demands = Demands(.file, hasOneName: true, others: .nothing)
    private static let patience: Int64 = 5_000

    private static func contents(of file: borrowing Descriptor, upTo limit: Int) throws(FileError) -> SecretBytes {
        guard file.byteCount <= limit else { throw .tooLarge }
        return unsafe try SecretBytes(byteCount: file.byteCount) { buffer throws(FileError) in
            unsafe try file.fill(buffer)
        }
    }
}
