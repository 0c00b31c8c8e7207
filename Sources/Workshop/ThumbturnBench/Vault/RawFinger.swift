import CTSS2
import ThumbturnConsole

/// The fewest TPM commands for an unlock with a finger after the match, with the same protection.
///
/// One context and one session: the policy's, which checks epoch, boot and lease, and encrypts the unsealed data.
final class RawFinger {
    private let tpm: RawTPM
    private let policy: Policy
    private let sealed: RawBlob
    private let ownCounter: [UInt8]
    /// The last but one index of the owner's range.
    private static let index: UInt32 = 0x01BF_FFFE

    /// Seals 32 bytes under an authorisation of 32, and the policy of an item guarded by a finger.
    init(on tpm: RawTPM) throws {
        self.tpm = tpm
        try tpm.begin()
        let session = try tpm.session()
        let counter = try tpm.define(Self.index, tpm_nv_counter, byteCount: 8)
        try tpm.check(unsafe Esys_NV_Increment(tpm.esys, counter, counter, session, tpm.none, tpm.none))
        ownCounter = try tpm.known(counter)
        policy = try Policy(epoch: counter, session, on: tpm)
        let trial = try tpm.session(TPM2_SE(TPM2_SE_TRIAL))
        try policy.play(counter, in: trial, on: tpm)
        var digest: UnsafeMutablePointer<TPM2B_DIGEST>?
        try tpm.check(unsafe Esys_PolicyGetDigest(tpm.esys, trial, tpm.none, tpm.none, tpm.none, &digest))
        defer { unsafe Esys_Free(digest) }
        var authorisation = TPM2B_AUTH()
        authorisation.size = 32
        let rule = unsafe digest?.pointee ?? TPM2B_DIGEST()
        sealed = try tpm.seal(authorisation, TPMA_OBJECT_NODA, policy: rule, in: session)
        try tpm.end(trial, session)
    }

    /// Loads and unseals the data.
    func run() throws {
        try tpm.begin()
        let object = try tpm.load(sealed)
        let counter = try tpm.open(Self.index)
        guard try tpm.known(counter) == ownCounter else { throw BenchError(what: "another index lies there") }
        let session = try tpm.session(TPM2_SE(TPM2_SE_POLICY))
        try policy.play(counter, in: session, on: tpm)
        try tpm.unseal(object, session)
        try tpm.end(object, session)
    }

    /// The conditions for unsealing.
    private struct Policy {
        /// The counter's value, the number of resets, and the clock's value at the end of the lease.
        private let (epoch, resetCount, deadline): (TPM2B_OPERAND, TPM2B_OPERAND, TPM2B_OPERAND)

        /// Creates a policy for the present state, valid for 72 hours.
        init(epoch counter: ESYS_TR, _ session: ESYS_TR, on tpm: RawTPM) throws {
            var value: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
            try tpm.check(unsafe Esys_NV_Read(tpm.esys, counter, counter, session, tpm.none, tpm.none, 8, 0, &value))
            defer { unsafe Esys_Free(value) }
            var time: UnsafeMutablePointer<TPMS_TIME_INFO>?
            try tpm.check(unsafe Esys_ReadClock(tpm.esys, tpm.none, tpm.none, tpm.none, &time))
            defer { unsafe Esys_Free(time) }
            guard let value = unsafe value, let clock = unsafe time?.pointee.clockInfo else {
                throw BenchError(what: "the TPM has no clock")
            }
            epoch = Self.operand(unsafe withUnsafeBytes(of: value.pointee.buffer) { unsafe Array($0.prefix(8)) })
            resetCount = Self.operand(unsafe withUnsafeBytes(of: clock.resetCount.bigEndian) { unsafe Array($0) })
            let end = clock.clock + 72 * 3_600_000
            deadline = Self.operand(unsafe withUnsafeBytes(of: end.bigEndian) { unsafe Array($0) })
        }

        private static func operand(_ bytes: [UInt8]) -> TPM2B_OPERAND {
            var operand = TPM2B_OPERAND()
            operand.size = UInt16(bytes.count)
            unsafe withUnsafeMutableBytes(of: &operand.buffer) { unsafe $0.copyBytes(from: bytes) }
            return operand
        }

        func play(_ counter: ESYS_TR, in session: ESYS_TR, on tpm: RawTPM) throws {
            var (epoch, resetCount, deadline) = (epoch, resetCount, deadline)
            let (none, same, before) = (tpm.none, TPM2_EO(TPM2_EO_EQ), TPM2_EO(TPM2_EO_UNSIGNED_LT))
            try tpm.check(
                unsafe Esys_PolicyNV(tpm.esys, counter, counter, session, tpm.empty, none, none, &epoch, 0, same)
            )
            // `TPMS_TIME_INFO`: time 8 · clock 8 · resetCount 4.
            try tpm.check(unsafe Esys_PolicyCounterTimer(tpm.esys, session, none, none, none, &resetCount, 16, same))
            try tpm.check(unsafe Esys_PolicyCounterTimer(tpm.esys, session, none, none, none, &deadline, 8, before))
            try tpm.check(unsafe Esys_PolicyAuthValue(tpm.esys, session, none, none, none))
        }
    }
}
