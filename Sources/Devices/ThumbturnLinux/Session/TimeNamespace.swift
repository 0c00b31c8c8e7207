import Glibc
import ThumbturnFiles

/// Whether the clock since boot is the machine's own: a time namespace may shift it.
///
/// Where users may create namespaces, any user, not only root, can create one and start a command in it.
struct TimeNamespace: Sendable {
    /// Whether boot time can be trusted: according to the kernel nothing shifts it.
    let isBelieved: Bool

    /// Reads the kernel's files about a process; they are missing on a kernel without time namespaces.
    init(of processFolder: String = "/proc/self") {
        let offsets = processFolder + "/timens_offsets"
        guard unsafe access(offsets, F_OK) == 0 || errno != ENOENT else {
            isBelieved = true
            return
        }
        // The offsets are those of its children: after `unshare` they do not apply to the process itself.
        let own = Self.target(of: processFolder + "/ns/time")
        isBelieved =
            own == Self.target(of: processFolder + "/ns/time_for_children")
            && (try? Descriptor.contents(ofSystemFile: offsets, upTo: 1_024)).map(Self.hasNoShift) ?? false
    }

    /// Checks the boot-time line; each line is a clock's name, seconds and nanoseconds.
    private static func hasNoShift(_ text: [UInt8]) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).contains { line in
            let fields = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let isBoottime = fields.first.map { $0.elementsEqual("boottime".utf8) } ?? false
            return isBoottime && fields.count == 3 && fields.dropFirst().allSatisfy { $0.elementsEqual("0".utf8) }
        }
    }

    private static func target(of link: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return -1 }
            return unsafe readlink(link, start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
