import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

/// A new file for this user alone that appears whole, through to the disk, or not at all.
package struct NewFile: Sendable {
    /// The file's path.
    package let path: String

    /// Names a file that does not exist yet.
    ///
    /// - Throws: `.fileExists` if the path exists, and a failure if its folder does not.
    package init(_ path: String) throws(Failure) {
        try Folders.requireParent(of: path)
        guard Folders.isAbsent(path) else { throw Failure(.fileExists) }
        self.path = path
    }

    /// Creates it with these bytes.
    ///
    /// - Throws: `.fileExists` if the path exists by now; why the disk refused.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        // Use a unique name: a file of another name is not ours to remove. A crash leaves the draft behind.
        let number = String(decoding: TextCode.hexadecimal.encode(RandomBytes.make(8)), as: UTF8.self)
        let draft = "thumbturn-\(number).partial"
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        do throws(FileError) {
            let demands = Demands(.folder, isOwn: false)
            let folder = try OpenFolder(OpenFolder.parent(of: path), draft: draft, followingLinks: true, demands)
            do throws(FileError) {
                try bytes.lent { (bytes) throws(FileError) in try folder.add(bytes, as: name) }
            } catch {
                try? folder.remove(draft)
                throw error
            }
        } catch {
            throw error == .taken ? Failure(.fileExists) : Failure(writing: path, error)
        }
    }
}
