import ThumbturnCrypto
import ThumbturnRules

extension FprintPrompt {
    /// Digests the enrolled fingers, so that adding or removing one shows (A28).
    ///
    /// Readers without a finger of the user are left out, so plugging one in changes nothing; unplugging a reader with
    /// fingers does change the digest.
    ///
    /// It sees names, not fingers: fprintd reports no changes, and a finger that anyone deletes and enrols again under
    /// the same name leaves the digest as it was. So does replacing a reader with one of the same name.
    ///
    /// - Returns: 32 bytes: the SHA-256 of label · for each reader, sorted: name, count of fingers, names of fingers,
    ///   sorted.
    /// - Throws: `.notEnrolled` with no finger enrolled, `.hardwareMissing` without a reader, `.readerFailed`.
    func enrolledSet() async throws(DeviceRefusal) -> [UInt8] {
        let set: Result<[UInt8], DeviceRefusal>
        do throws(BusFailure) {
            set = try await enrolledSet(of: fprint.readers())
        } catch {
            throw FprintMeaning(error).refusal
        }
        return try set.get()
    }

    /// Does the same for readers whose fingers have been listed.
    func enrolledSet(of readers: [Fprint.Reader]) async throws(BusFailure) -> Result<[UInt8], DeviceRefusal> {
        var sets: [[String]] = []
        for reader in readers where !reader.fingers.isEmpty {
            sets.append([try await fprint.name(of: reader)] + reader.fingers)
        }
        return Result { () throws(DeviceRefusal) in
            guard !readers.isEmpty else { throw .hardwareMissing }
            guard !sets.isEmpty else { throw .notEnrolled }
            return try Self.digest(of: sets)
        }
    }

    private static func digest(of sets: [[String]]) throws(DeviceRefusal) -> [UInt8] {
        var writer = ByteWriter()
        do {
            try writer.writeString("thumbturn/fingers/v1", maximum: 64)
            for set in sets.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                writer.writeUInt32(UInt32(clamping: set.count))
                for name in set { try writer.writeString(name, maximum: 1_024) }
            }
        } catch {
            throw .readerFailed(afterMismatch: false)
        }
        return SHA256.digest(writer.bytes)
    }
}
