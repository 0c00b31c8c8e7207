#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension FaultyDisk {
    /// What a power failure does to unsynced changes.
    package enum UnsyncedFate: Hashable, Sendable {
        case none
        case all
        /// Each 512-byte sector, file length, creation and deletion reverts to any earlier state since the last sync,
        /// chosen by a generator with this seed.
        case torn(seed: UInt64)
    }
}

/// The changes to one file that a power failure could undo, oldest first.
struct UnsyncedChanges {
    enum Change {
        /// `count` bytes at `offset` were written or, by a truncation, removed.
        ///
        /// `old` is the former contents, shorter if the file ended earlier; `length` is the former length of the file.
        case overwritten(offset: Int, count: Int, old: [UInt8], length: Int)
        case created
        case deleted(old: [UInt8])

        fileprivate var concernsName: Bool {
            switch self {
            case .overwritten: false
            case .created, .deleted: true
            }
        }
    }

    private static let sectorByteCount = 512
    private var changes: [Change] = []

    mutating func append(_ change: Change) { changes.append(change) }

    /// Makes the file's creations and deletions so far permanent.
    mutating func keepNames() {
        guard let last = changes.lastIndex(where: \.concernsName) else { return }
        changes.removeSubrange(...last)
    }

    /// Puts the file at `path` into the state that a power failure leaves.
    func losePower(at path: String, keeping fate: FaultyDisk.UnsyncedFate, salt: UInt64) {
        let before = Self.contents(of: path)
        switch fate {
        case .all:
            return
        case .none:
            Self.replace(path, with: undo(changes[...], in: before))
        case .torn(let seed):
            var generator = SplitMix(state: seed &* 0x9e37_79b9_7f4a_7c15 &+ salt)
            // Creations and deletions happen in order; between them, each sector is independent.
            let names = changes.indices.filter { changes[$0].concernsName }
            let kept = Int.random(in: 0...names.count, using: &generator)
            let end = kept < names.count ? names[kept] : changes.count
            let start = kept > 0 ? names[kept - 1] + 1 : 0
            let contents = undo(changes[end...], in: before)
            Self.replace(path, with: contents.map { tear(changes[start..<end], in: $0, using: &generator) })
        }
    }

    private func undo(_ changes: ArraySlice<Change>, in contents: [UInt8]?) -> [UInt8]? {
        var contents = contents
        for change in changes.reversed() {
            switch change {
            case .created:
                contents = nil
            case .deleted(let old):
                contents = old
            case .overwritten(let offset, _, let old, let length):
                var bytes = contents ?? []
                bytes.resize(to: max(length, offset + old.count))
                bytes.replaceSubrange(offset..<offset + old.count, with: old)
                bytes.resize(to: length)
                contents = bytes
            }
        }
        return contents
    }

    /// Reverts each sector and the length to any of their former states.
    private func tear(_ changes: ArraySlice<Change>, in contents: [UInt8], using generator: inout SplitMix) -> [UInt8] {
        var bytes = contents
        var lengths = [contents.count]
        var firstUndone: [Int: Int] = [:]
        for (index, change) in zip(changes.indices, changes).reversed() {
            guard case .overwritten(let offset, let count, let old, let length) = change else { continue }
            lengths.append(length)
            bytes.resize(to: max(bytes.count, length, offset + count))
            for sector in offset / Self.sectorByteCount..<(offset + count + Self.sectorByteCount - 1)
                / Self.sectorByteCount
            {
                let first =
                    firstUndone[sector] ?? Int.random(in: changes.startIndex...changes.endIndex, using: &generator)
                firstUndone[sector] = first
                guard index >= first else { continue }
                let start = max(offset, sector * Self.sectorByteCount)
                let end = min(offset + count, (sector + 1) * Self.sectorByteCount)
                for position in start..<end {
                    bytes[position] = position - offset < old.count ? old[position - offset] : 0
                }
            }
        }
        bytes.resize(to: lengths[Int.random(in: lengths.indices, using: &generator)])
        return bytes
    }

    /// Reads a file that no connection has open; returns `nil` if it does not exist.
    static func contents(of path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var status = stat()
        precondition(unsafe fstat(descriptor, &status) == 0)
        let count = Int(status.st_size)
        // All threads share one empty array, so filling it would be a race.
        guard count > 0 else { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            initializedCount = unsafe max(0, read(descriptor, buffer.baseAddress, count))
        }
    }

    private static func replace(_ path: String, with contents: [UInt8]?) {
        guard let contents else {
            _ = unsafe unlink(path)
            return
        }
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == ENOENT { return }  // a test removed the whole folder
        defer { _ = close(descriptor) }
        precondition(unsafe write(descriptor, contents, contents.count) == contents.count, "cannot rewrite \(path)")
    }
}

extension [UInt8] {
    fileprivate mutating func resize(to newCount: Int) {
        if newCount < count {
            removeLast(count - newCount)
        } else {
            append(contentsOf: repeatElement(0, count: newCount - count))
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): the same seed always tears the same way.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
