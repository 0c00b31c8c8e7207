import Glibc

/// Files of a few bytes.
enum SmallFile {
    /// What a file holds; nil when it can't be read or is longer than `limit` bytes.
    static func contents(of path: String, upTo limit: Int, flags: Int32 = 0) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress.map { unsafe $0 + count }, $0.count - count)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return count <= limit ? Array(bytes[..<count]) : nil
    }
}
