import CTSS2
import Glibc
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules

/// A TPM 2.0, used on one thread.
///
/// Each operation is a conversation: a tpm2-tss context, its handles, and their release. The calls of one turn share a
/// conversation, since making its parent key and session costs more than most of the calls. Nothing comes from the
/// environment: the transport is passed to the initialiser, and tpm2-tss writes no log, because its traces contain
/// buffers.
final class TPM: Sendable {
    let thread: WorkThread
    /// The properties it last reported, which say how it counts guesses.
    let seen = Monitor<TPMProperties?>(nil)
    private let transport: String
    private let kept: KeptConversation

    /// - Parameters:
    ///   - transport: in tpm2-tss's notation, `device:/dev/tpmrm0`; an empty one would make it try several.
    ///   - limit: how long a call may wait for the TPM; another one only in tests.
    ///   - patience: how long an idle turn keeps its conversation; long enough for a slow derivation.
    init(
        transport: String,
        limit: Milliseconds = Patience.chip,
        patience: Milliseconds = .seconds(2)
    ) throws(DeviceRefusal) {
        guard !transport.isEmpty else { throw .hardwareMissing }
        guard Self.hasSoftware else { throw .unavailable }
        self.transport = transport
        let kept = KeptConversation()
        self.kept = kept
        thread = WorkThread(limit: limit, patience: patience) { kept.end() }
        _ = Self.isQuiet
    }

    /// Whether tpm2-tss is installed; loads it if so.
    static var hasSoftware: Bool { tpm_software_is_there() != 0 }

    /// Set once, before the first call of tpm2-tss, and never unset.
    private static let isQuiet = unsafe setenv("TSS2_LOG", "all+none", 1) == 0

    /// Runs a conversation on the thread.
    ///
    /// Runs it again if the first attempt only lacked room, lost its handles, or failed at a shortcut that it can do
    /// without.
    ///
    /// A body that runs again must recognise what it has already done.
    func talk<R: ~Copyable>(_ body: (TPMContext) throws(TPMFailure) -> R) throws(DeviceRefusal) -> R {
        var shortcuts = Shortcuts()
        do throws(TPMFailure) {
            return try converse(&shortcuts, body)
        } catch {
            guard error.known?.mayPassAnew == true || shortcuts != Shortcuts() else { throw error.refusal }
        }
        shortcuts.keptFailed = true
        do throws(TPMFailure) {
            return try converse(&shortcuts, body)
        } catch {
            throw error.refusal
        }
    }

    /// Shortcuts that may have made a conversation fail, and that it can do without.
    private struct Shortcuts: Equatable {
        /// The kept conversation: the TPM may have been restarted, or another one may answer by now.
        var keptFailed = false
        /// The persistent key's handle may hold another object.
        var persistentKeyFailed = false
    }

    private func converse<R: ~Copyable>(
        _ shortcuts: inout Shortcuts,
        _ body: (TPMContext) throws(TPMFailure) -> R
    ) throws(TPMFailure) -> R {
        // Unless it is kept, the context ends inside, and with it everything secret that tpm2-tss has.
        try withCleanStack { () throws(TPMFailure) in
            let former = shortcuts.keptFailed ? nil : kept.take()
            let context = if let former { former } else { try TPMContext(transport: transport) }
            context.looksForPersistentKey = !shortcuts.persistentKeyFailed
            do throws(TPMFailure) {
                let result = try body(context)
                kept.keep(context)
                return result
            } catch {
                // A guess is never sent twice.
                if case .code = error { shortcuts.keptFailed = former != nil && !context.hasSecret }
                shortcuts.persistentKeyFailed = !context.looksForPersistentKey
                throw error
            }
        }
    }
}

// Turns: the calls of one vault operation.
extension TPM {
    /// Starts a turn, during which a conversation is kept for the next call.
    func beginTurn() { kept.beginTurn() }

    /// Ends a turn, and the kept conversation unless another turn is in progress.
    func endTurn() async {
        // Counted here, not on the thread, which may be blocked.
        if kept.endTurn() { await onThread { $0.end() } }
    }

    /// Ends the kept conversation in the middle of a turn, which may have to wait for the user.
    func pause() async { await onThread { $0.end() } }

    private func onThread(_ body: @escaping @Sendable (KeptConversation) -> Void) async {
        // Without a thread nothing was ever kept.
        try? await thread.run { [kept] () throws(DeviceRefusal) in body(kept) }
    }
}

/// The conversation that a turn's calls share, kept between two of them.
///
/// While it is kept, a TPM without a resource manager has one place less for objects and one less for sessions: it has
/// three of each, and each of our programs needs two at once. So a conversation is never kept outside of a turn, for
/// long, or with a secret in it.
@safe private final class KeptConversation: @unchecked Sendable {
    // Safe to share: `lock` guards both.
    private let lock = Lock()
    private var turns = 0
    private var context: TPMContext?

    func beginTurn() { lock.withLock { turns += 1 } }

    /// - Returns: whether no other turn is in progress.
    func endTurn() -> Bool {
        lock.withLock {
            turns -= 1
            return turns == 0
        }
    }

    func end() { withCleanStack { _ = take() } }

    func take() -> TPMContext? { lock.withLock { context.take() } }

    func keep(_ context: TPMContext) {
        guard lock.withLock({ turns > 0 }), context.mayGoOn() else { return }
        lock.withLock { self.context = context }
    }
}

/// One conversation with a TPM: a tpm2-tss context, and every handle that was opened in it.
///
/// A TPM without a resource manager has room for three objects and keeps them when a program ends, so each is flushed.
@safe final class TPMContext {
    // Safe: both live as long as this object, which passes them only to calls within its own methods.
    private var transport: OpaquePointer?
    private var system: OpaquePointer?
    private var handles: [ESYS_TR] = []
    /// The key that was found, and the session salted with it, for the next call.
    var keptParent: Parent?
    var keptSession: (handle: ESYS_TR, key: [UInt8])?
    /// Whether to look for a persistent key; false after that failed.
    var looksForPersistentKey = true
    var lastLook: AnchorLook?
    /// Whether tpm2-tss received or returned a secret: such a conversation ends with its call.
    var hasSecret = false

    init(transport configuration: String) throws(TPMFailure) {
        var transport: OpaquePointer?
        try check(unsafe Tss2_TctiLdr_Initialize(configuration, &transport))
        unsafe self.transport = unsafe transport
        closeOnExec()
        // From here on `deinit` runs, also when this throws.
        var system: OpaquePointer?
        try check(unsafe Esys_Initialize(&system, transport, nil))
        unsafe self.system = unsafe system
    }

    deinit {
        // Here tpm2-tss frees its copies of a secret. Wrapping the whole conversation would cost a tenth more: every
        // HMAC of tpm2-tss creates a library context of OpenSSL's, which is thousands of blocks.
        WipingHeap.shared.run {
            if unsafe system != nil {
                for handle in handles.reversed() { _ = unsafe Esys_FlushContext(system, handle) }
                unsafe Esys_Finalize(&system)
            }
            if unsafe transport != nil { unsafe Tss2_TctiLdr_Finalize(&transport) }
        }
    }

    /// Closes the TPM's descriptor on exec: a child process must not have the TPM, nor keep this conversation's objects
    /// alive.
    private func closeOnExec() {
        var (handle, count) = (TSS2_TCTI_POLL_HANDLE(), 1)
        guard unsafe tcti_get_poll_handles(transport, &handle, &count) == 0, count == 1, handle.fd >= 0 else { return }
        _ = fcntl(handle.fd, F_SETFD, FD_CLOEXEC)
    }

    /// The first argument of every ESYS call.
    var esys: OpaquePointer? { unsafe system }

    /// Registers an object's or session's handle, to be flushed when the conversation ends.
    func keep(_ handle: ESYS_TR) -> ESYS_TR {
        handles.append(handle)
        return handle
    }

    /// Flushes an object or a session early, to make room.
    func end(_ handle: ESYS_TR) throws(TPMFailure) {
        guard let position = handles.lastIndex(of: handle) else { return }
        handles.remove(at: position)
        try check(WipingHeap.shared.run { unsafe Esys_FlushContext(system, handle) })
    }

    /// Whether another call can use this conversation; flushes what only the last call needed.
    func mayGoOn() -> Bool {
        guard !hasSecret else { return false }
        do throws(TPMFailure) {
            let kept = [keptParent?.handle, keptSession?.handle]
            for handle in handles.reversed() where !kept.contains(handle) { try end(handle) }
            return true
        } catch {
            return false
        }
    }

    /// Returns properties of the TPM by their number.
    ///
    /// - Parameter session: if given, it proves that the answer comes from the TPM.
    func properties(
        from first: UInt32,
        count: UInt32,
        _ session: ESYS_TR = noSession
    ) throws(TPMFailure) -> [UInt32: UInt32] {
        try unsafe capability(TPM2_CAP(TPM2_CAP_TPM_PROPERTIES), from: first, count: count, session) { answer in
            unsafe withUnsafeBytes(of: answer.pointee.data.tpmProperties.tpmProperty) { list in
                let list = unsafe list.bindMemory(to: TPMS_TAGGED_PROPERTY.self)
                let count = unsafe Int(answer.pointee.data.tpmProperties.count)
                return unsafe Dictionary(list.prefix(count).map { ($0.property, $0.value) }) { first, _ in first }
            }
        }
    }

    /// Returns the handles in use from `first` on, in order.
    func handles(from first: UInt32, count: UInt32) throws(TPMFailure) -> [UInt32] {
        try unsafe capability(TPM2_CAP(TPM2_CAP_HANDLES), from: first, count: count) { answer in
            unsafe withUnsafeBytes(of: answer.pointee.data.handles.handle) { list in
                let count = unsafe Int(answer.pointee.data.handles.count)
                return unsafe Array(list.bindMemory(to: UInt32.self).prefix(count))
            }
        }
    }

    private func capability<R>(
        _ kind: TPM2_CAP,
        from first: UInt32,
        count: UInt32,
        _ session: ESYS_TR = noSession,
        _ body: (UnsafeMutablePointer<TPMS_CAPABILITY_DATA>) -> R
    ) throws(TPMFailure) -> R {
        if session != noSession { try setPurpose(of: session, isAudit: true) }
        defer { if session != noSession { try? setPurpose(of: session, isAudit: false) } }
        var more = TPMI_YES_NO()
        var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
        try check(unsafe Esys_GetCapability(esys, session, noSession, noSession, kind, first, count, &more, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        return unsafe body(answer)
    }

    func clock() throws(TPMFailure) -> TPMClock {
        var answer: UnsafeMutablePointer<TPMS_TIME_INFO>?
        try check(unsafe Esys_ReadClock(esys, noSession, noSession, noSession, &answer))
        guard let answer = unsafe answer else { throw .malformed }
        defer { unsafe Esys_Free(answer) }
        let info = unsafe answer.pointee.clockInfo
        return TPMClock(milliseconds: info.clock, resetCount: info.resetCount)
    }
}

/// The time reported by a TPM.
struct TPMClock: Hashable, Sendable {
    /// Milliseconds that it was powered, over its whole life.
    var milliseconds: UInt64
    /// How often it was reset: at each boot, but not by sleep, nor by hibernation, which a TPM calls a restart.
    var resetCount: UInt32
}

/// Stands for no session in ESYS calls.
let noSession = ESYS_TR(ESYS_TR_NONE)

/// Throws for any response code but success.
func check(_ code: TSS2_RC) throws(TPMFailure) { guard code == 0 else { throw .code(code) } }

/// Fills a C array from its start; `bytes` fits by construction.
func fill<Field>(_ field: inout Field, _ bytes: [UInt8]) {
    unsafe withUnsafeMutableBytes(of: &field) { field in
        precondition(bytes.count <= field.count, "a field is too small")
        unsafe field.copyBytes(from: bytes)
    }
}

/// Returns the first bytes of a C array that holds no secret: the array is copied.
func bytes<Field>(of field: Field, count: some BinaryInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: field) { unsafe Array($0.prefix(Int(count))) }
}
