#if canImport(Glibc)
import Glibc
import Testing
import ThumbturnTestKit

private let areOffered =
    (try? MemoryScan.lines(of: "/sys/kernel/mm/transparent_hugepage/enabled"))?.first?.contains("[never]") == false

/// The `mmap` of a program that stretches PINs, which this one is linked with.
@Suite(.enabled(if: areOffered)) struct HugePagesTests {
    /// Whether the system was asked for huge pages for memory that was taken as libsodium takes it.
    private func asks(forByteCount count: Int, protection: Int32 = PROT_READ | PROT_WRITE) throws -> Bool {
        let flags = Int32(MAP_PRIVATE) | Int32(MAP_ANONYMOUS) | Int32(MAP_POPULATE)
        let start = unsafe mmap(nil, count, protection, flags, -1, 0)
        defer { unsafe munmap(start, count) }
        let address = UInt(bitPattern: start)
        let maps = try MemoryScan.lines(of: "/proc/self/smaps")
        // Neighbours of the same kind are one mapping.
        let mapping = try #require(
            maps.firstIndex { line in
                let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                return bounds.count == 2 && bounds[0] <= address && address < bounds[1]
            }
        )
        let flagged = try #require(maps[mapping...].first { $0.hasPrefix("VmFlags:") })
        let isAsked = flagged.split(separator: " ").contains("hg")
        if isAsked { #expect(address % (2 << 20) == 0) }
        return isAsked
    }

    @Test(arguments: [19, 64, 255]) func `what Argon2id fills lies in huge pages`(mebibytes: Int) throws {
        #expect(try asks(forByteCount: mebibytes << 20))
    }

    @Test func `a small block lies where the system puts it, and so does one that is only reserved`() throws {
        #expect(try !asks(forByteCount: 15 << 20))
        #expect(try !asks(forByteCount: 64 << 20, protection: PROT_NONE))
    }
}
#endif
