internal import ThumbturnCrypto
internal import ThumbturnFiles

/// Why the file of service keys could not be read or written.
package enum ServiceKeyError: Error, Equatable, Sendable {
    /// The file does not exist.
    ///
    /// If it existed and is lost, so are all accounts.
    case absent
    /// The folder to create it in does not exist.
    case folderMissing
    /// The file already exists.
    case taken
    /// Other users could read or replace it or its folder.
    case unsafeFile
    /// Its contents were not written by this program.
    case damaged
    /// Another process is changing it.
    case busy
    /// The system call failed with this `errno`.
    case system(Int32)
}

/// The file of service keys, with mode 0600 in a private folder, separate from what is copied with the database.
///
/// It has a mark of 16 bytes, then for each key its identifier (8) and the key (32), oldest first. There is only one
/// key, except during a rotation.
package struct ServiceKeyFile: Sendable {
    private static let mark = Array("thumbturn.keys.1".utf8)
    private static let rowByteCount = ServiceKeyIdentifier.byteCount + ServiceKey.byteCount
    private static let maximumCount = 8

    private let folder: String
    private let name: String

    package init(_ path: String) {
        folder = OpenFolder.parent(of: path)
        name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Creates the file with a new key, and its folder if only that is missing.
    ///
    /// - Returns: the key's identifier.
    /// - Throws: `.taken` if anything exists at the path.
    @discardableResult
    package func create() throws(ServiceKeyError) -> ServiceKeyIdentifier {
        let key = try Self.made()
        do throws(FileError) {
            if try OpenFolder.make(self.folder) { try OpenFolder.synchronize(OpenFolder.parent(of: self.folder)) }
        } catch {
            throw error == .absent ? .folderMissing : ServiceKeyError(error)
        }
        try sorted { () throws(FileError) in
            let folder = try OpenFolder(self.folder)
            try folder.lock(within: Self.patience)
            try Self.contents([key]).withBytes { bytes throws(FileError) in try folder.add(bytes, as: name) }
        }
        return key.identifier
    }

    /// Refuses a folder in which no private file can be created; creates nothing.
    ///
    /// - Throws: as `create`.
    package func requirePlace() throws(ServiceKeyError) {
        do throws(FileError) { try OpenFolder.requirePlace(in: folder) } catch {
            throw error == .absent ? .folderMissing : ServiceKeyError(error)
        }
    }

    /// Returns the keys' identifiers, oldest first.
    package func identifiers() throws(ServiceKeyError) -> [ServiceKeyIdentifier] { try load().map(\.identifier) }

    /// Appends a new key.
    ///
    /// It can open values from now on. The database names the key that seals, which a rotation changes.
    ///
    /// - Returns: its identifier.
    @discardableResult
    package func add() throws(ServiceKeyError) -> ServiceKeyIdentifier {
        let key = try Self.made()
        try change { keys in keys.count < Self.maximumCount ? keys + [key] : keys }
        return key.identifier
    }

    /// Removes all keys but one, which must be present.
    package func keepOnly(_ identifier: ServiceKeyIdentifier) throws(ServiceKeyError) {
        try change { keys in keys.filter { $0.identifier == identifier } }
    }

    /// Reads the keys, oldest first.
    func load() throws(ServiceKeyError) -> [ServiceKey] {
        try Self.keys(in: sorted { () throws(FileError) in try contents(in: OpenFolder(folder)) })
    }

    private func contents(in folder: borrowing OpenFolder) throws(FileError) -> SecretBytes {
        let file = try folder.open(name, Demands(.file, hasOneName: true, others: .nothing))
        let limit = Self.mark.count + Self.maximumCount * Self.rowByteCount
        guard file.byteCount <= limit else { throw .tooLarge }
        return unsafe try SecretBytes(byteCount: file.byteCount) { buffer throws(FileError) in
            unsafe try file.fill(buffer)
        }
    }

    private func change(_ change: ([ServiceKey]) -> [ServiceKey]) throws(ServiceKeyError) {
        let folder = try sorted { () throws(FileError) in try OpenFolder(self.folder) }
        try sorted { () throws(FileError) in try folder.lock(within: Self.patience) }
        let former = try sorted { () throws(FileError) in try contents(in: folder) }
        let keys = change(try Self.keys(in: former))
        // A file without keys would lose all accounts.
        guard !keys.isEmpty else { throw .damaged }
        try sorted { () throws(FileError) in
            try Self.contents(keys).withBytes { bytes throws(FileError) in try folder.replace(name, by: bytes) }
        }
    }

    private static let patience: Int64 = 5_000

    private static func made() throws(ServiceKeyError) -> ServiceKey {
        do { return try ServiceKey.make() } catch { throw .system(0) }
    }

    private static func contents(_ keys: [ServiceKey]) -> SecretBytes {
        unsafe SecretBytes(byteCount: mark.count + keys.count * rowByteCount) { buffer in
            unsafe buffer.copyBytes(from: mark)
            for (index, key) in keys.enumerated() {
                let row = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[(mark.count + index * rowByteCount)...])
                unsafe row.copyBytes(from: key.identifier.bytes)
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: row[ServiceKeyIdentifier.byteCount...])
                key.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe place.copyMemory(from: $0) } }
            }
        }
    }

    private static func keys(in contents: borrowing SecretBytes) throws(ServiceKeyError) -> [ServiceKey] {
        try contents.withBytes { bytes throws(ServiceKeyError) in
            let (count, rest) = (bytes.byteCount - mark.count).quotientAndRemainder(dividingBy: rowByteCount)
            guard bytes.byteCount > mark.count, rest == 0, Array(copying: bytes.extracting(0..<mark.count)) == mark
            else { throw .damaged }
            var keys: [ServiceKey] = []
            for index in 0..<count {
                let row = bytes.extracting(droppingFirst: mark.count + index * rowByteCount)
                let name = Array(copying: row.extracting(0..<ServiceKeyIdentifier.byteCount))
                let secret = row.extracting(ServiceKeyIdentifier.byteCount..<rowByteCount)
                // A key with flipped bits has another identifier.
                guard let key = try? ServiceKey(loading: SecretBytes(copying: secret)), key.identifier.bytes == name
                else { throw .damaged }
                keys.append(key)
            }
            return keys
        }
    }

    private func sorted<Result: ~Copyable>(_ call: () throws(FileError) -> Result) throws(ServiceKeyError) -> Result {
        do throws(FileError) { return try call() } catch { throw ServiceKeyError(error) }
    }
}

extension ServiceKeyError {
    fileprivate init(_ error: FileError) {
        self =
            switch error {
            case .absent: .absent
            case .taken: .taken
            case .refused: .unsafeFile
            case .tooLarge, .cutShort: .damaged
            case .busy: .busy
            case .system(let number): .system(number)
            }
    }
}
