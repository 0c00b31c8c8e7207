import CTSS2
import ThumbturnCrypto

// Creating, reading and using a device key.
extension TPMContext {
    /// Makes a key for ECDSA on P-256 that the TPM generates and never reveals.
    func makeSigningKey(in parent: Parent, _ session: ESYS_TR) throws(TPMFailure) -> SealedObject {
        var template = Self.template(for: .none)
        template.publicArea.type = UInt16(TPM2_ALG_ECC)
        template.publicArea.objectAttributes |= TPMA_OBJECT(TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_SENSITIVEDATAORIGIN)
        unsafe template.publicArea.parameters.eccDetail.symmetric.algorithm = UInt16(TPM2_ALG_NULL)
        unsafe template.publicArea.parameters.eccDetail.scheme.scheme = UInt16(TPM2_ALG_ECDSA)
        unsafe template.publicArea.parameters.eccDetail.scheme.details.ecdsa.hashAlg = UInt16(TPM2_ALG_SHA256)
        unsafe template.publicArea.parameters.eccDetail.curveID = UInt16(TPM2_ECC_NIST_P256)
        unsafe template.publicArea.parameters.eccDetail.kdf.scheme = UInt16(TPM2_ALG_NULL)
        return try create(template, .none(), under: .none, counted: .none(), in: parent, session)
    }

    /// Returns the public half of a signing key; it is authentic once the TPM has loaded the object.
    ///
    /// - Throws: the code of `.integrity` for an object that is no such key.
    static func publicKey(of object: SealedObject) throws(TPMFailure) -> [UInt8] {
        let area = try publicArea(of: object).publicArea
        guard area.type == TPM2_ALG_ECC else { throw TPMFailure(.integrity) }
        let (x, y) = unsafe (coordinate(area.unique.ecc.x), coordinate(area.unique.ecc.y))
        do { return try P256.publicKey(of: [4] + x + y) } catch { throw TPMFailure(.integrity) }
    }

    /// Returns a coordinate with the leading zeros that a TPM may leave out.
    private static func coordinate(_ number: TPM2B_ECC_PARAMETER) -> [UInt8] {
        let digits = bytes(of: number.buffer, count: number.size)
        return [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
    }

    func sign(_ digest: [UInt8], by key: ESYS_TR, _ session: ESYS_TR) throws(TPMFailure) -> [UInt8] {
        // A session can't encrypt a signature. This one proves that it came from the TPM.
        try setPurpose(of: session, isAudit: true)
        var input = TPM2B_DIGEST()
        input.size = UInt16(digest.count)
        fill(&input.buffer, digest)
        var scheme = TPMT_SIG_SCHEME()
        scheme.scheme = UInt16(TPM2_ALG_NULL)  // the key's own
        // No ticket: the key is not restricted, so it signs digests that the TPM did not compute.
        var ticket = TPMT_TK_HASHCHECK()
        ticket.tag = TPM2_ST(TPM2_ST_HASHCHECK)
        ticket.hierarchy = TPMI_RH_HIERARCHY(TPM2_RH_NULL)
        var answer: UnsafeMutablePointer<TPMT_SIGNATURE>?
        try check(unsafe Esys_Sign(esys, key, session, noSession, noSession, &input, &scheme, &ticket, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        guard unsafe answer.pointee.sigAlg == TPM2_ALG_ECDSA else { throw .malformed }
        let (r, s) = unsafe (answer.pointee.signature.ecdsa.signatureR, answer.pointee.signature.ecdsa.signatureS)
        do {
            return try P256.signature(r: bytes(of: r.buffer, count: r.size), s: bytes(of: s.buffer, count: s.size))
        } catch {
            throw .malformed
        }
    }
}
