/// Bytes that are overwritten when the last reference is released, on any thread.
///
/// If code has copied the array by then, the bytes stay: wiping them is up to that code.
package final class WipedBytes: @unchecked Sendable {
    // Safe to share: only `deinit` changes the bytes.
    package private(set) var bytes: [UInt8]

    init(_ bytes: consuming [UInt8]) { self.bytes = bytes }

    deinit { bytes.wipe() }
}
