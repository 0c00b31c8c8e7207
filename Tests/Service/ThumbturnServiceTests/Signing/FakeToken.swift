import CPKCS11
import Foundation

/// A PKCS#11 module in Swift, with one token or several, which goes, refuses and comes back as a test wants.
///
/// A module's functions have no context, so one token is in use at a time: its suites are serialized.
@safe final class FakeToken: @unchecked Sendable {
    // Safe to share: the lock guards all of it.
    private let lock = NSRecursiveLock()
    private var state = State()

    struct State {
        /// What each slot's token says; the first has the objects.
        var labels = [(label: "audit", serial: "1")]
        var flags: CK_FLAGS = CKF_LOGIN_REQUIRED
        var pin = Array("1234".utf8)
        var objects: [[CK_ATTRIBUTE_TYPE: [UInt8]]] = []
        /// Whether the tokens are there now.
        var isPresent = true
        /// Whether a token that went comes back only with a new start.
        var isMissedUntilStart = false
        fileprivate(set) var isMissed = false
        /// What the next calls of a function answer, by its name.
        var answers: [String: [CK_RV]] = [:]
        /// What a signature is instead.
        var signature: [UInt8]?
        /// Runs in the next signature, without the lock.
        var meanwhile: (() -> Void)?

        fileprivate(set) var isInitialized = false
        var starts = 0
        var ends = 0
        var logins: [[UInt8]?] = []
        var sessions: Set<CK_SESSION_HANDLE> = []
        fileprivate(set) var isLoggedIn = false
        fileprivate(set) var found: [CK_OBJECT_HANDLE] = []
        fileprivate(set) var handles: CK_SESSION_HANDLE = 100
        /// Objects have other numbers after each start.
        fileprivate var firstObject: CK_OBJECT_HANDLE { CK_OBJECT_HANDLE(1_000 * starts) }
    }

    let key = FakeKey()
    // The token in use. Safe to share: suites that set it are serialized.
    nonisolated(unsafe) private static var current = FakeToken()

    private init() {}

    /// A token with a key pair: label `key`, identifier 1.
    static func make() -> FakeToken {
        let token = FakeToken()
        token.change { $0.objects = token.key.pair(label: "key", id: [1]) }
        unsafe current = token
        return token
    }

    @discardableResult
    func change<R>(_ body: (inout State) -> R) -> R { lock.withLock { body(&state) } }

    var now: State { change { $0 } }

    fileprivate static func called(_ name: String, _ body: (FakeToken, inout State) -> CK_RV) -> CK_RV {
        let token = unsafe current
        return token.change { state in
            if let answer = state.answers[name]?.first {
                state.answers[name]?.removeFirst()
                return answer
            }
            guard state.isInitialized || name == "C_Initialize" else { return CKR_CRYPTOKI_NOT_INITIALIZED }
            if !state.isPresent { state.isMissed = true }
            return body(token, &state)
        }
    }

    /// Lets other threads in until a test's closure ends.
    fileprivate static func waitMeanwhile() {
        let meanwhile = unsafe current.change { state in
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        meanwhile?()
    }
}

extension FakeToken.State {
    fileprivate var isReachable: Bool { isPresent && !(isMissed && isMissedUntilStart) }

    fileprivate func object(_ handle: CK_OBJECT_HANDLE) -> [CK_ATTRIBUTE_TYPE: [UInt8]]? {
        guard isReachable, handle >= firstObject, Int(handle - firstObject) < objects.count else { return nil }
        return objects[Int(handle - firstObject)]
    }

    fileprivate func matches(_ wanted: [CK_ATTRIBUTE_TYPE: [UInt8]]) -> [CK_OBJECT_HANDLE] {
        guard isReachable else { return [] }
        return objects.indices.filter { index in wanted.allSatisfy { objects[index][$0.key] == $0.value } }
            .map { firstObject + CK_OBJECT_HANDLE($0) }
    }

    @discardableResult
    mutating func start() -> CK_RV {
        guard !isInitialized else { return CKR_CRYPTOKI_ALREADY_INITIALIZED }
        (isInitialized, isMissed) = (true, false)
        starts += 1
        return CKR_OK
    }

    fileprivate mutating func end() -> CK_RV {
        (isInitialized, isLoggedIn, sessions) = (false, false, [])
        ends += 1
        return CKR_OK
    }

    fileprivate mutating func logIn(_ pin: [UInt8]?) -> CK_RV {
        guard !isLoggedIn else { return CKR_USER_ALREADY_LOGGED_IN }
        logins.append(pin)
        guard pin == nil || pin == self.pin else { return CKR_PIN_INCORRECT }
        isLoggedIn = true
        return CKR_OK
    }
}

extension FakeToken {
    /// The functions, for `PKCS11Functions`.
    // Safe to share: nothing changes them once they are made.
    nonisolated(unsafe) static let functions: CK_FUNCTION_LIST_PTR = {
        let list = CK_FUNCTION_LIST_PTR.allocate(capacity: 1)
        unsafe list.initialize(to: CK_FUNCTION_LIST())
        unsafe list.pointee.C_Initialize = { _ in FakeToken.called("C_Initialize") { $1.start() } }
        unsafe list.pointee.C_Finalize = { _ in FakeToken.called("C_Finalize") { $1.end() } }
        unsafe addSlots(list)
        unsafe addSessions(list)
        unsafe addObjects(list)
        unsafe addSigning(list)
        return unsafe list
    }()

    private static func addSlots(_ list: CK_FUNCTION_LIST_PTR) {
        unsafe list.pointee.C_GetSlotList = { _, slots, count in
            FakeToken.called("C_GetSlotList") { _, state in
                let present = state.isReachable ? state.labels.indices.map { CK_SLOT_ID($0 + 7) } : []
                guard let slots = unsafe slots else {
                    unsafe count?.pointee = CK_ULONG(present.count)
                    return CKR_OK
                }
                guard unsafe count?.pointee ?? 0 >= CK_ULONG(present.count) else { return CKR_BUFFER_TOO_SMALL }
                for (index, slot) in present.enumerated() { unsafe slots[index] = slot }
                unsafe count?.pointee = CK_ULONG(present.count)
                return CKR_OK
            }
        }
        unsafe list.pointee.C_GetTokenInfo = { slot, info in
            FakeToken.called("C_GetTokenInfo") { _, state in
                guard state.isReachable, slot >= 7, Int(slot - 7) < state.labels.count else {
                    return CKR_DEVICE_REMOVED
                }
                let (label, serial) = state.labels[Int(slot - 7)]
                var token = CK_TOKEN_INFO()
                token.flags = state.flags
                unsafe withUnsafeMutableBytes(of: &token.label) { bytes in
                    unsafe bytes.copyBytes(
                        from: Array(label.utf8) + [UInt8](repeating: 0x20, count: 32 - label.utf8.count)
                    )
                }
                unsafe withUnsafeMutableBytes(of: &token.serialNumber) { unsafe $0.copyBytes(from: serial.utf8) }
                unsafe info?.pointee = token
                return CKR_OK
            }
        }
    }

    private static func addSessions(_ list: CK_FUNCTION_LIST_PTR) {
        unsafe list.pointee.C_OpenSession = { _, _, _, _, session in
            FakeToken.called("C_OpenSession") { _, state in
                guard state.isReachable else { return CKR_TOKEN_NOT_PRESENT }
                state.handles += 1
                state.sessions.insert(state.handles)
                unsafe session?.pointee = state.handles
                return CKR_OK
            }
        }
        unsafe list.pointee.C_CloseSession = { session in
            FakeToken.called("C_CloseSession") { _, state in
                guard state.sessions.remove(session) != nil else { return CKR_SESSION_HANDLE_INVALID }
                // With the last session, a token ends the login.
                if state.sessions.isEmpty { state.logOut() }
                return CKR_OK
            }
        }
        unsafe list.pointee.C_GetSessionInfo = { session, info in
            FakeToken.called("C_GetSessionInfo") { _, state in
                guard state.sessions.contains(session) else { return CKR_SESSION_HANDLE_INVALID }
                unsafe info?.pointee = CK_SESSION_INFO(slotID: 7, state: 0, flags: 0, ulDeviceError: 0)
                return CKR_OK
            }
        }
        unsafe list.pointee.C_Login = { session, _, pin, count in
            FakeToken.called("C_Login") { _, state in
                guard state.sessions.contains(session) else { return CKR_SESSION_HANDLE_INVALID }
                return state.logIn(unsafe pin.map { unsafe Array(UnsafeBufferPointer(start: $0, count: Int(count))) })
            }
        }
    }

    private static func addObjects(_ list: CK_FUNCTION_LIST_PTR) {
        unsafe list.pointee.C_FindObjectsInit = { session, template, count in
            FakeToken.called("C_FindObjectsInit") { _, state in
                guard state.sessions.contains(session) else { return CKR_SESSION_HANDLE_INVALID }
                var wanted: [CK_ATTRIBUTE_TYPE: [UInt8]] = [:]
                for index in 0..<Int(count) {
                    guard let attribute = unsafe template?[index] else { break }
                    let bytes = unsafe UnsafeRawBufferPointer(start: attribute.pValue, count: Int(attribute.ulValueLen))
                    wanted[unsafe attribute.type] = unsafe Array(bytes)
                }
                state.find(wanted)
                return CKR_OK
            }
        }
        unsafe list.pointee.C_FindObjects = { _, objects, room, count in
            FakeToken.called("C_FindObjects") { _, state in
                let found = state.found.prefix(Int(room))
                for (index, object) in found.enumerated() { unsafe objects?[index] = object }
                unsafe count?.pointee = CK_ULONG(found.count)
                return CKR_OK
            }
        }
        unsafe list.pointee.C_FindObjectsFinal = { _ in FakeToken.called("C_FindObjectsFinal") { _, _ in CKR_OK } }
        unsafe list.pointee.C_GetAttributeValue = { _, object, template, _ in
            FakeToken.called("C_GetAttributeValue") { _, state in
                guard let object = state.object(object) else { return CKR_OBJECT_HANDLE_INVALID }
                guard let attribute = unsafe template, let value = unsafe object[attribute.pointee.type] else {
                    unsafe template?.pointee.ulValueLen = .max
                    return CKR_ATTRIBUTE_TYPE_INVALID
                }
                guard unsafe Int(attribute.pointee.ulValueLen) >= value.count else { return CKR_BUFFER_TOO_SMALL }
                unsafe attribute.pointee.pValue?.copyMemory(from: value, byteCount: value.count)
                unsafe attribute.pointee.ulValueLen = CK_ULONG(value.count)
                return CKR_OK
            }
        }
    }

    private static func addSigning(_ list: CK_FUNCTION_LIST_PTR) {
        unsafe list.pointee.C_SignInit = { session, mechanism, key in
            FakeToken.called("C_SignInit") { _, state in
                guard unsafe mechanism?.pointee.mechanism == CKM_ECDSA else { return CKR_MECHANISM_INVALID }
                guard state.sessions.contains(session) else { return CKR_SESSION_HANDLE_INVALID }
                guard state.isLoggedIn || state.flags & CKF_LOGIN_REQUIRED == 0 else { return CKR_USER_NOT_LOGGED_IN }
                return state.object(key) == nil ? CKR_OBJECT_HANDLE_INVALID : CKR_OK
            }
        }
        unsafe list.pointee.C_Sign = { _, digest, count, signature, room in
            FakeToken.waitMeanwhile()
            return FakeToken.called("C_Sign") { token, state in
                let digest = unsafe Array(UnsafeBufferPointer(start: digest, count: Int(count)))
                let raw = state.signature ?? token.key.sign(digest)
                unsafe signature?.update(from: raw, count: raw.count)
                unsafe room?.pointee = CK_ULONG(raw.count)
                return CKR_OK
            }
        }
    }
}

extension FakeToken.State {
    fileprivate mutating func logOut() { isLoggedIn = false }
    fileprivate mutating func find(_ wanted: [CK_ATTRIBUTE_TYPE: [UInt8]]) { found = matches(wanted) }
}
