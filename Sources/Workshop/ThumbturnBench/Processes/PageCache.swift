import Glibc

/// The kernel's cache of files.
enum PageCache {
    private static let path = "/proc/sys/vm/drop_caches"

    static var canBeEmptied: Bool { unsafe access(path, W_OK) == 0 }

    static func empty() {
        sync()
        let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, "3", 1)
        close(file)
    }
}
