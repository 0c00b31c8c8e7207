internal import CPKCS11
internal import Glibc

/// The functions of a PKCS#11 module (version 2.40), which throw what a token answers.
@safe struct PKCS11Functions: @unchecked Sendable {
    // Safe to share: nothing changes the list, and every thread may call once the module was initialised with locking.
    private let list: CK_FUNCTION_LIST_PTR

    init(_ list: CK_FUNCTION_LIST_PTR) { unsafe self.list = unsafe list }

    /// Starts the module.
    ///
    /// - Returns: whether this call did; another part of the process may have.
    func initialize() throws(SignerError) -> Bool {
        var arguments = unsafe CK_C_INITIALIZE_ARGS()
        unsafe arguments.flags = CKF_OS_LOCKING_OK
        let code = unsafe list.pointee.C_Initialize?(&arguments)
        if code == CKR_CRYPTOKI_ALREADY_INITIALIZED { return false }
        try check(code)
        return true
    }

    /// Ends all sessions, and forgets what the module knows of its tokens.
    func finalize() { _ = unsafe list.pointee.C_Finalize?(nil) }

    /// Returns the slots with a token.
    func slots() throws(SignerError) -> [CK_SLOT_ID] {
        let isPresent = CK_BBOOL(CK_TRUE)
        var count: CK_ULONG = 0
        try check(unsafe list.pointee.C_GetSlotList?(isPresent, nil, &count))
        // Room for a few that come meanwhile.
        count = min(count, 1_024) + 8
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
        try check(unsafe list.pointee.C_GetSlotList?(isPresent, &slots, &count))
        return Array(slots.prefix(Int(clamping: count)))
    }

    /// Returns what a token says of itself; `nil` if it does not answer or has not been set up.
    func token(in slot: CK_SLOT_ID) -> (token: PKCS11Token, flags: CK_FLAGS)? {
        var info = CK_TOKEN_INFO()
        guard unsafe list.pointee.C_GetTokenInfo?(slot, &info) == CKR_OK else { return nil }
        let token = PKCS11Token(
            label: Self.text(info.label),
            serial: Self.text(info.serialNumber),
            model: Self.text(info.model),
            manufacturer: Self.text(info.manufacturerID)
        )
        return (token, info.flags)
    }

    /// Returns the bytes of a fixed field without the blanks, or zeros, at its end.
    private static func text<Field>(_ field: Field) -> [UInt8] {
        let bytes = unsafe withUnsafeBytes(of: field) { unsafe Array($0) }
        let length = bytes.lastIndex { $0 != 0x20 && $0 != 0 }.map { $0 + 1 } ?? 0
        return Array(bytes[..<length])
    }

    func openSession(_ slot: CK_SLOT_ID) throws(SignerError) -> CK_SESSION_HANDLE {
        var session: CK_SESSION_HANDLE = 0
        try check(unsafe list.pointee.C_OpenSession?(slot, CKF_SERIAL_SESSION, nil, nil, &session))
        return session
    }

    func close(_ session: CK_SESSION_HANDLE) { _ = unsafe list.pointee.C_CloseSession?(session) }

    /// Returns whether the module still knows a session, for a token in this slot.
    func isOpen(_ session: CK_SESSION_HANDLE, in slot: CK_SLOT_ID) -> Bool {
        var info = CK_SESSION_INFO()
        return unsafe list.pointee.C_GetSessionInfo?(session, &info) == CKR_OK && info.slotID == slot
    }

    /// Logs this process in.
    ///
    /// - Parameter pin: `nil` where the token asks for it at a device of its own.
    func logIn(_ session: CK_SESSION_HANDLE, _ pin: RawSpan?) throws(SignerError) {
        var code: CK_RV?
        if let pin {
            code = unsafe pin.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let pointer = unsafe UnsafeMutablePointer(mutating: start)  // the function only reads
                return unsafe list.pointee.C_Login?(session, CKU_USER, pointer, CK_ULONG(bytes.count))
            }
        } else {
            code = unsafe list.pointee.C_Login?(session, CKU_USER, nil, 0)
        }
        guard code != CKR_USER_ALREADY_LOGGED_IN else { return }
        try check(code)
    }

    private func check(_ code: CK_RV?) throws(SignerError) {
        let code = code ?? CKR_FUNCTION_NOT_SUPPORTED
        guard code == CKR_OK else { throw SignerError(code: code) }
    }
}

// Objects.
extension PKCS11Functions {
    typealias Attribute = (type: CK_ATTRIBUTE_TYPE, value: [UInt8])

    /// Returns the objects that have all these attributes; of more than 16, the first.
    func objects(_ session: CK_SESSION_HANDLE, _ attributes: [Attribute]) throws(SignerError) -> [CK_OBJECT_HANDLE] {
        var values = attributes.flatMap(\.value)
        let code = unsafe values.withUnsafeMutableBytes { bytes in
            var (template, offset) = (unsafe [CK_ATTRIBUTE](), 0)
            for attribute in attributes {
                let place = unsafe bytes.baseAddress.map { unsafe $0 + offset }
                unsafe template.append(
                    CK_ATTRIBUTE(type: attribute.type, pValue: place, ulValueLen: CK_ULONG(attribute.value.count))
                )
                offset += attribute.value.count
            }
            return unsafe list.pointee.C_FindObjectsInit?(session, &template, CK_ULONG(attributes.count))
        }
        try check(code)
        defer { _ = unsafe list.pointee.C_FindObjectsFinal?(session) }
        var (objects, count) = ([CK_OBJECT_HANDLE](repeating: 0, count: 16), CK_ULONG(0))
        try check(unsafe list.pointee.C_FindObjects?(session, &objects, CK_ULONG(objects.count), &count))
        return Array(objects.prefix(Int(clamping: count)))
    }

    /// Returns an attribute of an object; `nil` if the object has none, or tells it to nobody.
    func value(
        _ type: CK_ATTRIBUTE_TYPE,
        of object: CK_OBJECT_HANDLE,
        _ session: CK_SESSION_HANDLE
    ) throws(SignerError) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: 1_024)
        var length: CK_ULONG = 0
        let code = unsafe value.withUnsafeMutableBytes { bytes in
            var attribute = unsafe CK_ATTRIBUTE(
                type: type,
                pValue: bytes.baseAddress,
                ulValueLen: CK_ULONG(bytes.count)
            )
            let code = unsafe list.pointee.C_GetAttributeValue?(session, object, &attribute, 1)
            length = unsafe attribute.ulValueLen
            return code
        }
        let isWithheld = [CKR_ATTRIBUTE_TYPE_INVALID, CKR_ATTRIBUTE_SENSITIVE, CKR_BUFFER_TOO_SMALL].contains(code)
        guard !isWithheld else { return nil }
        try check(code)
        return length <= value.count ? Array(value.prefix(Int(length))) : nil
    }

    /// Returns a raw ECDSA signature of a digest: r, then s.
    func sign(
        _ session: CK_SESSION_HANDLE,
        _ key: CK_OBJECT_HANDLE,
        _ digest: [UInt8]
    ) throws(SignerError) -> [UInt8] {
        var mechanism = unsafe CK_MECHANISM(mechanism: CKM_ECDSA, pParameter: nil, ulParameterLen: 0)
        try check(unsafe list.pointee.C_SignInit?(session, &mechanism, key))
        var (digest, signature) = (digest, [UInt8](repeating: 0, count: 256))
        var length = CK_ULONG(signature.count)
        try check(unsafe list.pointee.C_Sign?(session, &digest, CK_ULONG(digest.count), &signature, &length))
        return Array(signature.prefix(Int(clamping: length)))
    }
}

extension SignerError {
    /// Sorts a code of PKCS#11 (§11.1) by what helps.
    init(code: CK_RV) {
        self =
            switch code {
            case CKR_SLOT_ID_INVALID, CKR_GENERAL_ERROR, CKR_FUNCTION_FAILED, CKR_DEVICE_ERROR, CKR_DEVICE_MEMORY,
                CKR_DEVICE_REMOVED, CKR_KEY_HANDLE_INVALID, CKR_OBJECT_HANDLE_INVALID, CKR_SESSION_CLOSED,
                CKR_SESSION_HANDLE_INVALID, CKR_TOKEN_NOT_PRESENT, CKR_TOKEN_NOT_RECOGNIZED, CKR_USER_NOT_LOGGED_IN,
                CKR_CRYPTOKI_NOT_INITIALIZED:
                .gone
            case CKR_PIN_INCORRECT, CKR_PIN_INVALID, CKR_PIN_LEN_RANGE: .pinRefused
            case CKR_PIN_LOCKED: .pinLocked
            default: .refused(code)
            }
    }
}
