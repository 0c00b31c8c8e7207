import CTSS2
import Glibc
import ThumbturnConsole

/// The fewest TPM commands for an unlock with the PIN, with the same protection and secrets that protect nothing.
///
/// One context and two sessions. The first covers all that an attacker on the bus could forge: the chain's value, its
/// next link, and the TPM's counters. The policy's covers the sealed data. Names are compared, because an index may
/// have been replaced.
final class RawPIN {
    private let tpm: RawTPM
    private let folder: String
    private let ownChain: [UInt8]
    /// A secret that no PIN guards; to unseal it takes as many commands as to evaluate one.
    private let unguarded: RawBlob
    /// The counter's value that the sealed data is bound to.
    private let epoch: TPM2B_OPERAND
    private let ownCounter: [UInt8]
    private var (session, chain) = (ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_NONE))
    /// The last index of the owner's range.
    private static let index: UInt32 = 0x01BF_FFFF
    private static let counterIndex: UInt32 = 0x01BF_FFFD

    /// Seals 32 bytes under an authorisation of 32, whose wrong uses are counted, and a counter, and creates a chain.
    ///
    /// - Parameter folder: its own folder.
    init(on tpm: RawTPM, folder: String) throws {
        (self.tpm, self.folder) = (tpm, folder)
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
        try tpm.begin()
        session = try tpm.session()
        var authorisation = TPM2B_AUTH()
        authorisation.size = 32
        let counter = try tpm.define(Self.counterIndex, tpm_nv_counter, byteCount: 8)
        try tpm.check(unsafe Esys_NV_Increment(tpm.esys, counter, counter, session, tpm.none, tpm.none))
        ownCounter = try tpm.known(counter)
        epoch = try Self.value(of: counter, session, tpm)
        let trial = try tpm.session(TPM2_SE(TPM2_SE_TRIAL))
        try Self.play(epoch, counter, in: trial, on: tpm)
        var digest: UnsafeMutablePointer<TPM2B_DIGEST>?
        try tpm.check(unsafe Esys_PolicyGetDigest(tpm.esys, trial, tpm.none, tpm.none, tpm.none, &digest))
        defer { unsafe Esys_Free(digest) }
        let rule = unsafe digest?.pointee ?? TPM2B_DIGEST()
        try tpm.check(unsafe Esys_FlushContext(tpm.esys, trial))
        let sealed = try tpm.seal(authorisation, 0, policy: rule, in: session)
        unguarded = try tpm.seal(authorisation, TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA, in: session)
        chain = try tpm.define(Self.index, tpm_nv_extend, byteCount: 32)
        try Self.extend(chain, session, tpm)
        ownChain = try tpm.known(chain)
        try tpm.end(session)
        try replace("sealed", by: unsafe withUnsafeBytes(of: sealed) { unsafe Array($0) })
        try replace("anchor", by: [UInt8](repeating: 1, count: 300))
    }

    /// Reads the chain and its file, which is done before an unlock is allowed.
    func look() throws {
        guard try bytes(of: "anchor").count == 300 else { throw BenchError(what: "the anchor's file is another one") }
        try tpm.begin()
        session = try tpm.session()
        chain = try tpm.open(Self.index)
        guard try tpm.known(chain) == ownChain else { throw BenchError(what: "another index lies there") }
        try read()
    }

    /// Extends the chain after its file records the link, and reads its new value.
    func count() throws {
        try replace("anchor", by: [UInt8](repeating: 1, count: 300))
        try Self.extend(chain, session, tpm)
        try read()
    }

    /// Uses two secrets, the ledger's and the trail's, and reads the chain: what a process waits for once.
    ///
    /// A conversation ends with its secret, so that nothing of it stays in this process.
    func beginProcess() throws {
        try tpm.begin()
        session = try tpm.session()
        try useSecret()
        try look()
        try useSecret()
    }

    private func useSecret() throws {
        let object = try tpm.load(unguarded)
        try tpm.unseal(object, session)
        try tpm.end(object, session)
    }

    /// Loads and unseals the data, after checking how guesses are counted.
    func unseal() throws {
        try ask()
        let counter = try tpm.open(Self.counterIndex)
        guard try tpm.known(counter) == ownCounter else { throw BenchError(what: "another index lies there") }
        let holds = try tpm.session(TPM2_SE(TPM2_SE_POLICY))
        try Self.play(epoch, counter, in: holds, on: tpm)
        let sealed = try bytes(of: "sealed")
        let object = try tpm.load(unsafe sealed.withUnsafeBytes { unsafe $0.loadUnaligned(as: RawBlob.self) })
        try tpm.unseal(object, holds)
        try tpm.end(object, holds, session)
    }

    private static func play(_ epoch: TPM2B_OPERAND, _ counter: ESYS_TR, in session: ESYS_TR, on tpm: RawTPM) throws {
        var epoch = epoch
        let (none, same) = (tpm.none, TPM2_EO(TPM2_EO_EQ))
        try tpm.check(unsafe Esys_PolicyNV(tpm.esys, counter, counter, session, tpm.empty, none, none, &epoch, 0, same))
        try tpm.check(unsafe Esys_PolicyAuthValue(tpm.esys, session, none, none, none))
    }

    private static func value(of counter: ESYS_TR, _ session: ESYS_TR, _ tpm: RawTPM) throws -> TPM2B_OPERAND {
        var value: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
        try tpm.check(unsafe Esys_NV_Read(tpm.esys, counter, counter, session, tpm.none, tpm.none, 8, 0, &value))
        defer { unsafe Esys_Free(value) }
        guard let value = unsafe value else { throw BenchError(what: "the TPM has no counter") }
        var operand = TPM2B_OPERAND()
        operand.size = 8
        unsafe withUnsafeMutableBytes(of: &operand.buffer) { operand in
            unsafe withUnsafeBytes(of: value.pointee.buffer) { unsafe operand.copyBytes(from: $0.prefix(8)) }
        }
        return operand
    }

    private func read() throws {
        var value: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
        try tpm.check(unsafe Esys_NV_Read(tpm.esys, chain, chain, session, tpm.none, tpm.none, 32, 0, &value))
        unsafe Esys_Free(value)
    }

    private static func extend(_ chain: ESYS_TR, _ session: ESYS_TR, _ tpm: RawTPM) throws {
        var link = TPM2B_MAX_NV_BUFFER()
        link.size = 32
        try tpm.check(unsafe Esys_NV_Extend(tpm.esys, chain, chain, session, tpm.none, tpm.none, &link))
    }

    private func bytes(of name: String) throws -> [UInt8] {
        let file = unsafe open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe Glibc.read(file, &bytes, bytes.count)
        guard count > 0 else { throw BenchError(what: "\(name) can't be read") }
        return Array(bytes.prefix(count))
    }

    /// Replaces a file, through to the disk.
    private func replace(_ name: String, by bytes: [UInt8]) throws {
        let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(directory) }
        let file = unsafe openat(directory, "new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard file >= 0, unsafe write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
            unsafe renameat(directory, "new", directory, name) == 0, fsync(directory) == 0
        else { throw BenchError(what: "\(folder) can't be written") }
    }

    /// Reads the TPM's counters in a session that only authenticates, because this command's answer can't be encrypted.
    private func ask() throws {
        let vouching = TPMA_SESSION(TPMA_SESSION_AUDIT | TPMA_SESSION_CONTINUESESSION)
        try tpm.check(unsafe Esys_TRSess_SetAttributes(tpm.esys, session, vouching, 0xFF))
        var more = TPMI_YES_NO()
        var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        let kind = TPM2_CAP(TPM2_CAP_TPM_PROPERTIES)
        try tpm.check(
            unsafe Esys_GetCapability(tpm.esys, session, tpm.none, tpm.none, kind, tpm_pt_permanent, 22, &more, &answer)
        )
        unsafe Esys_Free(answer)
        try tpm.check(unsafe Esys_TRSess_SetAttributes(tpm.esys, session, RawTPM.encrypting, 0xFF))
    }
}
