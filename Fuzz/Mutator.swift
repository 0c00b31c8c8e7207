/// A small seeded generator (SplitMix64), so that a failing mutant can be made again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { bound < 1 ? 0 : Int.random(in: 0..<bound, using: &self) }
}

/// Damages bytes as bad disks and clever people do.
struct Mutator {
    enum Damage: CaseIterable {
        case flipBits, setByte, truncate, insert, delete, copyRun, swapRuns, lieAboutLength, swapPages, zeroPage,
            editPage
    }

    var random: SeededGenerator
    /// The size of the pages that a database file is made of; nil where there are none.
    var pageByteCount: Int?

    /// A good sample with one to four injuries.
    mutating func mutant(of sample: [UInt8]) -> [UInt8] {
        var bytes = sample
        for _ in 0...random.below(4) {
            guard !bytes.isEmpty, let damage = Damage.allCases.randomElement(using: &random) else { break }
            apply(damage, to: &bytes)
        }
        return bytes
    }

    private mutating func apply(_ damage: Damage, to bytes: inout [UInt8]) {
        let place = random.below(bytes.count)
        switch damage {
        case .flipBits:
            for _ in 0...random.below(4) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        case .setByte:
            bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, UInt8(random.below(256))][random.below(7)]
        case .truncate:
            bytes.removeLast(bytes.count - place)
        case .insert:
            let run = (0...random.below(16)).map { _ in UInt8(random.below(256)) }
            bytes.insert(contentsOf: run, at: place)
        case .delete:
            bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(16)))
        case .copyRun:
            let run = run(in: bytes)
            overwrite(&bytes, at: place, with: run)
        case .swapRuns:
            let other = random.below(bytes.count)
            let count = min(1 + random.below(64), bytes.count - max(place, other))
            for offset in 0..<count { bytes.swapAt(place + offset, other + offset) }
        case .lieAboutLength:
            lie(in: &bytes, at: place)
        case .swapPages, .zeroPage, .editPage:
            injurePage(damage, of: &bytes)
        }
    }

    private mutating func run(in bytes: [UInt8]) -> [UInt8] {
        let start = random.below(bytes.count)
        return Array(bytes[start..<min(bytes.count, start + 1 + random.below(64))])
    }

    /// Writes a number that a length may be compared with, or added to, in two or four bytes.
    private mutating func lie(in bytes: inout [UInt8], at place: Int) {
        let lies: [UInt32] = [
            0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
            UInt32(truncatingIfNeeded: bytes.count), UInt32(truncatingIfNeeded: bytes.count - place),
        ]
        let lie = lies[random.below(lies.count)] &+ UInt32(random.below(3)) &- 1
        let width = random.below(2) == 0 ? 2 : 4
        overwrite(
            &bytes,
            at: place,
            with: (0..<width).map { UInt8(truncatingIfNeeded: lie >> UInt32(8 * (width - 1 - $0))) }
        )
    }

    /// Swaps or clears whole pages, or edits where a page keeps its type, its cells and its pointers.
    private mutating func injurePage(_ damage: Damage, of bytes: inout [UInt8]) {
        guard let size = pageByteCount, bytes.count >= 2 * size else { return }
        let count = bytes.count / size
        let start = random.below(count) * size
        switch damage {
        case .swapPages:
            let other = random.below(count) * size
            for offset in 0..<size { bytes.swapAt(start + offset, other + offset) }
        case .zeroPage:
            overwrite(&bytes, at: start, with: [UInt8](repeating: 0, count: size))
        default:
            let header = start == 0 ? 100 : 0
            lie(in: &bytes, at: start + header + random.below(24))
        }
    }

    private func overwrite(_ bytes: inout [UInt8], at place: Int, with run: [UInt8]) {
        for (offset, byte) in run.enumerated() where place + offset < bytes.count { bytes[place + offset] = byte }
    }
}
