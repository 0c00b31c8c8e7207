/// What a log does with an upload, from where the chain stands; it is pure, so that every case can be explored.
///
/// The records of an upload continue one another, which was checked before: if one of them is the record that the log
/// has in its place, so are all before it.
enum IngestRule {
    /// What an upload brings, as far as it matters here.
    struct Upload: Hashable, Sendable {
        /// The `seq` of its first record.
        let first: UInt64
        /// What its first record continues.
        let link: [UInt8]
        /// The hash of each record, at least one.
        let hashes: [[UInt8]]

        /// The `seq` of its last record.
        var last: UInt64 { first + UInt64(hashes.count) - 1 }

        /// What the record with this `seq` continues, which is `first` to `last` + 1.
        fileprivate func link(of seq: UInt64) -> [UInt8] { seq == first ? link : hashes[Int(seq - first) - 1] }
    }

    /// What is to be done.
    enum Verdict: Hashable, Sendable {
        /// The log has all of it: the answer is that of the first time.
        case known
        /// The log takes the records from this `seq` on, and has those before.
        case append(from: UInt64)
        /// Records before these are missing.
        case gap
        /// A record up to this `seq` is another one than the log's, or continues another.
        case fork(at: UInt64)
    }

    /// Judges an upload.
    ///
    /// - Parameters:
    ///   - next: the `seq` that continues the chain.
    ///   - head: what a record with this `seq` has to continue.
    ///   - isEnded: whether the chain was forked before.
    ///   - stored: returns the hash of the log's record with a `seq` below `next`.
    static func judge<E: Error>(
        _ upload: Upload,
        next: UInt64,
        head: [UInt8],
        isEnded: Bool,
        stored: (UInt64) throws(E) -> [UInt8]
    ) throws(E) -> Verdict {
        guard upload.first <= next else { return isEnded ? .fork(at: next) : .gap }
        guard upload.last + 1 >= next else {
            let isSame = try stored(upload.last) == upload.hashes[upload.hashes.count - 1]
            return isSame ? .known : .fork(at: upload.last)
        }
        guard upload.link(of: next) == head else { return .fork(at: max(next, upload.first + 1) - 1) }
        guard upload.last >= next else { return .known }
        return isEnded ? .fork(at: next) : .append(from: next)
    }
}
