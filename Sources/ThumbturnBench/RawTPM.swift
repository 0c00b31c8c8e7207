#if canImport(ThumbturnLinux)
import CTSS2
import Glibc
import ThumbturnConsole

/// ESYS as it is: the sessions and commands of one unlock with the PIN, with secrets that protect nothing.
@safe final class RawTPM {
    private let transport: String
    private let folder: String
    private var way: OpaquePointer?
    private var esys: OpaquePointer?
    private var authorisation = TPM2B_AUTH()
    private var sealed = (publicArea: TPM2B_PUBLIC(), privateArea: TPM2B_PRIVATE())

    private let (none, empty) = (ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_PASSWORD))
    private let owner = ESYS_TR(ESYS_TR_RH_OWNER)
    /// The last index of the owner's range.
    private let index: UInt32 = 0x01BF_FFFF

    /// Seals 32 bytes under an authorisation of 32, whose wrong uses are counted, and makes a chain.
    ///
    /// - Parameter folder: of its own.
    init(transport: String, folder: String) throws {
        self.transport = transport
        self.folder = folder
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
        authorisation.size = 32
        try talk(make)
    }

    /// Reads the chain: what is done before an unlock is allowed.
    func look() throws {
        try talk { _, session in try read(try chain(), session) }
    }

    /// Extends the chain once its file says by what, and reads what it was and is.
    func count() throws {
        try talk { _, session in
            let chain = try chain()
            try read(chain, session)
            try replaceFile()
            try extend(chain, session)
            try read(chain, session)
        }
    }

    private func extend(_ chain: ESYS_TR, _ session: ESYS_TR) throws {
        var link = TPM2B_MAX_NV_BUFFER()
        link.size = 32
        try check(unsafe Esys_NV_Extend(esys, chain, chain, session, none, none, &link))
    }

    /// As much as an anchor's file holds, through to the disk.
    private func replaceFile() throws {
        let (bytes, directory) = ([UInt8](repeating: 1, count: 300), unsafe open(folder, O_RDONLY | O_DIRECTORY))
        defer { close(directory) }
        let file = unsafe openat(directory, "new", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard unsafe write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
            unsafe renameat(directory, "new", directory, "anchor") == 0, fsync(directory) == 0
        else { throw BenchError(what: "a file can't be written in \(folder)") }
    }

    /// Asks what the TPM counts, in a session that only vouches, as no answer of that command can be encrypted.
    private func ask(_ session: ESYS_TR) throws {
        let other = TPMA_SESSION(TPMA_SESSION_AUDIT | TPMA_SESSION_CONTINUESESSION)
        try check(unsafe Esys_TRSess_SetAttributes(esys, session, other, 0xFF))
        var more = TPMI_YES_NO()
        var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        let kind = TPM2_CAP(TPM2_CAP_TPM_PROPERTIES)
        try check(
            unsafe Esys_GetCapability(esys, session, none, none, kind, tpm_pt_permanent, 18, &more, &answer)
        )
        unsafe Esys_Free(answer)
        try check(unsafe Esys_TRSess_SetAttributes(esys, session, Self.attributes, 0xFF))
    }

    /// Loads and opens what was sealed, once it is known how guesses are counted.
    func unseal() throws {
        try talk { primary, session in
            try ask(session)
            var object = none
            try check(
                unsafe Esys_Load(
                    esys,
                    primary,
                    session,
                    none,
                    none,
                    &sealed.privateArea,
                    &sealed.publicArea,
                    &object
                )
            )
            try check(unsafe Esys_TR_SetAuth(esys, object, &authorisation))
            var secret: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
            try check(unsafe Esys_Unseal(esys, object, session, none, none, &secret))
            unsafe Esys_Free(secret)
            try check(unsafe Esys_FlushContext(esys, object))
        }
    }

    /// Runs one conversation: a context, the primary key, and a salted session that encrypts.
    private func talk(_ body: (_ primary: ESYS_TR, _ session: ESYS_TR) throws -> Void) throws {
        try check(unsafe Tss2_TctiLdr_Initialize(transport, &way))
        defer { unsafe Tss2_TctiLdr_Finalize(&way) }
        try check(unsafe Esys_Initialize(&esys, way, nil))
        defer { unsafe Esys_Finalize(&esys) }
        let primary = try primary()
        let session = try session(primary)
        try body(primary, session)
        try check(unsafe Esys_FlushContext(esys, session))
        try check(unsafe Esys_FlushContext(esys, primary))
    }

    private func primary() throws -> ESYS_TR {
        var (sensitive, template) = (TPM2B_SENSITIVE_CREATE(), TPM2B_PUBLIC())
        var (information, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
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
        var handle = none
        try check(
            unsafe Esys_CreatePrimary(
                esys,
                owner,
                empty,
                none,
                none,
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
        return handle
    }

    private func session(_ primary: ESYS_TR) throws -> ESYS_TR {
        var cipher = TPMT_SYM_DEF()
        cipher.algorithm = UInt16(TPM2_ALG_AES)
        unsafe cipher.keyBits.aes = 128
        unsafe cipher.mode.aes = UInt16(TPM2_ALG_CFB)
        var handle = none
        let (kind, hash) = (TPM2_SE(TPM2_SE_HMAC), UInt16(TPM2_ALG_SHA256))
        try check(
            unsafe Esys_StartAuthSession(esys, primary, none, none, none, none, nil, kind, &cipher, hash, &handle)
        )
        try check(unsafe Esys_TRSess_SetAttributes(esys, handle, Self.attributes, 0xFF))
        return handle
    }

    private static var attributes: TPMA_SESSION {
        TPMA_SESSION(TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT | TPMA_SESSION_CONTINUESESSION)
    }

    private func chain() throws -> ESYS_TR {
        var handle = none
        try check(unsafe Esys_TR_FromTPMPublic(esys, index, none, none, none, &handle))
        return handle
    }

    private func read(_ chain: ESYS_TR, _ session: ESYS_TR) throws {
        var value: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
        try check(unsafe Esys_NV_Read(esys, chain, chain, session, none, none, 32, 0, &value))
        unsafe Esys_Free(value)
    }

    private func make(_ primary: ESYS_TR, _ session: ESYS_TR) throws {
        var (sensitive, template) = (TPM2B_SENSITIVE_CREATE(), TPM2B_PUBLIC())
        var (information, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
        sensitive.sensitive.userAuth = authorisation
        sensitive.sensitive.data.size = 32
        template.publicArea.type = UInt16(TPM2_ALG_KEYEDHASH)
        template.publicArea.nameAlg = UInt16(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes = TPMA_OBJECT(
            TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT | TPMA_OBJECT_USERWITHAUTH
        )
        unsafe template.publicArea.parameters.keyedHashDetail.scheme.scheme = UInt16(TPM2_ALG_NULL)
        var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try check(
            unsafe Esys_Create(
                esys,
                primary,
                session,
                none,
                none,
                &sensitive,
                &template,
                &information,
                &registers,
                &privateArea,
                &publicArea,
                nil,
                nil,
                nil
            )
        )
        if let publicArea = unsafe publicArea, let privateArea = unsafe privateArea {
            unsafe sealed = (publicArea.pointee, privateArea.pointee)
        }
        unsafe Esys_Free(privateArea)
        unsafe Esys_Free(publicArea)

        var (nobody, area, handle) = (TPM2B_AUTH(), TPM2B_NV_PUBLIC(), none)
        area.nvPublic.nvIndex = index
        area.nvPublic.nameAlg = UInt16(TPM2_ALG_SHA256)
        area.nvPublic.attributes =
            TPMA_NV(TPMA_NV_OWNERWRITE | TPMA_NV_AUTHWRITE | TPMA_NV_OWNERREAD | TPMA_NV_AUTHREAD | TPMA_NV_NO_DA)
            | tpm_nv_extend
        area.nvPublic.dataSize = 32
        try check(unsafe Esys_NV_DefineSpace(esys, owner, empty, none, none, &nobody, &area, &handle))
        try extend(handle, session)
    }

    private func check(_ code: TSS2_RC) throws {
        guard code == 0 else { throw BenchError(what: "the TPM says \(String(code, radix: 16))") }
    }
}
#endif
