import CTSS2
import ThumbturnCrypto

// The policy of an item that a finger guards, and of a PIN's part, which has no lease: `PolicyNV` on a counter,
// `PolicyCounterTimer` on resets and on the clock, `PolicyAuthValue`, in this order.
extension TPMContext {
    /// Computes the digest of a policy.
    ///
    /// - Parameter comparison: how the counter must compare with `policy.epoch`: equal, or for a PIN's part at most
    ///   that.
    func digest(
        of policy: ItemPolicy,
        _ epoch: TPMCounter,
        _ comparison: TPM2_EO = TPM2_EO(TPM2_EO_EQ),
        in parent: Parent
    ) throws(TPMFailure) -> [UInt8] {
        let trial = try start(parent, TPM2_SE_TRIAL)
        try play(policy, epoch, comparison, in: trial)
        var answer: UnsafeMutablePointer<TPM2B_DIGEST>?
        try check(unsafe Esys_PolicyGetDigest(esys, trial, noSession, noSession, noSession, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        let digest = unsafe bytes(of: answer.pointee.buffer, count: answer.pointee.size)
        try end(trial)
        return digest
    }

    /// Starts a session in which the policy holds, for one use.
    ///
    /// - Throws: the code of `.policyOver` when the policy does not hold.
    func session(
        under policy: ItemPolicy,
        _ epoch: TPMCounter,
        _ comparison: TPM2_EO = TPM2_EO(TPM2_EO_EQ),
        in parent: Parent
    ) throws(TPMFailure) -> ESYS_TR {
        let session = try start(parent, TPM2_SE_POLICY)
        try play(policy, epoch, comparison, in: session)
        return session
    }

    private func play(
        _ policy: ItemPolicy,
        _ epoch: TPMCounter,
        _ comparison: TPM2_EO,
        in session: ESYS_TR
    ) throws(TPMFailure) {
        var value = Self.operand(policy.epoch)
        try check(
            unsafe Esys_PolicyNV(
                esys,
                epoch.handle,
                epoch.handle,
                session,
                ESYS_TR(ESYS_TR_PASSWORD),
                noSession,
                noSession,
                &value,
                0,
                comparison
            )
        )
        // `TPMS_TIME_INFO`: time 8 · clock 8 · resetCount 4 · restartCount 4 · safe 1.
        if let resetCount = policy.resetCount {
            try compare(Self.operand(resetCount), at: 16, TPM2_EO(TPM2_EO_EQ), in: session)
        }
        if let deadline = policy.deadline {
            try compare(Self.operand(deadline), at: 8, TPM2_EO(TPM2_EO_UNSIGNED_LT), in: session)
        }
        try check(unsafe Esys_PolicyAuthValue(esys, session, noSession, noSession, noSession))
    }

    private func compare(
        _ operand: TPM2B_OPERAND,
        at offset: UInt16,
        _ operation: TPM2_EO,
        in session: ESYS_TR
    ) throws(TPMFailure) {
        var operand = operand
        try check(
            unsafe Esys_PolicyCounterTimer(esys, session, noSession, noSession, noSession, &operand, offset, operation)
        )
    }

    private static func operand(_ value: some FixedWidthInteger) -> TPM2B_OPERAND {
        let bytes = unsafe withUnsafeBytes(of: value.bigEndian) { unsafe Array($0) }
        var operand = TPM2B_OPERAND()
        operand.size = UInt16(bytes.count)
        fill(&operand.buffer, bytes)
        return operand
    }
}

extension ItemPolicy {
    /// Whether the clock satisfies the policy.
    func isOpen(at clock: TPMClock) -> Bool {
        resetCount.map { $0 == clock.resetCount } ?? true && deadline.map { clock.milliseconds < $0 } ?? true
    }
}
