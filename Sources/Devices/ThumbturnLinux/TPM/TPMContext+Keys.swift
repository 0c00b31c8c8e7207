import CTSS2
import ThumbturnCrypto
import ThumbturnRules

// The primary key, and sessions.
extension TPMContext {
    /// The key that wraps every object of ours, and its Name: what it is for certain.
    struct Parent {
        let handle: ESYS_TR
        let name: [UInt8]
        var isPersistent = false
    }

    /// Where a persistent storage key lies by convention.
    private static let persistentKey: UInt32 = 0x8100_0001

    /// The key for new objects: the owner hierarchy's primary key, or the persistent one where the owner has a password.
    ///
    /// What lies in the persistent one's place may be anybody's key, and be gone tomorrow; the primary key is made again from
    /// the TPM's seed.
    func parent() throws(TPMFailure) -> Parent {
        if let keptParent, !keptParent.isPersistent { return keptParent }
        do {
            return try primary()
        } catch {
            guard error.known == .notAuthorised, let persistent = try persistent() else { throw error }
            return persistent
        }
    }

    /// The key of an item, by its pinned Name: the persistent one where it is that, since to make the primary key is the slowest
    /// command of a chip.
    ///
    /// Nothing secret has been sent before the Name is compared: somebody on the bus could answer with a key of his own.
    ///
    /// - Throws: `.anotherTPM` when no key has that Name. An owner's password hides the primary key: then nothing can be said of
    ///   whose the item is.
    func parent(named name: [UInt8]) throws(TPMFailure) -> Parent {
        if let keptParent, keptParent.name == name { return keptParent }
        if let persistent = try persistent(), persistent.name == name {
            keptParent = persistent
            return persistent
        }
        return try primary(named: name)
    }

    /// The primary key, where it has that Name.
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

    /// What lies where a storage key does by convention; nil where nothing does, or the key there is not ours.
    private func persistent() throws(TPMFailure) -> Parent? {
        guard looksForPersistentKey else { return nil }
        var handle = noSession
        do throws(TPMFailure) {
            try check(
                unsafe Esys_TR_FromTPMPublic(esys, Self.persistentKey, noSession, noSession, noSession, &handle)
            )
            return try known(handle).map { Parent(handle: handle, name: $0.name, isPersistent: true) }
        } catch {
            if error.known == .noSuchHandle || error == .malformed { return nil }
            // It may be a key of a kind that tpm2-tss does not know, after which it takes no further command.
            looksForPersistentKey = false
            throw error
        }
    }

    /// The Name and the public area of a key or an index: what tpm2-tss puts into each HMAC, and what it encrypts to.
    ///
    /// The TPM gave both without a session. Whoever answers in its place could give the Name of one thing and the area of
    /// another, so the Name has to be the digest of the area (TPM 2.0 Part 1, 16). Asked for the Name, tpm2-tss would take a
    /// library context of OpenSSL's to hash with, and leave out what it was told.
    ///
    /// - Returns: nil for what has a Name of another digest, and so was not made by us.
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

    /// A session whose secret only `parent` can read, and which encrypts the first parameter both ways.
    func session(with parent: Parent) throws(TPMFailure) -> ESYS_TR {
        keptParent = parent
        if keptSession?.key != parent.name { keptSession = (try start(parent, TPM2_SE_HMAC), parent.name) }
        guard let session = keptSession?.handle else { throw .malformed }
        try setPurpose(of: session, isAudit: false)
        return session
    }

    /// Ends the session that is kept, to make room for another one.
    func endSession() throws(TPMFailure) {
        guard let kept = keptSession else { return }
        keptSession = nil
        try end(kept.handle)
    }

    /// Starts a session as that one is.
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

    /// Lets a session encrypt, or only vouch for what a command that encrypts nothing answers.
    func setPurpose(of session: ESYS_TR, isAudit: Bool) throws(TPMFailure) {
        let purpose = isAudit ? TPMA_SESSION_AUDIT : TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT
        let attributes = TPMA_SESSION(purpose | TPMA_SESSION_CONTINUESESSION)
        try check(unsafe Esys_TRSess_SetAttributes(esys, session, attributes, 0xFF))
    }
}
