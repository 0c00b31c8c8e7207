#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The input that is being tried, in a file that outlives the process that tries it.
@safe final class FlightRecorder {
    private static let capacity = 1 << 20
    private let memory: UnsafeMutableRawPointer

    init(_ path: String) throws {
        let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { _ = close(file) }
        guard file >= 0, ftruncate(file, off_t(Self.capacity)) == 0,
            let memory = unsafe mmap(nil, Self.capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            unsafe memory != MAP_FAILED
        else { throw FuzzError(what: "no recorder at \(path)") }
        unsafe self.memory = unsafe memory
    }

    deinit { unsafe munmap(memory, Self.capacity) }

    func record(_ iteration: Int, _ bytes: [UInt8]) {
        let kept = bytes.prefix(Self.capacity - 16)
        unsafe memory.storeBytes(of: UInt64(iteration), as: UInt64.self)
        unsafe memory.storeBytes(of: UInt64(kept.count), toByteOffset: 8, as: UInt64.self)
        unsafe UnsafeMutableRawBufferPointer(start: memory + 16, count: kept.count).copyBytes(from: kept)
    }

    /// What was tried last.
    var last: (iteration: UInt64, bytes: [UInt8]) {
        let iteration = unsafe memory.load(as: UInt64.self)
        let count = unsafe min(Int(memory.load(fromByteOffset: 8, as: UInt64.self)), Self.capacity - 16)
        return (iteration, unsafe Array(UnsafeRawBufferPointer(start: memory + 16, count: count)))
    }
}
