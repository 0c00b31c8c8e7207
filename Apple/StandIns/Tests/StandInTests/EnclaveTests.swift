import CryptoKit
import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

private typealias EnclaveKey = SecureEnclave.P256.KeyAgreement.PrivateKey
private typealias PublicKey = CryptoKit.P256.KeyAgreement.PublicKey

@Suite(.serialized) struct EnclaveTests {
    private let peer = CryptoKit.P256.KeyAgreement.PrivateKey()

    private func make(_ flags: SecAccessControlCreateFlags = []) throws -> EnclaveKey {
        let made = try #require(control(flags.union(.privateKeyUsage)))
        return try EnclaveKey(accessControl: made)
    }

    private func open(_ key: EnclaveKey, _ context: LAContext? = nil) throws -> EnclaveKey {
        try EnclaveKey(dataRepresentation: key.dataRepresentation, authenticationContext: context)
    }

    private func bytes(_ secret: SharedSecret) -> Data { unsafe secret.withUnsafeBytes { unsafe Data($0) } }

    private func failure(_ body: () throws -> Void) -> (domain: String, code: Int) {
        do {
            try body()
            return ("none", 0)
        } catch {
            return ((error as NSError).domain, (error as NSError).code)
        }
    }

    @Test func `both sides agree on one secret, and on another with each peer`() throws {
        Phone.start()
        let key = try make()
        let mine = try key.sharedSecretFromKeyAgreement(with: peer.publicKey)
        let theirs = try peer.sharedSecretFromKeyAgreement(with: key.publicKey)
        #expect(mine == theirs)
        #expect(bytes(mine).count == 32)
        let other = try key.sharedSecretFromKeyAgreement(with: CryptoKit.P256.KeyAgreement.PrivateKey().publicKey)
        #expect(other != mine)
    }

    @Test func `RFC 5903, 8.1: the curve gives the published keys and shared secret`() throws {
        let mine = try CryptoKit.P256.KeyAgreement.PrivateKey(
            rawRepresentation: Data(hex: "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")
        )
        let published =
            Data(hex: "dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180")
            + Data(hex: "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3")
        #expect(mine.publicKey.rawRepresentation == published)
        #expect(mine.publicKey.x963Representation == Data([4]) + published)
        let theirs = try PublicKey(
            rawRepresentation: Data(hex: "d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63")
                + Data(hex: "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab")
        )
        let shared = try mine.sharedSecretFromKeyAgreement(with: theirs)
        #expect(bytes(shared) == Data(hex: "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"))
        #expect(throws: CryptoKitError.self) {
            try CryptoKit.P256.KeyAgreement.PrivateKey(rawRepresentation: Data(count: 31))
        }
        #expect(throws: CryptoKitError.self) {
            try CryptoKit.P256.KeyAgreement.PrivateKey(rawRepresentation: Data(count: 32))
        }
    }

    @Test func `a signing key is opened again, asks nobody, and signs only while its class is readable [doc]`() throws {
        let phone = Phone.start()
        let made = try #require(control(.privateKeyUsage))
        let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: made)
        let again = try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: key.dataRepresentation)
        #expect(again.publicKey.x963Representation == key.publicKey.x963Representation)
        #expect(try again.signature(for: Data([1])).derRepresentation.first == 0x30)
        #expect(phone.prompts.isEmpty)
        phone.lockScreen()
        let locked = failure { _ = try again.signature(for: Data([1])) }
        #expect(locked == (NSOSStatusErrorDomain, Int(errSecInteractionNotAllowed)))
    }

    @Test func `a point that is not on the curve is refused`() {
        #expect(throws: CryptoKitError.self) { try PublicKey(rawRepresentation: Data(repeating: 1, count: 64)) }
        #expect(throws: CryptoKitError.self) { try PublicKey(rawRepresentation: Data(repeating: 1, count: 63)) }
        #expect(throws: CryptoKitError.self) { try PublicKey(x963Representation: Data(repeating: 4, count: 10)) }
    }

    @Test func `a key is opened again from its representation, without a prompt [doc]`() throws {
        let phone = Phone.start()
        let key = try make(.biometryCurrentSet)
        let again = try open(key)
        #expect(again.publicKey.rawRepresentation == key.publicKey.rawRepresentation)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `the prompt is where the key is used [doc]`() throws {
        let phone = Phone.start()
        let key = try make(.biometryCurrentSet)
        _ = try key.sharedSecretFromKeyAgreement(with: peer.publicKey)
        #expect(phone.prompts.map(\.origin) == [.enclave])
    }

    @Test func `a key without a constraint asks nobody [doc]`() throws {
        let phone = Phone.start()
        _ = try make().sharedSecretFromKeyAgreement(with: peer.publicKey)
        _ = try EnclaveKey().sharedSecretFromKeyAgreement(with: peer.publicKey)
        #expect(phone.prompts.isEmpty)
    }

    @Test func `an evaluated context saves the second prompt`() async throws {
        let phone = Phone.start()
        let key = try make(.biometryCurrentSet)
        let context = LAContext()
        #expect(await evaluate(context) == 0)
        _ = try open(key, context).sharedSecretFromKeyAgreement(with: peer.publicKey)
        #expect(phone.prompts.count == 1)
    }

    @Test func `a revoked key still has its representation, and fails when it is used [inf]`() throws {
        let phone = Phone.start()
        let key = try make(.biometryCurrentSet)
        phone.changeEnrolment()
        let again = try open(key)
        #expect(failure { _ = try again.sharedSecretFromKeyAgreement(with: peer.publicKey) } == ("CryptoTokenKit", -3))
        #expect(phone.prompts.isEmpty)
    }

    @Test func `a key for any face outlives the change [doc]`() throws {
        let phone = Phone.start()
        let key = try make(.biometryAny)
        phone.changeEnrolment()
        _ = try key.sharedSecretFromKeyAgreement(with: peer.publicKey)
    }

    @Test func `a cancel, a forbidden prompt and a lockout are told apart`() throws {
        let phone = Phone.start()
        let key = try make(.biometryCurrentSet)
        phone.script(.cancel)
        #expect(throws: LAError(.userCancel)) { try key.sharedSecretFromKeyAgreement(with: peer.publicKey) }
        let quiet = LAContext()
        quiet.interactionNotAllowed = true
        let silent = try open(key, quiet)
        #expect(throws: LAError(.notInteractive)) { try silent.sharedSecretFromKeyAgreement(with: peer.publicKey) }
        phone.lockOutBiometry()
        #expect(throws: LAError(.biometryLockout)) { try key.sharedSecretFromKeyAgreement(with: peer.publicKey) }
    }

    @Test func `a key needs the right to be used [apple-src]`() throws {
        Phone.start()
        let made = try #require(control(.biometryCurrentSet))
        #expect(failure { _ = try EnclaveKey(accessControl: made) } == (NSOSStatusErrorDomain, Int(errSecParam)))
    }

    @Test func `without an enclave there is no key [doc]`() {
        Phone.start(PhoneSetup(hasEnclave: false))
        #expect(!SecureEnclave.isAvailable)
        #expect(failure { _ = try EnclaveKey() }.domain == "CryptoTokenKit")
    }

    @Test func `a simulator makes no guarded key, for want of a passcode [field]`() throws {
        Phone.start(PhoneSetup(kind: .simulator))
        _ = try make()
        #expect(failure { _ = try make(.userPresence) } == (NSOSStatusErrorDomain, Int(errSecAuthFailed)))
    }

    @Test func `a key of another device, or a damaged one, does not open [doc]`() throws {
        let phone = Phone.start()
        let key = try make()
        #expect(failure { _ = try EnclaveKey(dataRepresentation: key.dataRepresentation + [0]) }.code == -3)
        Phone.current = phone.restoredOnNewDevice()
        #expect(failure { _ = try open(key) }.code == -3)
    }

    @Test func `a key is used only while its class is readable [doc]`() throws {
        let phone = Phone.start()
        let key = try make()
        let after = try EnclaveKey()
        phone.lockScreen()
        let locked = failure { _ = try key.sharedSecretFromKeyAgreement(with: peer.publicKey) }
        #expect(locked == (NSOSStatusErrorDomain, Int(errSecInteractionNotAllowed)))
        _ = try after.sharedSecretFromKeyAgreement(with: peer.publicKey)
        phone.reboot()
        let rebooted = failure { _ = try after.sharedSecretFromKeyAgreement(with: peer.publicKey) }
        #expect(rebooted == (NSOSStatusErrorDomain, Int(errSecInteractionNotAllowed)))
    }

    @Test func `keys need no keychain entitlement [doc]`() throws {
        Phone.start(PhoneSetup(accessGroups: []))
        _ = try make().sharedSecretFromKeyAgreement(with: peer.publicKey)
    }

    @Test func `removing the passcode ends keys that need one`() throws {
        let phone = Phone.start()
        let needing = try #require(control(.privateKeyUsage, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly))
        let key = try EnclaveKey(accessControl: needing)
        phone.removePasscode()
        #expect(failure { _ = try key.sharedSecretFromKeyAgreement(with: peer.publicKey) }.code == -3)
    }
}

extension Data {
    init(hex: String) {
        let digits = Array(hex)
        self.init(
            stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }
        )
    }
}
