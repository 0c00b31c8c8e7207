import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A new file that receives secrets instead of standard output, readable by this user alone.
///
/// It is created with the first byte: a wrong PIN leaves no file.
package final class SecretFile: @unchecked Sendable {
    // Safe to send: one command at a time writes.

    /// The file's path.
    package let path: String
    private var file: Descriptor?
    private var count = 0

    /// Names a file that does not exist yet.
    ///
    /// - Throws: `.fileExists` if the path exists, and a failure if its folder does not.
    package init(_ path: String) throws(Failure) {
        try Folders.requireParent(of: path)
        guard Folders.isAbsent(path) else { throw Failure(.fileExists) }
        self.path = path
    }

    func write(_ bytes: RawSpan) throws(Failure) {
        do throws(FileError) {
            if file == nil { file = try Descriptor(making: path) }
            try file?.write(bytes, at: count)
            count += bytes.byteCount
        } catch {
            guard error != .taken else { throw Failure(.fileExists) }
            throw Failure(writing: path, error)
        }
    }

    /// Whether nothing has been written to it.
    package var isEmpty: Bool { count == 0 }

    /// Waits until all of it is on disk; if that fails, `remove` still deletes the file.
    package func finish() throws(Failure) {
        do throws(FileError) {
            if file == nil { file = try Descriptor(making: path) }
            try file?.synchronize()
            try OpenFolder.synchronize(OpenFolder.parent(of: path))
            file = nil
        } catch {
            throw Failure(writing: path, error)
        }
    }

    /// Deletes the file, if it was created.
    package func remove() {
        guard file.take() != nil else { return }
        _ = unsafe unlink(path)
    }
}

extension Failure {
    /// Creates a failure for a file, named by the user, that can't be written.
    init(writing path: String, _ error: FileError) {
        self.init(errno: error.number, Words(path))
        guard code != .diskFull else { return }
        self.init(
            code,
            statement: Words("The file \(path) can't be written.", "Le fichier \(path) ne peut être écrit."),
            hint: Words("name a file somewhere else", "nommez un fichier ailleurs")
        )
    }
}
