internal import CPKCS11
internal import Glibc
internal import ThumbturnCrypto
internal import ThumbturnFiles

/// A loaded PKCS#11 module, which all signers of the process share.
///
/// It is initialised once, and stays. Some modules find a token that was away only when they are started anew, as
/// SoftHSM does and others that lost their connection. That ends every session of the process, so it is done when a
/// token or its key is missing, no call is under way, and none has succeeded since one failed.
final class PKCS11Module: Sendable {
    let functions: PKCS11Functions
    let calls = Monitor(Calls())
    /// What one thread at a time uses, while it looks for a key.
    let desk = Monitor(Desk())

    init(_ functions: PKCS11Functions) { self.functions = functions }

    /// The calls of the signers' sessions.
    struct Calls {
        /// How often the module was started anew: sessions of before are gone.
        var generation = 0
        /// How many are under way.
        var count = 0
        /// Whether the last one that ended succeeded.
        var isAlive = false
    }

    /// What this process knows of the module and its tokens.
    struct Desk {
        var isInitialized = false
        /// Whether this process's other parts leave the module alone, so that it may be ended.
        var isOurs = false
        /// For each token a session that is never used: with the last one, SoftHSM logs others out
        /// (softhsm/SoftHSMv2#464).
        var anchors: [PKCS11Token: CK_SESSION_HANDLE] = [:]
        /// The PIN that a token refused.
        var refused: [PKCS11Token: HeldSecret] = [:]
    }

    /// Runs calls of a session.
    ///
    /// - Returns: `nil` if the module was started anew since the session was opened.
    func calling<Answer>(
        since generation: Int,
        _ body: (PKCS11Functions) throws(SignerError) -> Answer
    ) throws(SignerError) -> Answer? {
        let isCurrent = calls.change { calls in
            guard calls.generation == generation else { return false }
            calls.count += 1
            return true
        }
        guard isCurrent else { return nil }
        defer { calls.change { $0.count -= 1 } }
        return try body(functions)
    }

    /// Notes that a token did what it was asked to, or was gone.
    func note(isAlive: Bool) { calls.change { $0.isAlive = isAlive } }
}

// Loading.
extension PKCS11Module {
    /// The modules of this process, by the handle of the dynamic linker.
    private static let loaded = Monitor<[UInt: PKCS11Module]>([:])

    /// Loads the module at a path; it is never unloaded.
    static func load(_ path: String) throws(SignerError) -> PKCS11Module {
        try loaded.change { loaded -> Result<PKCS11Module, SignerError> in
            guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else { return .failure(.moduleMissing) }
            let number = UInt(bitPattern: handle)
            if let module = loaded[number] { return .success(module) }
            guard let symbol = unsafe dlsym(handle, "C_GetFunctionList") else { return .failure(.moduleMissing) }
            let function = unsafe unsafeBitCast(symbol, to: CK_C_GetFunctionList.self)
            var list: CK_FUNCTION_LIST_PTR?
            guard unsafe function(&list) == CKR_OK, let list = unsafe list else { return .failure(.moduleMissing) }
            let module = unsafe PKCS11Module(PKCS11Functions(list))
            loaded[number] = module
            return .success(module)
        }.get()
    }
}
