import Glibc
import ThumbturnFiles

/// Whether the clock that counts since the boot is the machine's own: a time namespace may shift it.
///
/// Where users may make namespaces, anyone can make one, not only the superuser, and start a command in it.
struct TimeNamespace: Sendable {
    /// Whether boot time can be measured with: nothing shifts it, as far as the kernel tells.
    let isBelieved: Bool

    /// Reads what the kernel tells of a process; one that knows no time namespaces has no file for them.
    init(of processFolder: String = "/proc/self") {
        let offsets = processFolder + "/timens_offsets"
        guard unsafe access(offsets, F_OK) == 0 || errno != ENOENT else {
            isBelieved = true
            return
        }
        // The offsets are those of its children: in a process that has left for a new namespace they are not its own.
        let own = Self.target(of: processFolder + "/ns/time")
        isBelieved =
            own == Self.target(of: processFolder + "/ns/time_for_children")
            && (try? Descriptor.contents(ofSystemFile: offsets, upTo: 1_024)).map(Self.hasNoShift) ?? false
    }

    /// Each line is a clock's name, seconds and nanoseconds.
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
