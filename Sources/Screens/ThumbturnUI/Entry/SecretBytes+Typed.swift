import ThumbturnCrypto

extension SecretBytes {
    /// Copies what was typed into a text field.
    ///
    /// The system's field keeps text as it likes, and copies of it stay in memory that nobody wipes. That can't be helped
    /// where letters are typed; digits go to a `PINEntry` instead.
    init(typed text: String) {
        let bytes = text.utf8
        unsafe self.init(byteCount: bytes.count) { buffer in
            for (index, byte) in bytes.enumerated() { unsafe buffer[index] = byte }
        }
    }
}
