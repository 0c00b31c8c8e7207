#if os(Linux)
import Dispatch
import Glibc

@testable import ThumbturnCrypto

/// A secret that the test itself keeps only in disguise, so that finding it in memory means something.
struct MaskedSecret {
    private static let mask: UInt64 = 0x5aa5_c33c_9669_0ff0
    fileprivate let masked: [UInt8]

    static func make(_ byteCount: Int = 32) -> MaskedSecret { MaskedSecret(masked: RandomBytes.make(byteCount)) }

    private init(masked: [UInt8]) { self.masked = masked }

    /// Disguises the bytes of a secret, one at a time.
    init(of secret: borrowing SecretBytes) {
        masked = secret.withBytes { bytes in
            (0..<bytes.byteCount).map {
                unsafe bytes.unsafeLoad(fromByteOffset: $0, as: UInt8.self) ^ Self.maskByte($0)
            }
        }
    }

    /// The same bytes, the last first.
    var reversed: MaskedSecret {
        let count = masked.count
        return MaskedSecret(
            masked: (0..<count).map { masked[count - 1 - $0] ^ Self.maskByte(count - 1 - $0) ^ Self.maskByte($0) }
        )
    }

    /// Unmasks into guarded memory, byte by byte.
    func load() -> SecretBytes {
        unsafe SecretBytes(byteCount: masked.count) { unsafe unmask(into: $0) }
    }

    func unmask(into buffer: UnsafeMutableRawBufferPointer) {
        for index in masked.indices {
            unsafe buffer[index] = masked[index] ^ Self.maskByte(index)
        }
    }

    private static func maskByte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: mask >> UInt64(index % 4 * 8)) }

    /// Counts the places in this process's writable memory that hold 8 bytes of the secret from a multiple of 4, or of 8 where
    /// it is a number of hundreds of bytes.
    ///
    /// Any 12 bytes of the secret in a row contain such 8, and any 15 of a number: a vector register that was saved does.
    func traces() -> Int {
        let step = masked.count > 64 ? 8 : 4
        return MemoryScan.count(of: stride(from: 0, through: masked.count - 8, by: step).map(window))
    }

    fileprivate struct Window {
        let masked: UInt64
        let mask: UInt64
        /// A byte to search for first, that is not 0 like most of memory, and where it is.
        let anchor: UInt8
        let anchorOffset: Int
    }

    private func window(at start: Int) -> Window {
        var value: UInt64 = 0
        var mask: UInt64 = 0
        for index in (0..<8).reversed() {
            value = value << 8 | UInt64(masked[start + index])
            mask = mask << 8 | UInt64(Self.maskByte(start + index))
        }
        let offset = (0..<8).first { masked[start + $0] != Self.maskByte(start + $0) } ?? 0
        return Window(
            masked: value,
            mask: mask,
            anchor: masked[start + offset] ^ Self.maskByte(start + offset),
            anchorOffset: offset
        )
    }
}

/// Reads all writable memory of this process.
private enum MemoryScan {
    private static let chunk = 1 << 20

    static func count(of windows: [MaskedSecret.Window]) -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        // Memory of its own, which the scan leaves out: here every secret in memory passes by.
        guard
            let buffer = unsafe mmap(nil, chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe buffer != MAP_FAILED
        else { return -1 }
        defer { unsafe munmap(buffer, chunk) }
        let excluded = UInt(bitPattern: buffer)..<(UInt(bitPattern: buffer) + UInt(chunk))

        var found = 0
        for range in writableRanges() {
            var start = range.lowerBound
            while start + 8 <= range.upperBound {
                var end = min(start + UInt(chunk), range.upperBound)
                if excluded.contains(start) {
                    start = excluded.upperBound
                    continue
                }
                if start < excluded.lowerBound { end = min(end, excluded.lowerBound) }
                let length = unsafe pread(memory, buffer, Int(end - start), off_t(start))
                if length >= 8 {
                    found += unsafe matches(of: windows, in: UnsafeRawBufferPointer(start: buffer, count: length))
                }
                // Overlap, so that a match across two chunks is not missed.
                start = end == range.upperBound || end == excluded.lowerBound ? end : end - 7
            }
        }
        return found
    }

    private static func matches(of windows: [MaskedSecret.Window], in bytes: UnsafeRawBufferPointer) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var found = 0
        for window in windows {
            var start = window.anchorOffset
            let end = bytes.count - 8 + window.anchorOffset
            while start <= end, let hit = unsafe memchr(base + start, Int32(window.anchor), end - start + 1) {
                let offset = unsafe UnsafeRawPointer(hit) - base - window.anchorOffset
                let value = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                if value ^ window.mask == window.masked { found += 1 }
                start = offset + window.anchorOffset + 1
            }
        }
        return found
    }

    private static func writableRanges() -> [Range<UInt>] {
        linesOfFile("/proc/self/maps").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 2)
            guard fields.count == 3, fields[1].hasPrefix("rw") else { return nil }
            return addressRange(fields[0])
        }
    }
}

/// What the kernel says about locking.
enum LockedMemory {
    /// Whether the mapping around `address` carries the flag `lo` in `/proc/self/smaps`.
    static func contains(_ address: UnsafeMutableRawPointer) -> Bool {
        let address = UInt(bitPattern: address)
        var isInside = false
        for line in linesOfFile("/proc/self/smaps") {
            let fields = line.split(separator: " ")
            if let range = fields.first.flatMap({ addressRange($0) }) { isInside = range.contains(address) }
            if isInside, fields.first == "VmFlags:" { return fields.contains("lo") }
        }
        return false
    }
}

private func addressRange(_ field: Substring) -> Range<UInt>? {
    let ends = field.split(separator: "-").compactMap { UInt($0, radix: 16) }
    return ends.count == 2 ? ends[0]..<ends[1] : nil
}

private func linesOfFile(_ path: String) -> [String] {
    guard let file = unsafe fopen(path, "r") else { return [] }
    defer { unsafe fclose(file) }
    var lines: [String] = []
    var buffer = [CChar](repeating: 0, count: 4096)
    while unsafe fgets(&buffer, Int32(buffer.count), file) != nil {
        lines.append(String(decoding: buffer.prefix { $0 > 0 && $0 != 10 }.map(UInt8.init), as: UTF8.self))
    }
    return lines
}

/// A thread that has run something and now waits, so that its stack lies still while the test looks at it.
final class PausedThread {
    private let done = DispatchSemaphore(value: 0)
    private let release = DispatchSemaphore(value: 0)
    private let work: () -> Void
    private var thread = pthread_t()

    /// Returns when `work` has run on the new thread.
    init(after work: @escaping () -> Void) {
        self.work = work
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pthread_create(&thread, nil, { unsafe PausedThread.run($0) }, context)
        done.wait()
    }

    private static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context = unsafe context else { return nil }
        let thread = unsafe Unmanaged<PausedThread>.fromOpaque(context).takeUnretainedValue()
        thread.work()
        thread.done.signal()
        thread.release.wait()
        return nil
    }

    func finish() {
        release.signal()
        pthread_join(thread, nil)
    }
}
#endif
