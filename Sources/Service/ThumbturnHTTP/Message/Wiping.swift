import CTLS

extension [UInt8] {
    /// Overwrites the bytes, if they are not shared, and frees their memory.
    mutating func wipe() {
        unsafe withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe tls_wipe(start, bytes.count)
        }
        self = []
    }

    /// Appends a byte, and overwrites the old memory if the bytes have to move.
    mutating func appendWiping(_ byte: UInt8) {
        if count < capacity { append(byte) } else { appendWiping(CollectionOfOne(byte)) }
    }

    /// Appends bytes, and overwrites the old memory if the bytes have to move.
    mutating func appendWiping(_ bytes: some Collection<UInt8>) {
        let needed = count + bytes.count
        if needed > capacity {
            var larger: [UInt8] = []
            larger.reserveCapacity(Swift.max(needed, 2 * capacity))
            larger += self
            wipe()
            self = larger
        }
        self += bytes
    }
}
