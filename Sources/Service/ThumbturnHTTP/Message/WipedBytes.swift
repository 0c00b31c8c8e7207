/// Bytes that are overwritten when the last of their holders lets go of them, on whichever thread that is.
///
/// Who copied the array out holds it by then, and the bytes stay: they are the copier's.
package final class WipedBytes: @unchecked Sendable {
    // Safe to share: the bytes are changed in `deinit` alone.
    package private(set) var bytes: [UInt8]

    init(_ bytes: consuming [UInt8]) { self.bytes = bytes }

    deinit { bytes.wipe() }
}
