import Darwin
import Foundation
import ThumbturnCrypto
import ThumbturnRules

/// The clocks of Apple's systems: wall time, and the continuous clock, which includes sleep.
///
/// `CLOCK_UPTIME_RAW` and `ProcessInfo.systemUptime` stop during sleep, so neither is used (A17).
final class AppleClock: Sendable {
    private let inferred: InferredBoot

    init(folder: AppleFolder) { inferred = InferredBoot(folder: folder) }

    func reading() -> ClockReading {
        let wall = Self.milliseconds(clock_gettime_nsec_np(CLOCK_REALTIME))
        let continuous = Self.milliseconds(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
        let boot = Self.bootSession ?? inferred.boot(wall: wall, continuous: continuous)
        return ClockReading(wall: wall, boottime: continuous, bootID: boot)
    }

    private static func milliseconds(_ nanoseconds: UInt64) -> Milliseconds {
        Milliseconds(Int64(clamping: nanoseconds / 1_000_000))
    }

    /// The system's name for this boot, hashed to the length of an identifier; nil if the app's sandbox hides it.
    private static var bootSession: Identifier? {
        var text = [UInt8](repeating: 0, count: 64)
        var count = text.count
        let status = unsafe sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0)
        guard status == 0, count > 16, count <= text.count else { return nil }
        return Identifier(bytes: Array(SHA256.digest(Array(text[..<count]))[..<16]))
    }
}

/// Names boots if the system does not, by the difference between wall clock and continuous clock, constant within a
/// boot.
///
/// Another difference means a boot or a changed clock, and both require the strong factor; so does a process that could
/// not read or write the last value. Within one process there is one boot, and a changed clock shows as such. In a wait
/// such a name counts as `BootName.inferred`: changing the clock gives a new name, but does not shorten the wait.
final class InferredBoot: @unchecked Sendable {
    // Safe to share: `lock` guards the one variable.
    private let lock = NSLock()
    private var known: Known?
    private let folder: AppleFolder

    private static let file = "boot"

    private struct Known {
        var name: Identifier
        var offset: Milliseconds
        var continuous: Milliseconds
    }

    init(folder: AppleFolder) { self.folder = folder }

    func boot(wall: Milliseconds, continuous: Milliseconds) -> Identifier {
        lock.withLock {
            let name = Identifier.inferredBoot(Identifier.make().low)
            var now = Known(name: name, offset: wall - continuous, continuous: continuous)
            if let known {
                // The continuous clock only goes back at a boot.
                guard continuous + TimeRelation.tolerance < known.continuous else { return known.name }
            } else if let last = stored, continuous + TimeRelation.tolerance >= last.continuous,
                (now.offset - last.offset).magnitude <= TimeRelation.tolerance(over: continuous - last.continuous)
            {
                now.name = last.name
            }
            known = now
            store(now)
            return now.name
        }
    }

    private var stored: Known? {
        guard let bytes = try? folder.read(Self.file) else { return nil }
        var reader = ByteReader(bytes)
        guard bytes.count == 32, let name = try? reader.readFixed(16), let offset = try? reader.readInt64(),
            let continuous = try? reader.readInt64()
        else { return nil }
        return Identifier(bytes: name).map {
            // The name is an inferred one, whatever the file says.
            Known(name: .inferredBoot($0.low), offset: Milliseconds(offset), continuous: Milliseconds(continuous))
        }
    }

    private func store(_ boot: Known) {
        var writer = ByteWriter()
        writer.writeFixed(boot.name.bytes)
        writer.writeInt64(boot.offset.count)
        writer.writeInt64(boot.continuous.count)
        try? folder.write(writer.bytes, to: Self.file)
    }
}
