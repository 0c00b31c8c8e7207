import CTSS2
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Identifies a counter or chain: an index in the owner's range, and a mark, both from a digest of its purpose.
///
/// Neither is kept in a file, so no file can refer to another counter.
struct TPMCounterKey: Hashable, Sendable {
    let firstIndex: UInt32
    let mark: [UInt8]

    /// How many indices from the first are tried: other programs may have taken some.
    static let window: UInt32 = 8
    private static let range: (first: UInt32, mask: UInt32) = (0x0180_0000, 0x003F_FFFF)

    /// - Parameters:
    ///   - purpose: `epoch`, `parts`, `credentials`, `chain`.
    ///   - name: of the object that it counts for.
    init(purpose: String, name: String) {
        let digest = SHA256.digest(Array("thumbturn.v1.linux-counter\0\(purpose)\0\(name)".utf8))
        let number = digest[..<4].reduce(0) { $0 << 8 | UInt32($1) } & Self.range.mask
        self.init(firstIndex: Self.range.first + min(number, Self.range.mask - Self.window), mark: digest)
    }

    init(firstIndex: UInt32, mark: [UInt8]) {
        self.firstIndex = firstIndex
        self.mark = mark
    }
}

struct TPMCounter {
    let handle: ESYS_TR
    /// Whether it was ever raised; a TPM refuses to read one that was not.
    let isWritten: Bool
}

/// A digest in the TPM: it can be extended, but never set.
struct TPMChain {
    let handle: ESYS_TR
    /// Whether it was ever extended; a TPM refuses to read one that was not.
    let isWritten: Bool
}

private enum IndexKind {
    case counter, chain

    var attributes: TPMA_NV {
        TPMA_NV(TPMA_NV_OWNERWRITE | TPMA_NV_AUTHWRITE | TPMA_NV_OWNERREAD | TPMA_NV_AUTHREAD | TPMA_NV_NO_DA)
            | (self == .counter ? tpm_nv_counter : tpm_nv_extend)
    }

    var byteCount: UInt16 { self == .counter ? 8 : UInt16(SHA256.byteCount) }
}

// Counters in the TPM's memory. They only rise; one that is removed and made again starts above all earlier values.
extension TPMContext {

    /// Whether the owner hierarchy has a password, so that no counter can be made or removed.
    func ownerHasPassword() throws(TPMFailure) -> Bool {
        guard let state = try properties(from: tpm_pt_permanent, count: 1)[tpm_pt_permanent] else { throw .malformed }
        return state & UInt32(TPMA_PERMANENT_OWNERAUTHSET) != 0
    }

    /// Finds a counter; nil when the TPM has none with that mark.
    func counter(_ key: TPMCounterKey) throws(TPMFailure) -> TPMCounter? { try find(key, .counter) }

    private func find(_ key: TPMCounterKey, _ kind: IndexKind) throws(TPMFailure) -> TPMCounter? {
        // Try its usual place first; listing the taken indices is a command of its own.
        do {
            if let found = try find(key, kind, at: key.firstIndex) { return found }
        } catch {
            guard error.known == .noSuchHandle else { throw error }
        }
        for index in try takenIndices(of: key) where index != key.firstIndex {
            if let found = try find(key, kind, at: index) { return found }
        }
        return nil
    }

    /// Returns what is at an index; nil if it belongs to another program.
    private func find(_ key: TPMCounterKey, _ kind: IndexKind, at index: UInt32) throws(TPMFailure) -> TPMCounter? {
        var handle = noSession
        try check(unsafe Esys_TR_FromTPMPublic(esys, index, noSession, noSession, noSession, &handle))
        guard let known = try known(handle)?.area else { return nil }
        var (area, offset) = (TPMS_NV_PUBLIC(), 0)
        guard unsafe Tss2_MU_TPMS_NV_PUBLIC_Unmarshal(known, known.count, &offset, &area) == 0, offset == known.count
        else { throw .malformed }
        guard bytes(of: area.authPolicy.buffer, count: area.authPolicy.size) == key.mark else { return nil }
        // An index with our mark that can be set freely is a trap: reject it.
        let isWritten = area.attributes & TPMA_NV(TPMA_NV_WRITTEN) != 0
        guard area.attributes & ~TPMA_NV(TPMA_NV_WRITTEN) == kind.attributes else { throw .malformed }
        return TPMCounter(handle: handle, isWritten: isWritten)
    }

    /// Makes a counter, not yet raised; it needs the owner's authorisation, which must be empty.
    func define(_ key: TPMCounterKey) throws(TPMFailure) -> TPMCounter { try define(key, .counter) }

    private func define(_ key: TPMCounterKey, _ kind: IndexKind) throws(TPMFailure) -> TPMCounter {
        let taken = try takenIndices(of: key)
        let window = key.firstIndex..<key.firstIndex + TPMCounterKey.window
        guard let index = window.first(where: { !taken.contains($0) }) else { throw .gaveUp }
        var (authorisation, area) = (TPM2B_AUTH(), TPM2B_NV_PUBLIC())
        area.nvPublic.nvIndex = index
        area.nvPublic.nameAlg = UInt16(TPM2_ALG_SHA256)
        area.nvPublic.attributes = kind.attributes
        area.nvPublic.dataSize = kind.byteCount
        // No attribute lets this policy authorise anything, so its field can hold the counter's mark.
        area.nvPublic.authPolicy.size = UInt16(key.mark.count)
        fill(&area.nvPublic.authPolicy.buffer, key.mark)
        var handle = noSession
        try check(
            unsafe Esys_NV_DefineSpace(
                esys,
                ESYS_TR(ESYS_TR_RH_OWNER),
                ESYS_TR(ESYS_TR_PASSWORD),
                noSession,
                noSession,
                &authorisation,
                &area,
                &handle
            )
        )
        return TPMCounter(handle: handle, isWritten: false)
    }

    /// Reads a counter that was raised.
    func value(of counter: TPMCounter, _ session: ESYS_TR = ESYS_TR(ESYS_TR_PASSWORD)) throws(TPMFailure) -> UInt64 {
        try read(counter.handle, .counter, session).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func read(_ handle: ESYS_TR, _ kind: IndexKind, _ session: ESYS_TR) throws(TPMFailure) -> [UInt8] {
        var answer: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
        try check(unsafe Esys_NV_Read(esys, handle, handle, session, noSession, noSession, kind.byteCount, 0, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        guard unsafe answer.pointee.size == kind.byteCount else { throw .malformed }
        return unsafe bytes(of: answer.pointee.buffer, count: kind.byteCount)
    }

    func raise(_ counter: TPMCounter, _ session: ESYS_TR) throws(TPMFailure) {
        try check(unsafe Esys_NV_Increment(esys, counter.handle, counter.handle, session, noSession, noSession))
    }

    func undefine(_ counter: TPMCounter) throws(TPMFailure) { try undefine(counter.handle) }

    private func undefine(_ handle: ESYS_TR) throws(TPMFailure) {
        try check(
            unsafe Esys_NV_UndefineSpace(
                esys,
                ESYS_TR(ESYS_TR_RH_OWNER),
                handle,
                ESYS_TR(ESYS_TR_PASSWORD),
                noSession,
                noSession
            )
        )
    }

    private func takenIndices(of key: TPMCounterKey) throws(TPMFailure) -> [UInt32] {
        let window = key.firstIndex..<key.firstIndex + TPMCounterKey.window
        return try handles(from: key.firstIndex, count: TPMCounterKey.window).filter(window.contains)
    }
}

// Chains: digests in the TPM's memory. Extending one never restores an earlier content; removing it and making it again
// does so only for an attacker who knows every link from the first.
extension TPMContext {
    /// Finds a chain; nil when the TPM has none with that mark.
    func chain(_ key: TPMCounterKey) throws(TPMFailure) -> TPMChain? {
        try find(key, .chain).map { TPMChain(handle: $0.handle, isWritten: $0.isWritten) }
    }

    /// Makes a chain without a link; it needs the owner's authorisation, which must be empty.
    func defineChain(_ key: TPMCounterKey) throws(TPMFailure) -> TPMChain {
        TPMChain(handle: try define(key, .chain).handle, isWritten: false)
    }

    /// Reads a chain that was extended.
    func content(of chain: TPMChain, _ session: ESYS_TR) throws(TPMFailure) -> [UInt8] {
        try read(chain.handle, .chain, session)
    }

    /// Adds a link: the content, initially zeros, becomes SHA-256(content ‖ link).
    func extend(_ chain: TPMChain, by link: [UInt8], _ session: ESYS_TR) throws(TPMFailure) {
        var buffer = TPM2B_MAX_NV_BUFFER()
        buffer.size = UInt16(link.count)
        fill(&buffer.buffer, link)
        try check(unsafe Esys_NV_Extend(esys, chain.handle, chain.handle, session, noSession, noSession, &buffer))
    }

    func undefine(_ chain: TPMChain) throws(TPMFailure) { try undefine(chain.handle) }
}
