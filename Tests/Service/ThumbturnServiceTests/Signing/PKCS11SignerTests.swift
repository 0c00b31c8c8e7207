import CPKCS11
import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnTestKit

@testable import ThumbturnService

/// The rules of a signer on a token, beside `SoftHSMTests`: here the token answers whatever a test wants.
@Suite("A signer on a token", .serialized) struct PKCS11SignerTests {
    private let folder: TemporaryFolder
    private let token = FakeToken.make()
    private let module = unsafe PKCS11Module(PKCS11Functions(FakeToken.functions))
    private static let message = Array("head".utf8)

    init() throws {
        folder = try TemporaryFolder()
        try setPIN("1234")
    }

    private func setPIN(_ pin: String) throws {
        try folder.write(Array(pin.utf8), to: "pin")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.file("pin"))
    }

    private func open(_ key: String = "token=audit;object=key", hasPIN: Bool = true) throws -> PKCS11Signer {
        let pin = hasPIN ? "&pin-source=" + folder.file("pin") : ""
        guard case .pkcs11(let uri) = try SignerLocation(parsing: "pkcs11:\(key)?module-path=/none" + pin) else {
            throw SignerLocationError.scheme
        }
        return try PKCS11Signer(uri, module)
    }

    private func check(_ signer: PKCS11Signer) throws {
        try P256.verify(signature: signer.sign(Self.message), of: Self.message, publicKey: token.key.publicKey)
    }

    @Test func `signs what the token's public key verifies`() throws {
        let signer = try open()
        #expect(signer.publicKey == token.key.publicKey)
        for _ in 1...100 { try check(signer) }
        #expect(token.now.starts == 1 && token.now.logins == [Array("1234".utf8)])
        // One for the signer, and the one that keeps the login.
        #expect(token.now.sessions.count == 2)
    }

    @Test(
        .holds("INV-107-10"),
        arguments: [
            CKR_OBJECT_HANDLE_INVALID, CKR_SESSION_HANDLE_INVALID, CKR_GENERAL_ERROR, CKR_DEVICE_ERROR,
            CKR_DEVICE_MEMORY,
            CKR_DEVICE_REMOVED, CKR_TOKEN_NOT_PRESENT, CKR_TOKEN_NOT_RECOGNIZED, CKR_USER_NOT_LOGGED_IN,
            CKR_KEY_HANDLE_INVALID, CKR_SESSION_CLOSED, CKR_FUNCTION_FAILED, CKR_SLOT_ID_INVALID,
        ],
        ["C_SignInit", "C_Sign"]
    )
    func `that fails for a moment is gone for that call, and found again by the next`(code: CK_RV, call: String) throws
    {
        let signer = try open()
        token.change { $0.answers[call] = [code] }
        #expect(throws: SignerError.gone) { try signer.sign(Self.message) }
        try check(signer)
        // In another session, the former one closed; the module was not started anew for it.
        #expect(token.now.sessions.count == 2 && token.now.starts == 1)
    }

    @Test(arguments: [CKR_MECHANISM_INVALID, CKR_FUNCTION_REJECTED, 0x8000_0001])
    func `that refuses says why, and is found anew by the next call`(code: CK_RV) throws {
        let signer = try open()
        let session = token.now.sessions
        token.change { $0.answers["C_SignInit"] = [code] }
        #expect(throws: SignerError.refused(code)) { try signer.sign(Self.message) }
        try check(signer)
        #expect(token.now.sessions != session)
    }

    @Test(arguments: [false, true], [1, 3])
    func `that is away is gone until it is back`(needsStart: Bool, tries: Int) throws {
        let signers = [try open(), try open()]
        token.change { ($0.isPresent, $0.isMissedUntilStart) = (false, needsStart) }
        for _ in 1...tries {
            for signer in signers { #expect(throws: SignerError.gone) { try signer.sign(Self.message) } }
            #expect(throws: SignerError.tokenMissing) { try open() }
        }
        token.change { $0.isPresent = true }
        // One that looks into a module's former state fails once more, and starts it anew.
        let all = signers + [try open()]
        for signer in all { try check(signer) }
        #expect(token.now.sessions.count == all.count + 1)
    }

    @Test(arguments: [false, true]) func `that is away from the start is found when it comes`(needsStart: Bool) throws {
        token.change { ($0.isPresent, $0.isMissedUntilStart) = (false, needsStart) }
        for _ in 1...2 { #expect(throws: SignerError.tokenMissing) { try open() } }
        token.change { $0.isPresent = true }
        try check(open())
    }

    @Test func `whose module was started anew for one signer goes on for another at once`() throws {
        let (idle, busy) = (try open(), try open())
        token.change { ($0.isPresent, $0.isMissedUntilStart) = (false, true) }
        #expect(throws: SignerError.gone) { try busy.sign(Self.message) }
        token.change { $0.isPresent = true }
        try check(busy)
        #expect(token.now.ends == 1)
        try check(idle)
    }

    @Test func `that was never there does not disturb one that is`() throws {
        let signer = try open()
        for _ in 1...3 { #expect(throws: SignerError.tokenMissing) { try open("token=other;object=key") } }
        for _ in 1...3 { #expect(throws: SignerError.keyMissing) { try open("token=audit;object=other") } }
        #expect(token.now.ends == 0)
        try check(signer)
    }

    @Test func `whose module another part of the process uses is not started anew`() throws {
        token.change { $0.answers["C_Initialize"] = [CKR_CRYPTOKI_ALREADY_INITIALIZED] }
        #expect(throws: SignerError.gone) { try open() }
        token.change { $0.start() }
        let signer = try open()
        token.change { ($0.isPresent, $0.isMissedUntilStart) = (false, true) }
        for _ in 1...3 { #expect(throws: SignerError.gone) { try signer.sign(Self.message) } }
        #expect(token.now.ends == 0)
    }

    @Test func `that hangs in one signer keeps no other waiting, and is not started anew under it`() throws {
        let (opened, begun, released) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        try onThreads(2) { number in
            if number == 0 {
                opened.wait()
                let hanging = try open()
                token.change { state in
                    state.meanwhile = {
                        begun.signal()
                        released.wait()
                    }
                }
                try check(hanging)
            } else {
                defer { released.signal() }
                let signer = try open()
                opened.signal()
                begun.wait()
                try check(signer)
                try check(open())
                token.change { ($0.isPresent, $0.isMissedUntilStart) = (false, true) }
                for _ in 1...3 { #expect(throws: SignerError.gone) { try signer.sign(Self.message) } }
                token.change { $0.isPresent = true }
                for _ in 1...3 { #expect(throws: SignerError.gone) { try signer.sign(Self.message) } }
                #expect(token.now.ends == 0)
                token.change { $0.isMissedUntilStart = false }
                try check(signer)
            }
        }
    }

    @Test func `gets a wrong PIN once, and the next when the file has another`() throws {
        try setPIN("4321")
        for _ in 1...3 { #expect(throws: SignerError.pinRefused) { try open() } }
        #expect(token.now.logins.count == 1)
        try setPIN("9999")
        for _ in 1...3 { #expect(throws: SignerError.pinRefused) { try open() } }
        #expect(token.now.logins.count == 2)
        try setPIN("1234")
        try check(open())
        #expect(token.now.logins.count == 3)
    }

    @Test(arguments: [
        ("1234\n", "1234"), ("1234\r\n", "1234"), ("12 34", "12 34"), ("1234\n\n", "1234\n"), (" 1234", " 1234"),
    ])
    func `gets the PIN as its file has it, without the newline at its end`(text: String, pin: String) throws {
        try setPIN(text)
        token.change { $0.pin = Array(pin.utf8) }
        try check(open())
    }

    @Test func `asks for no PIN that it has no use for, and says when one is missing`() throws {
        #expect(throws: SignerError.pinMissing) { try open(hasPIN: false) }
        try setPIN("\n")
        #expect(throws: SignerError.pinMissing) { try open() }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file("pin"))
        #expect(throws: SignerError.unreadable(.pin, .refused(.wrongMode))) { try open() }
        try FileManager.default.removeItem(atPath: folder.file("pin"))
        #expect(throws: SignerError.unreadable(.pin, .absent)) { try open() }
        #expect(token.now.logins.isEmpty)
        // A token that asks for it itself gets none.
        token.change { $0.flags |= CKF_PROTECTED_AUTHENTICATION_PATH }
        try check(open(hasPIN: false))
        #expect(token.now.logins == [nil])
        token.change { $0.flags = 0 }
        try check(open(hasPIN: false))
        #expect(token.now.logins.count == 1)
    }

    @Test(arguments: [CKR_PIN_LOCKED]) func `that is locked says so`(code: CK_RV) throws {
        token.change { $0.answers["C_Login"] = [code] }
        #expect(throws: SignerError.pinLocked) { try open() }
    }

    @Test func `is of one kind: ECDSA on P-256 that may sign without a prompt`() throws {
        let changes: [[CK_ATTRIBUTE_TYPE: [UInt8]]] = [
            [CKA_KEY_TYPE: FakeKey.number(CKK_RSA)], [CKA_EC_PARAMS: [0x06, 5, 0x2b, 0x81, 4, 0, 34]], [CKA_SIGN: [0]],
            [CKA_ALWAYS_AUTHENTICATE: [1]],
        ]
        let pair = token.now.objects
        for change in changes {
            token.change { $0.objects = [pair[0].merging(change) { $1 }, pair[1]] }
            #expect(throws: SignerError.wrongKind) { try open() }
        }
        #expect(token.now.sessions.count == 1)
    }

    @Test func `has its public half beside it, in one of the forms that tokens have`() throws {
        let (pair, point) = (token.now.objects, token.key.point)
        let other = FakeKey().pair(label: "key", id: [1])[1]
        let withPoint = pair[0].merging([CKA_EC_POINT: point]) { $1 }
        let withoutID = pair.map { object in object.filter { $0.key != CKA_ID } }
        let relabelled = pair[1].merging([CKA_LABEL: Array("public".utf8)]) { $1 }
        for objects in [
            [pair[0], pair[1].merging([CKA_EC_POINT: point]) { $1 }], [withPoint], withoutID, [pair[0], relabelled],
            [other, pair[1], pair[0]], [other, withPoint],
        ] {
            token.change { $0.objects = objects }
            let signer = try open()
            #expect(signer.publicKey == token.key.publicKey)
            try check(signer)
        }
        for objects in [[pair[0]], [pair[0], other], [pair[0], pair[1].merging([CKA_EC_POINT: [4, 1]]) { $1 }]] {
            token.change { $0.objects = objects }
            #expect(throws: SignerError.publicKeyMissing) { try open() }
        }
    }

    @Test func `of several that fit is none, until more is said of it`() throws {
        token.change { state in
            state.objects += FakeKey().pair(label: "key", id: [2])
            state.labels = [("audit", "1"), ("audit", "2")]
        }
        #expect(throws: SignerError.ambiguous) { try open() }
        #expect(throws: SignerError.ambiguous) { try open("token=audit;serial=1;object=key") }
        #expect(throws: SignerError.ambiguous) { try open("token=audit;object=key;id=%01") }
        try check(open("token=audit;serial=1;object=key;id=%01"))
        try check(open("token=audit;serial=1;id=%01"))
        #expect(throws: SignerError.tokenMissing) { try open("token=audit;serial=3;object=key;id=%01") }
    }

    @Test func `that comes back with another key under the name is not the same`() throws {
        let signer = try open()
        token.change { state in
            state.objects = FakeKey().pair(label: "key", id: [1])
            state.answers["C_SignInit"] = [CKR_DEVICE_REMOVED]
        }
        #expect(throws: SignerError.gone) { try signer.sign(Self.message) }
        #expect(throws: SignerError.keyMissing) { try signer.sign(Self.message) }
    }

    @Test(arguments: [0, 63, 65, 128, 64], [0, 7] as [UInt8])
    func `whose signature is none counts as one that failed`(count: Int, byte: UInt8) throws {
        guard count != 64 || byte == 0 else { return }
        let signer = try open()
        token.change { $0.signature = [UInt8](repeating: byte, count: count) }
        #expect(throws: SignerError.gone) { try signer.sign(Self.message) }
        token.change { $0.signature = nil }
        try check(signer)
    }

    @Test func `lacks what its module lacks`() throws {
        let list = CK_FUNCTION_LIST_PTR.allocate(capacity: 1)
        defer { unsafe list.deallocate() }
        unsafe list.initialize(to: CK_FUNCTION_LIST())
        let empty = unsafe PKCS11Module(PKCS11Functions(list))
        guard case .pkcs11(let uri) = try SignerLocation(parsing: "pkcs11:token=a;object=b?module-path=/m") else {
            return
        }
        #expect(throws: SignerError.refused(CKR_FUNCTION_NOT_SUPPORTED)) { try PKCS11Signer(uri, empty) }
    }

    @Test func `ends its session with itself, and never the one that keeps the login`() throws {
        for _ in 1...5 { try check(open()) }
        #expect(token.now.sessions.count == 1 && token.now.logins.count == 1)
    }
}
