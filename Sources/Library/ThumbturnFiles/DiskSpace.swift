#if canImport(Glibc)
import Glibc
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

/// The free space on a folder's disk.
package enum DiskSpace {
    /// Returns how many bytes this user may still write there; nil if the system does not say.
    package static func available(in folder: String) -> Int? {
        var status = statvfs()
        guard unsafe statvfs(folder, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
    }
}
