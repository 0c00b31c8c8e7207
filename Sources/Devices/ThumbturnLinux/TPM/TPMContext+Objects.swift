import CTSS2
import Glibc
import ThumbturnCrypto

// Creating, loading and using objects.
extension TPMContext {
    /// What protects an object against use.
    enum Guard {
        /// Only the TPM itself; there is nothing to guess, so no lockout applies.
        case none
        /// 32 random bytes and a policy; there is nothing to guess, so no lockout applies.
        case policy(digest: [UInt8], authorisation: [UInt8])
        /// An authorisation that can be guessed: the TPM counts the wrong ones, and locks itself.
        case counted
        /// The same, while a policy holds.
        case countedWhile(digest: [UInt8])
    }

    /// Seals a secret of at most 128 bytes; `counted` is the authorisation of a counted object, and empty for others.
    func seal(
        _ secret: borrowing SecretBytes,
        under kind: Guard,
        counted: borrowing SecretBytes,
        in parent: Parent,
        _ session: ESYS_TR
    ) throws(TPMFailure) -> SealedObject {
        var template = Self.template(for: kind)
        unsafe template.publicArea.parameters.keyedHashDetail.scheme.scheme = UInt16(TPM2_ALG_NULL)
        return try create(template, secret, under: kind, counted: counted, in: parent, session)
    }

    /// Makes a key for HMAC-SHA-256 that the TPM generates and never reveals.
    func makeKey(in parent: Parent, _ session: ESYS_TR) throws(TPMFailure) -> SealedObject {
        var template = Self.template(for: .none)
        template.publicArea.objectAttributes |= TPMA_OBJECT(TPMA_OBJECT_SIGN_ENCRYPT | TPMA_OBJECT_SENSITIVEDATAORIGIN)
        unsafe template.publicArea.parameters.keyedHashDetail.scheme.scheme = UInt16(TPM2_ALG_HMAC)
        unsafe template.publicArea.parameters.keyedHashDetail.scheme.details.hmac.hashAlg = UInt16(TPM2_ALG_SHA256)
        return try create(template, .none(), under: .none, counted: .none(), in: parent, session)
    }

    static func template(for kind: Guard) -> TPM2B_PUBLIC {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = UInt16(TPM2_ALG_KEYEDHASH)
        template.publicArea.nameAlg = UInt16(TPM2_ALG_SHA256)
        var attributes = TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT
        switch kind {
        case .none:
            attributes |= TPMA_OBJECT_USERWITHAUTH | TPMA_OBJECT_NODA
        case .policy(let digest, _):
            attributes |= TPMA_OBJECT_NODA
            fill(&template.publicArea.authPolicy.buffer, digest)
            template.publicArea.authPolicy.size = UInt16(digest.count)
        case .counted:
            attributes |= TPMA_OBJECT_USERWITHAUTH
        case .countedWhile(let digest):
            fill(&template.publicArea.authPolicy.buffer, digest)
            template.publicArea.authPolicy.size = UInt16(digest.count)
        }
        template.publicArea.objectAttributes = TPMA_OBJECT(attributes)
        return template
    }

    func create(
        _ template: TPM2B_PUBLIC,
        _ secret: borrowing SecretBytes,
        under kind: Guard,
        counted: borrowing SecretBytes,
        in parent: Parent,
        _ session: ESYS_TR
    ) throws(TPMFailure) -> SealedObject {
        // On the heap and by address: a Swift copy of the structure would never be wiped.
        let sensitive = UnsafeMutablePointer<TPM2B_SENSITIVE_CREATE>.allocate(capacity: 1)
        unsafe sensitive.initialize(to: TPM2B_SENSITIVE_CREATE())
        defer {
            unsafe wipe(sensitive)
            unsafe sensitive.deallocate()
        }
        let isDrawnByTheTPM = secret.byteCount == 0
        hasSecret = hasSecret || !isDrawnByTheTPM
        if !isDrawnByTheTPM {
            unsafe sensitive.pointee.sensitive.data.size = UInt16(secret.byteCount)
            try unsafe copy(secret, into: \.sensitive.data.buffer, of: sensitive)
        }
        if case .policy(_, let authorisation) = kind {
            unsafe sensitive.pointee.sensitive.userAuth.size = UInt16(authorisation.count)
            unsafe fill(&sensitive.pointee.sensitive.userAuth.buffer, authorisation)
        } else {
            unsafe sensitive.pointee.sensitive.userAuth.size = UInt16(counted.byteCount)
            try unsafe copy(counted, into: \.sensitive.userAuth.buffer, of: sensitive)
        }
        var template = template
        var (information, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
        var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        try check(
            unsafe Esys_Create(
                esys,
                parent.handle,
                session,
                noSession,
                noSession,
                sensitive,
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
        return SealedObject(
            publicArea: try unsafe Self.marshalled { bytes, size, offset in
                unsafe Tss2_MU_TPM2B_PUBLIC_Marshal(publicArea, bytes, size, &offset)
            },
            privateArea: try unsafe Self.marshalled { bytes, size, offset in
                unsafe Tss2_MU_TPM2B_PRIVATE_Marshal(privateArea, bytes, size, &offset)
            }
        )
    }

    /// Loads an object.
    ///
    /// It needs no session of ours: the TPM has wrapped the secret part. A forged answer can't substitute another
    /// object, because this one's Name goes into the HMAC of every session that uses it, and a Name is the digest of
    /// the whole public area (TPM 2.0 Part 1, 16 and 18.7).
    ///
    /// - Throws: the code of `.integrity` for one that is damaged, or another TPM's.
    func load(_ object: SealedObject, in parent: Parent) throws(TPMFailure) -> ESYS_TR {
        do {
            return try load(object, in: parent.handle)
        } catch {
            // The persistent key may have been given a password, which its Name does not show.
            guard error.known == .notAuthorised, parent.isPersistent else { throw error }
            return try load(object, in: try primary(named: parent.name).handle)
        }
    }

    private func load(_ object: SealedObject, in parent: ESYS_TR) throws(TPMFailure) -> ESYS_TR {
        var (publicArea, privateArea) = (try Self.publicArea(of: object), TPM2B_PRIVATE())
        var offset = 0
        guard
            unsafe Tss2_MU_TPM2B_PRIVATE_Unmarshal(
                object.privateArea,
                object.privateArea.count,
                &offset,
                &privateArea
            ) == 0, offset == object.privateArea.count
        else { throw TPMFailure(.integrity) }
        var handle = noSession
        try check(
            unsafe Esys_Load(
                esys,
                parent,
                ESYS_TR(ESYS_TR_PASSWORD),
                noSession,
                noSession,
                &privateArea,
                &publicArea,
                &handle
            )
        )
        return keep(handle)
    }

    /// The attributes that say who may use the object; once the TPM has loaded it, they are authentic.
    static func attributes(of object: SealedObject) throws(TPMFailure) -> TPMA_OBJECT {
        try publicArea(of: object).publicArea.objectAttributes
    }

    static func publicArea(of object: SealedObject) throws(TPMFailure) -> TPM2B_PUBLIC {
        var (publicArea, offset) = (TPM2B_PUBLIC(), 0)
        guard
            unsafe Tss2_MU_TPM2B_PUBLIC_Unmarshal(object.publicArea, object.publicArea.count, &offset, &publicArea)
                == 0,
            offset == object.publicArea.count
        else { throw TPMFailure(.integrity) }
        return publicArea
    }

    /// Passes an object's authorisation to tpm2-tss, which only uses it as an HMAC key.
    func setAuthorisation(of object: ESYS_TR, _ authorisation: borrowing SecretBytes) throws(TPMFailure) {
        hasSecret = true
        let value = UnsafeMutablePointer<TPM2B_AUTH>.allocate(capacity: 1)
        unsafe value.initialize(to: TPM2B_AUTH())
        defer {
            unsafe wipe(value)
            unsafe value.deallocate()
        }
        unsafe value.pointee.size = UInt16(authorisation.byteCount)
        try unsafe copy(authorisation, into: \.buffer, of: value)
        try check(unsafe Esys_TR_SetAuth(esys, object, value))
    }

    /// Opens a sealed object.
    func unseal(_ object: ESYS_TR, _ session: ESYS_TR) throws(TPMFailure) -> SecretBytes {
        hasSecret = true
        var answer: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        try check(unsafe Esys_Unseal(esys, object, session, noSession, noSession, &answer))
        return try unsafe secret(in: answer, at: \.buffer) { unsafe $0.pointee.size }
    }

    /// Returns HMAC-SHA-256 of `input`, at most 1,024 bytes, under a key.
    func hmac(_ key: ESYS_TR, _ session: ESYS_TR, _ input: [UInt8]) throws(TPMFailure) -> SecretBytes {
        hasSecret = true
        var buffer = TPM2B_MAX_BUFFER()
        buffer.size = UInt16(input.count)
        fill(&buffer.buffer, input)
        var answer: UnsafeMutablePointer<TPM2B_DIGEST>?
        try check(
            unsafe Esys_HMAC(esys, key, session, noSession, noSession, &buffer, TPMI_ALG_HASH(TPM2_ALG_SHA256), &answer)
        )
        return try unsafe secret(in: answer, at: \.buffer) { unsafe $0.pointee.size }
    }

    /// Moves a secret out of an answer, which is then wiped and freed.
    private func secret<Answer, Field>(
        in answer: UnsafeMutablePointer<Answer>?,
        at field: KeyPath<Answer, Field>,
        byteCount: (UnsafeMutablePointer<Answer>) -> UInt16
    ) throws(TPMFailure) -> SecretBytes {
        guard let answer = unsafe answer else { throw .malformed }
        defer {
            unsafe wipe(answer)
            unsafe Esys_Free(answer)
        }
        guard let offset = MemoryLayout<Answer>.offset(of: field) else { throw .malformed }
        // By address: reading the field would copy all of it to the stack.
        let source = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(answer) + offset,
            count: min(Int(byteCount(answer)), MemoryLayout<Field>.size)
        )
        return unsafe SecretBytes(byteCount: source.count) { unsafe $0.copyMemory(from: source) }
    }

    static func marshalled(
        _ body: (UnsafeMutablePointer<UInt8>, Int, inout Int) -> TSS2_RC
    ) throws(TPMFailure) -> [UInt8] {
        var (bytes, offset, code) = ([UInt8](repeating: 0, count: SealedObject.maximumByteCount), 0, TSS2_RC())
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            code = unsafe body(start, buffer.count, &offset)
        }
        try check(code)
        return Array(bytes[..<offset])
    }
}

private func copy<Whole, Field>(
    _ secret: borrowing SecretBytes,
    into field: KeyPath<Whole, Field>,
    of whole: UnsafeMutablePointer<Whole>
) throws(TPMFailure) {
    guard let offset = MemoryLayout<Whole>.offset(of: field), secret.byteCount <= MemoryLayout<Field>.size else {
        throw .malformed
    }
    let target = unsafe UnsafeMutableRawBufferPointer(
        start: UnsafeMutableRawPointer(whole) + offset,
        count: MemoryLayout<Field>.size
    )
    secret.withBytes { secret in
        unsafe secret.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
}

private func wipe<Whole>(_ whole: UnsafeMutablePointer<Whole>) {
    unsafe explicit_bzero(whole, MemoryLayout<Whole>.size)
}
