import ThumbturnCrypto
import ThumbturnRules

extension FprintPrompt {
    /// Digests who is enrolled, so that one more finger or one less shows (A28).
    ///
    /// Readers without a finger of the user's don't count, so one that is plugged in changes nothing; one with fingers that
    /// is pulled out does.
    ///
    /// It sees names, not fingers: fprintd tells of no change, and a finger that is deleted and enrolled again under the same
    /// name, by whoever, leaves the digest as it was. So does a reader of the same name in the place of another.
    ///
    /// - Returns: 32 bytes: the SHA-256 of label · for each reader, sorted: name, count of fingers, names of fingers, sorted.
    /// - Throws: `.notEnrolled` with nobody enrolled, `.hardwareMissing` without a reader, `.readerFailed`.
    func enrolledSet() async throws(DeviceRefusal) -> [UInt8] {
        let set: Result<[UInt8], DeviceRefusal>
        do throws(BusFailure) {
            set = try await enrolledSet(of: fprint.readers())
        } catch {
            throw FprintMeaning(error).refusal
        }
        return try set.get()
    }

    /// The same of readers that have told of their fingers.
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
