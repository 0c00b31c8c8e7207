import CTSS2
import Glibc
import ThumbturnCrypto
import ThumbturnRules

// The primary key, and sessions.
extension TPMContext {
    /// The key that wraps every object of ours, and its Name: what it is for certain.
    struct Parent {
        let handle: ESYS_TR
        let name: [UInt8]
    }

    /// Where a persistent storage key lies by convention.
    private static let persistentKey: UInt32 = 0x8100_0001

    /// The key for new objects: the owner hierarchy's primary key, or the persistent one where the owner has a password.
    func parent() throws(TPMFailure) -> Parent {
        do {
            return try primary()
        } catch {
            guard error.known == .notAuthorised, let persistent = try persistent() else { throw error }
            return persistent
        }
    }

    /// The key of an item, by its pinned Name.
    ///
    /// Nothing secret has been sent before the Name is compared: somebody on the bus could answer with a key of his own.
    ///
    /// - Throws: `.anotherTPM` when no key has that Name.
    func parent(named name: [UInt8]) throws(TPMFailure) -> Parent {
        var refused: TPMFailure?
        do {
            let primary = try primary()
            if primary.name == name { return primary }
        } catch {
            guard error.known == .notAuthorised else { throw error }
            refused = error
        }
        if let persistent = try persistent(), persistent.name == name { return persistent }
        // An owner's password hides the primary key: nothing can be said of whose the item is.
        throw refused ?? .anotherTPM
    }

    private func primary() throws(TPMFailure) -> Parent {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = Self.storageTemplate
        var (information, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
        var handle = noSession
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try check(
            unsafe Esys_CreatePrimary(
                esys,
                ESYS_TR(ESYS_TR_RH_OWNER),
                ESYS_TR(ESYS_TR_PASSWORD),
                noSession,
                noSession,
                &sensitive,
                &template,
                &information,
                &registers,
                &handle,
                &publicArea,
                nil,
                nil,
                nil
            )
        )
        defer { unsafe Esys_Free(publicArea) }
        return Parent(handle: keep(handle), name: try unsafe Self.name(of: publicArea))
    }

    /// The Name of a key, from what tpm2-tss knows of it and encrypts to (TPM 2.0 Part 1, 16).
    ///
    /// Asked for it, tpm2-tss would take a library context of OpenSSL's to hash with, which costs more than all else here.
    private static func name(of key: UnsafeMutablePointer<TPM2B_PUBLIC>?) throws(TPMFailure) -> [UInt8] {
        guard let key = unsafe key, unsafe key.pointee.publicArea.nameAlg == TPM2_ALG_SHA256 else { throw .malformed }
        let area = try unsafe marshalled { bytes, size, offset in
            unsafe withUnsafePointer(to: &key.pointee.publicArea) { area in
                unsafe Tss2_MU_TPMT_PUBLIC_Marshal(area, bytes, size, &offset)
            }
        }
        var writer = ByteWriter()
        writer.writeUInt16(UInt16(TPM2_ALG_SHA256))
        writer.writeFixed(SHA256.digest(area))
        return writer.bytes
    }

    private func persistent() throws(TPMFailure) -> Parent? {
        guard try handles(from: Self.persistentKey, count: 1) == [Self.persistentKey] else { return nil }
        var handle = noSession
        try check(
            unsafe Esys_TR_FromTPMPublic(esys, Self.persistentKey, noSession, noSession, noSession, &handle)
        )
        return Parent(handle: handle, name: try name(of: handle))
    }

    func name(of handle: ESYS_TR) throws(TPMFailure) -> [UInt8] {
        var answer: UnsafeMutablePointer<TPM2B_NAME>?
        try check(unsafe Esys_TR_GetName(esys, handle, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        return unsafe bytes(of: answer.pointee.name, count: answer.pointee.size)
    }

    /// TCG's storage template for P-256: every program that uses it finds the same key.
    private static var storageTemplate: TPM2B_PUBLIC {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = UInt16(TPM2_ALG_ECC)
        template.publicArea.nameAlg = UInt16(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes = TPMA_OBJECT(
            TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_SENSITIVEDATAORIGIN | TPMA_OBJECT_USERWITHAUTH
                | TPMA_OBJECT_NODA | TPMA_OBJECT_RESTRICTED | TPMA_OBJECT_DECRYPT
        )
        unsafe template.publicArea.parameters.eccDetail.symmetric.algorithm = UInt16(TPM2_ALG_AES)
        unsafe template.publicArea.parameters.eccDetail.symmetric.keyBits.aes = 128
        unsafe template.publicArea.parameters.eccDetail.symmetric.mode.aes = UInt16(TPM2_ALG_CFB)
        unsafe template.publicArea.parameters.eccDetail.scheme.scheme = UInt16(TPM2_ALG_NULL)
        unsafe template.publicArea.parameters.eccDetail.curveID = UInt16(TPM2_ECC_NIST_P256)
        unsafe template.publicArea.parameters.eccDetail.kdf.scheme = UInt16(TPM2_ALG_NULL)
        return template
    }

    /// Starts a session whose secret only `parent` can read, and which encrypts the first parameter both ways.
    func session(with parent: Parent, type: some BinaryInteger = TPM2_SE_HMAC) throws(TPMFailure) -> ESYS_TR {
        var cipher = TPMT_SYM_DEF()
        cipher.algorithm = UInt16(TPM2_ALG_AES)
        unsafe cipher.keyBits.aes = 128
        unsafe cipher.mode.aes = UInt16(TPM2_ALG_CFB)
        var handle = noSession
        try check(
            unsafe Esys_StartAuthSession(
                esys,
                parent.handle,
                noSession,
                noSession,
                noSession,
                noSession,
                nil,
                TPM2_SE(type),
                &cipher,
                UInt16(TPM2_ALG_SHA256),
                &handle
            )
        )
        try setPurpose(of: keep(handle), isAudit: false)
        return handle
    }

    /// Lets a session encrypt, or only vouch for what a command that encrypts nothing answers.
    func setPurpose(of session: ESYS_TR, isAudit: Bool) throws(TPMFailure) {
        let purpose = isAudit ? TPMA_SESSION_AUDIT : TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT
        let attributes = TPMA_SESSION(purpose | TPMA_SESSION_CONTINUESESSION)
        try check(unsafe Esys_TRSess_SetAttributes(esys, session, attributes, 0xFF))
    }
}
