import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A new file that secrets go to in the place of standard output, for this user alone.
///
/// It is made with the first byte: a PIN that is wrong leaves none.
package final class SecretFile: @unchecked Sendable {
    // Safe to send: one command at a time writes.

    /// Where it is.
    package let path: String
    private var file: Descriptor?
    private var count = 0

    /// Names a file that does not exist yet.
    ///
    /// - Throws: `.fileExists` where anything is there, and where its folder is not.
    package init(_ path: String) throws(Failure) {
        try Folders.requireParent(of: path)
        guard Folders.isAbsent(path) else { throw Failure(.fileExists) }
        self.path = path
    }

    /// Writes all of these bytes behind those before.
    func write(_ bytes: RawSpan) throws(Failure) {
        do throws(FileError) {
            if file == nil { file = try Descriptor(making: path) }
            try file?.write(bytes, at: count)
            count += bytes.byteCount
        } catch {
            guard error != .taken else { throw Failure(.fileExists) }
            throw unwritten(error)
        }
    }

    /// Whether a byte was written to it.
    package var isEmpty: Bool { count == 0 }

    /// Waits until all of it would survive power loss; of what fails before, `remove` still takes the file away.
    package func finish() throws(Failure) {
        do throws(FileError) {
            if file == nil { file = try Descriptor(making: path) }
            try file?.synchronize()
            try OpenFolder.synchronize(OpenFolder.parent(of: path))
            file = nil
        } catch {
            throw unwritten(error)
        }
    }

    private func unwritten(_ error: FileError) -> Failure {
        let failure = Failure(errno: error.number, Words(path))
        guard failure.code != .diskFull else { return failure }
        return Failure(
            failure.code,
            statement: Words("The file \(path) can't be written.", "Le fichier \(path) ne peut être écrit."),
            hint: Words("name one in another place", "nommez-en un ailleurs")
        )
    }

    /// Takes it away, where it was made.
    package func remove() {
        guard file.take() != nil else { return }
        _ = unsafe unlink(path)
    }
}
