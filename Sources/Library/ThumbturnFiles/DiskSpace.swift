#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What the system tells of the disk that a folder lies on.
package enum DiskSpace {
    /// How many bytes this user may still write there; nil where the system does not say.
    package static func available(in folder: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }
}
