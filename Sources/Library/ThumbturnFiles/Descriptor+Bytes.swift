#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

// Every call takes an offset, so that nothing depends on earlier reads or writes.
extension Descriptor {
    /// Reads from an offset until the buffer is full or the file ends.
    ///
    /// - Returns: the number of bytes read.
    package borrowing func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int = 0) throws(FileError) -> Int
    {
        guard let start = buffer.baseAddress else { return 0 }
        var done = 0
        while done < buffer.count {
            let count = unsafe pread(number, start + done, buffer.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(errno: errno) }
            if count == 0 { break }
            done += count
        }
        return done
    }

    /// Reads from the start until the buffer is full.
    ///
    /// - Throws: `.cutShort` when the file ends before; `.system`.
    package borrowing func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(FileError) {
        guard try unsafe read(into: buffer) == buffer.count else { throw .cutShort }
    }

    /// Returns bytes from an offset; fewer at the end of the file.
    package borrowing func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var result: Result<Int, FileError> = .success(0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(FileError) {
                initialized = try unsafe read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                result = .failure(error)
            }
        }
        _ = try result.get()
        return bytes
    }

    /// Reads the whole file, regardless of the length that it reports.
    ///
    /// - Throws: `.tooLarge` above `limit` bytes.
    package borrowing func contents(upTo limit: Int) throws(FileError) -> [UInt8] {
        let chunk = 1 << 16
        var contents: [UInt8] = []
        while contents.count <= limit {
            let more = try bytes(at: contents.count, count: min(chunk, limit - contents.count + 1))
            if more.isEmpty { return contents }
            contents += more
        }
        throw .tooLarge
    }

    /// Reads a system file; it may be a symbolic link owned by root.
    ///
    /// - Throws: `.tooLarge` above `limit` bytes, and any error of opening it.
    package static func contents(ofSystemFile path: String, upTo limit: Int) throws(FileError) -> [UInt8] {
        try Descriptor(opening: path, followingLinks: true, .plainFile).contents(upTo: limit)
    }

    /// Writes all bytes from an offset.
    package borrowing func write(_ bytes: RawSpan, at offset: Int = 0) throws(FileError) {
        try unsafe bytes.withUnsafeBytes { (bytes) throws(FileError) in
            guard let start = bytes.baseAddress else { return }
            var done = 0
            while done < bytes.count {
                let count = unsafe pwrite(number, start + done, bytes.count - done, off_t(offset + done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw FileError(errno: errno) }
                done += count
            }
        }
    }

    /// Writes all bytes from an offset.
    package borrowing func write(_ bytes: [UInt8], at offset: Int = 0) throws(FileError) {
        try bytes.lent { (bytes) throws(FileError) in try write(bytes, at: offset) }
    }
}

extension [UInt8] {
    /// Lends the bytes as a `RawSpan`: the array's own `span` needs newer systems than we support.
    package func lent<R>(_ body: (RawSpan) throws(FileError) -> R) throws(FileError) -> R {
        try unsafe withUnsafeBufferPointer { (bytes) throws(FileError) in
            try unsafe body(UnsafeRawBufferPointer(bytes).bytes)
        }
    }
}
