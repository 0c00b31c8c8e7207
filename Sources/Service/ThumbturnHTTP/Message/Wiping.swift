import CTLS

extension [UInt8] {
    /// Overwrites the bytes where nothing else holds them, and gives their memory back.
    mutating func wipe() {
        unsafe withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe tls_wipe(start, bytes.count)
        }
        self = []
    }

    /// Appends one byte, and overwrites the former place where the bytes have to move.
    mutating func appendWiping(_ byte: UInt8) {
        if count < capacity { append(byte) } else { appendWiping(CollectionOfOne(byte)) }
    }

    /// Appends, and overwrites the former place where the bytes have to move.
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
