import CTSS2
import Glibc
import ThumbturnConsole

/// Plain ESYS with the storage key at its usual handle: the common parts of the shortest command sequences.
@safe final class RawTPM {
    private let transport: String
    private var way: OpaquePointer?
    private(set) var esys: OpaquePointer?
    private(set) var key = ESYS_TR(ESYS_TR_NONE)
    private var ownKey: [UInt8] = []

    let (none, empty) = (ESYS_TR(ESYS_TR_NONE), ESYS_TR(ESYS_TR_PASSWORD))
    let owner = ESYS_TR(ESYS_TR_RH_OWNER)
    private let storageKey: UInt32 = 0x8100_0001

    /// Makes the primary key persistent, unless it already is.
    init(transport: String) throws {
        self.transport = transport
        try connect()
        defer { disconnect() }
        var handle = none
        if unsafe Esys_TR_FromTPMPublic(esys, storageKey, none, none, none, &handle) != 0 {
            let key = try primary()
            try check(unsafe Esys_EvictControl(esys, owner, key, empty, none, none, storageKey, &handle))
            try check(unsafe Esys_FlushContext(esys, key))
        }
        ownKey = try known(try open(storageKey))
    }

    /// Starts a conversation: a context and the key, which may have been replaced.
    func begin() throws {
        try connect()
        key = try open(storageKey)
        guard try known(key) == ownKey else { throw BenchError(what: "another key lies there") }
    }

    /// Flushes the remaining handles of a conversation, and ends it.
    func end(_ handles: ESYS_TR...) throws {
        for handle in handles { try check(unsafe Esys_FlushContext(esys, handle)) }
        disconnect()
    }

    private func connect() throws {
        try check(unsafe Tss2_TctiLdr_Initialize(transport, &way))
        try check(unsafe Esys_Initialize(&esys, way, nil))
    }

    private func disconnect() {
        unsafe Esys_Finalize(&esys)
        unsafe Tss2_TctiLdr_Finalize(&way)
    }

    /// Opens a persistent key or an index.
    func open(_ place: UInt32) throws -> ESYS_TR {
        var handle = none
        try check(unsafe Esys_TR_FromTPMPublic(esys, place, none, none, none, &handle))
        return handle
    }

    /// Returns what tpm2-tss knows about a key or an index, including its Name.
    func known(_ handle: ESYS_TR) throws -> [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(unsafe Esys_TR_Serialize(esys, handle, &start, &count))
        defer { unsafe Esys_Free(start) }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Starts a session that is salted with the key, and encrypts.
    func session(_ kind: TPM2_SE = TPM2_SE(TPM2_SE_HMAC)) throws -> ESYS_TR {
        var cipher = TPMT_SYM_DEF()
        cipher.algorithm = UInt16(TPM2_ALG_AES)
        unsafe cipher.keyBits.aes = 128
        unsafe cipher.mode.aes = UInt16(TPM2_ALG_CFB)
        var handle = none
        let hash = UInt16(TPM2_ALG_SHA256)
        try check(unsafe Esys_StartAuthSession(esys, key, none, none, none, none, nil, kind, &cipher, hash, &handle))
        try check(unsafe Esys_TRSess_SetAttributes(esys, handle, Self.encrypting, 0xFF))
        return handle
    }

    static var encrypting: TPMA_SESSION {
        TPMA_SESSION(TPMA_SESSION_DECRYPT | TPMA_SESSION_ENCRYPT | TPMA_SESSION_CONTINUESESSION)
    }

    /// Seals 32 zeros.
    ///
    /// - Parameters:
    ///   - attributes: in addition to those that bind it to this TPM.
    ///   - policy: 32 bytes, or empty.
    func seal(
        _ authorisation: TPM2B_AUTH,
        _ attributes: some BinaryInteger,
        policy: TPM2B_DIGEST = TPM2B_DIGEST(),
        in session: ESYS_TR
    ) throws -> RawBlob {
        var (sensitive, template) = (TPM2B_SENSITIVE_CREATE(), TPM2B_PUBLIC())
        var (information, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
        sensitive.sensitive.userAuth = authorisation
        sensitive.sensitive.data.size = 32
        template.publicArea.type = UInt16(TPM2_ALG_KEYEDHASH)
        template.publicArea.nameAlg = UInt16(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes = TPMA_OBJECT(
            TPMA_OBJECT(TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT) | TPMA_OBJECT(attributes)
        )
        template.publicArea.authPolicy = policy
        unsafe template.publicArea.parameters.keyedHashDetail.scheme.scheme = UInt16(TPM2_ALG_NULL)
        var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try check(
            unsafe Esys_Create(
                esys,
                key,
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
        defer {
            unsafe Esys_Free(privateArea)
            unsafe Esys_Free(publicArea)
        }
        guard let privateArea = unsafe privateArea, let publicArea = unsafe publicArea else {
            throw BenchError(what: "the TPM sealed nothing")
        }
        return unsafe RawBlob(
            publicArea: publicArea.pointee,
            privateArea: privateArea.pointee,
            authorisation: authorisation
        )
    }

    /// Loads sealed data; the TPM has wrapped it itself, so this needs no session.
    func load(_ blob: RawBlob) throws -> ESYS_TR {
        var (blob, object) = (blob, none)
        try check(unsafe Esys_Load(esys, key, empty, none, none, &blob.privateArea, &blob.publicArea, &object))
        try check(unsafe Esys_TR_SetAuth(esys, object, &blob.authorisation))
        return object
    }

    /// Unseals loaded data.
    func unseal(_ object: ESYS_TR, _ session: ESYS_TR) throws {
        var secret: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        try check(unsafe Esys_Unseal(esys, object, session, none, none, &secret))
        unsafe Esys_Free(secret)
    }

    /// Creates an index with an empty authorisation, which its kind alone restricts.
    func define(_ index: UInt32, _ kind: TPMA_NV, byteCount: UInt16) throws -> ESYS_TR {
        var (nobody, area, handle) = (TPM2B_AUTH(), TPM2B_NV_PUBLIC(), none)
        area.nvPublic.nvIndex = index
        area.nvPublic.nameAlg = UInt16(TPM2_ALG_SHA256)
        area.nvPublic.attributes =
            TPMA_NV(TPMA_NV_OWNERWRITE | TPMA_NV_AUTHWRITE | TPMA_NV_OWNERREAD | TPMA_NV_AUTHREAD | TPMA_NV_NO_DA)
            | kind
        area.nvPublic.dataSize = byteCount
        try check(unsafe Esys_NV_DefineSpace(esys, owner, empty, none, none, &nobody, &area, &handle))
        return handle
    }

    private func primary() throws -> ESYS_TR {
        var (sensitive, template) = (TPM2B_SENSITIVE_CREATE(), TPM2B_PUBLIC())
        var (information, registers, handle) = (TPM2B_DATA(), TPML_PCR_SELECTION(), none)
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

    func check(_ code: TSS2_RC) throws {
        guard code == 0 else { throw BenchError(what: "the TPM says \(String(code, radix: 16))") }
    }
}

/// Data sealed by a TPM, and its authorisation.
struct RawBlob {
    var publicArea: TPM2B_PUBLIC
    var privateArea: TPM2B_PRIVATE
    var authorisation: TPM2B_AUTH
}
