import ThumbturnCrypto

extension [UInt8] {
    var hexadecimal: String { String(decoding: TextCode.hexadecimal.encode(self), as: UTF8.self) }

    var base64: String { String(decoding: TextCode.base64.encode(self), as: UTF8.self) }
}

extension SecretBytes {
    /// Copies bytes from a request, which have also been in memory outside our control.
    init(public bytes: [UInt8]) { unsafe self.init(copying: bytes.span.bytes) }

    /// Copies bytes that are no secret of the service: a name, or an envelope.
    borrowing func copiedBytes() -> [UInt8] {
        withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } }
    }
}
