package import ThumbturnCrypto

extension SecretBytes {
    /// Copies the contents of a text field.
    ///
    /// The system's field keeps text as it likes, and unwiped copies stay in memory. That can't be avoided for letters;
    /// digits use a `PINEntry` instead.
    package init(typed text: String) {
        let bytes = text.utf8
        unsafe self.init(byteCount: bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
        }
    }
}
