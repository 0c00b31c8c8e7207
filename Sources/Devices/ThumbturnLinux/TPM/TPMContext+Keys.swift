import CTSS2
import ThumbturnCrypto
import ThumbturnRules

// The primary key, and sessions.
extension TPMContext {
    /// The key that wraps all our objects, and its Name, which identifies it.
    struct Parent {
        let handle: ESYS_TR
        let name: [UInt8]
        var isPersistent = false
    }

    /// The conventional handle of a persistent storage key.
    private static let persistentKey: UInt32 = 0x8100_0001

    /// Returns the key for new objects: the owner hierarchy's primary key, or the persistent one if the owner has a
    /// password.
    ///
    /// Any program may have put the persistent key there, and may remove it; the primary key can always be derived
    /// again from the TPM's seed.
    func parent() throws(TPMFailure) -> Parent {
        if let keptParent, !keptParent.isPersistent { return keptParent }
        do {
            return try primary()
        } catch {
            guard error.known == .notAuthorised, let persistent = try persistent() else { throw error }
            return persistent
        }
    }

    /// Returns an item's key by its pinned Name.
    ///
    /// Prefers the persistent key if it has that Name, since deriving the primary key is a TPM's slowest command.
    ///
    /// Nothing secret is sent before the Name is compared: an attacker on the bus could answer with a key of their own.
    ///
    /// - Throws: `.anotherTPM` when no key has that Name. With an owner password the primary key is unavailable, and
    ///   the item's TPM can't be determined.
    func parent(named name: [UInt8]) throws(TPMFailure) -> Parent {
        if let keptParent, keptParent.name == name { return keptParent }
        if let persistent = try persistent(), persistent.name == name {
            keptParent = persistent
            return persistent
        }
        return try primary(named: name)
    }

    /// Returns the primary key, if it has that Name.
    func primary(named name: [UInt8]) throws(TPMFailure) -> Parent {
        let primary = try primary()
        guard primary.name == name else { throw .anotherTPM }
        keptParent = primary
        return primary
    }

    private func primary() throws(TPMFailure) -> Parent {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var template = Self.storageTemplate
        var (information, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
        var handle = noSession
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
                nil,
                nil,
                nil,
                nil
            )
        )
        guard let known = try known(keep(handle)) else { throw .malformed }
        return Parent(handle: handle, name: known.name)
    }

    /// Returns the key at the conventional handle; nil if there is none, or it can't be one of ours.
    private func persistent() throws(TPMFailure) -> Parent? {
        guard looksForPersistentKey else { return nil }
        var handle = noSession
        do throws(TPMFailure) {
            try check(unsafe Esys_TR_FromTPMPublic(esys, Self.persistentKey, noSession, noSession, noSession, &handle))
            return try known(handle).map { Parent(handle: handle, name: $0.name, isPersistent: true) }
        } catch {
            if error.known == .noSuchHandle || error == .malformed { return nil }
            // It may be a key of a kind unknown to tpm2-tss, which then accepts no further command in this context.
            looksForPersistentKey = false
            throw error
        }
    }

    /// Returns the Name and the public area of a key or an index: tpm2-tss puts them into each HMAC, and encrypts to
    /// them.
    ///
    /// The TPM returned both without a session. An attacker who answers in its place could combine the Name of one
    /// object with the area of another, so check that the Name is the digest of the area (TPM 2.0 Part 1, 16).
    /// Esys_TR_GetName would instead create a library context of OpenSSL's to hash with, and would not use the Name it
    /// was given.
    ///
    /// - Returns: nil if the Name uses another digest, and so was not made by us.
    func known(_ handle: ESYS_TR) throws(TPMFailure) -> (name: [UInt8], area: [UInt8])? {
        var start: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(unsafe Esys_TR_Serialize(esys, handle, &start, &count))
        defer { unsafe Esys_Free(start) }
        do throws(CryptoError) {
            // handle 4 · Name, with its length · kind 4 · public area, with its length
            var reader = unsafe ByteReader(Array(UnsafeBufferPointer(start: start, count: count)))
            _ = try reader.readFixed(4)
            let name = try reader.readFixed(Int(reader.readUInt16()))
            _ = try reader.readFixed(4)
            let area = try reader.readFixed(Int(reader.readUInt16()))
            guard reader.remaining == 0 else { throw .malformed }
            var writer = ByteWriter()
            writer.writeUInt16(UInt16(TPM2_ALG_SHA256))
            guard name.starts(with: writer.bytes) else { return nil }
            writer.writeFixed(SHA256.digest(area))
            guard name == writer.bytes else { throw .malformed }
            return (name, area)
        } catch {
            throw .malformed
        }
    }

    /// TCG's storage template for P-256: every program that uses it derives the same key.
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

    /// Returns a session whose secret only `parent` can read, and which encrypts the first parameter both ways.
    func session(with parent: Parent) throws(TPMFailure) -> ESYS_TR {
        keptParent = parent
        if keptSession?.key != parent.name { keptSession = (try start(parent, TPM2_SE_HMAC), parent.name) }
        guard let session = keptSession?.handle else { throw .malformed }
        try setPurpose(of: session, isAudit: false)
        return session
    }

    /// Ends the kept session, to make room for another one.
    func endSession() throws(TPMFailure) {
        guard let kept = keptSession else { return }
        keptSession = nil
        try end(kept.handle)
    }

    /// Starts a session like that of `session(with:)`.
    func start(_ parent: Parent, _ type: some BinaryInteger) throws(TPMFailure) -> ESYS_TR {
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

    /// Sets a session to encrypt, or only to authenticate the answer of a command that encrypts nothing.
    func setPurpose(of session: ESYS_TR, isAudit: Bool) throws(TPMFailure) {
        let purpose = isAudit ? TPMA_SESSION_AUDIT : TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT
        let attributes = TPMA_SESSION(purpose | TPMA_SESSION_CONTINUESESSION)
        try check(unsafe Esys_TRSess_SetAttributes(esys, session, attributes, 0xFF))
    }
}
