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
    /// - Throws: `.fileExists` where anything is there.
    package init(_ path: String) throws(Failure) {
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
            throw Failure(errno: error.number, Words("the file can't be written", "le fichier ne peut être écrit"))
        }
    }

    /// Waits until all of it would survive power loss.
    package func finish() throws(Failure) {
        do throws(FileError) {
            if file == nil { file = try Descriptor(making: path) }
            try file?.synchronize()
            file = nil
            try OpenFolder.synchronize(OpenFolder.parent(of: path))
        } catch {
            throw Failure(errno: error.number, Words("the file can't be written", "le fichier ne peut être écrit"))
        }
    }

    /// Takes it away, where it was made.
    package func remove() {
        guard file.take() != nil else { return }
        _ = unsafe unlink(path)
    }
}
