import Dispatch
import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// A typed interface to `SecItem`: generic passwords of one access group, on this device only, out of every backup and
/// sync.
///
/// - A call blocks until the keychain's daemon answers, so all of them run on a separate queue: `run`.
/// - No call can show a prompt: the context forbids it for guarded items. The prompt comes before: `OwnerContext`.
/// - An item is added and deleted, but never changed, except an anchor's position: changing an item's protection has
///   been seen to fail silently.
final class Keychain: Sendable {
    /// The name of a row: its kind and its item.
    struct Row: Hashable, Sendable {
        enum Kind: String {
            /// The description of an item.
            case record = "thumbturn.record"
            /// The secret, or a row that ends together with the secret's guard.
            case secret = "thumbturn.secret"
            case anchor = "thumbturn.anchor"
            case installation = "thumbturn.installation"
            /// Readable exactly when every other row is.
            case canary = "thumbturn.canary"
        }

        var kind: Kind
        var name: String
    }

    private let accessGroup: String
    private let queue = DispatchQueue(label: "thumbturn.keychain")

    init(accessGroup: String) { self.accessGroup = accessGroup }

    /// Runs `body` on the keychain's queue, off the main thread and off the threads that tasks share.
    func run<R: Sendable, E: Error>(_ body: @escaping @Sendable () throws(E) -> R) async throws(E) -> R {
        let result: Result<R, E> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(E) in try body() }) }
        }
        return try result.get()
    }

    /// Adds a row with this access control; `mark` can be searched for.
    ///
    /// Adding never prompts, and never overwrites an existing row.
    func add(
        _ value: borrowing SecretBytes,
        as row: Row,
        under access: AccessControl = .deviceOnly,
        mark: Data? = nil
    ) throws(KeychainFailure) {
        var attributes = query(row)
        if access == .deviceOnly {
            attributes[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        } else {
            attributes[kSecAttrAccessControl as String] = try access.control(ofKey: false)
        }
        if let mark { attributes[kSecAttrGeneric as String] = mark }
        let status = value.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                // The dictionary borrows the secret's own memory, so that we leave no copy behind.
                let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                let lent = unsafe start.map { start in
                    unsafe Data(bytesNoCopy: start, count: bytes.count, deallocator: .none)
                }
                attributes[kSecValueData as String] = lent ?? Data()
                defer { attributes[kSecValueData as String] = nil }
                return SecItemAdd(attributes as CFDictionary, nil)
            }
        }
        guard status == errSecSuccess else { throw KeychainFailure(status: status) }
    }

    /// Reads a row's value; a guarded one needs a context in which the owner was recognised.
    func value(of row: Row, in context: LAContext? = nil) throws(KeychainFailure) -> Data {
        var query = query(row)
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        if let context { query[kSecUseAuthenticationContext as String] = context }
        guard let value = try copy(query) as? Data else { throw KeychainFailure(status: errSecDecode) }
        return value
    }

    /// Reads the mark of an unguarded row; empty if it has none.
    ///
    /// It requests the value too, so that it fails if the value can't be read.
    func mark(of row: Row) throws(KeychainFailure) -> Data {
        var query = query(row)
        query[kSecReturnAttributes as String] = true
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        let attributes = try copy(query) as? [String: Any]
        return attributes?[kSecAttrGeneric as String] as? Data ?? Data()
    }

    /// Whether a row stays on this device; for a guarded row this throws `errSecInteractionNotAllowed`.
    ///
    /// - Parameter onlyOnDevice: searches only for such rows, which also finds guarded ones.
    func staysOnDevice(_ row: Row, lookingFor onlyOnDevice: Bool = false) throws(KeychainFailure) -> Bool {
        let context = LAContext.quiet()
        defer { context.invalidate() }
        var query = query(row)
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        query[kSecUseAuthenticationContext as String] = context
        query[kSecAttrSynchronizable as String] = onlyOnDevice ? false : kSecAttrSynchronizableAny
        if onlyOnDevice {
            query[kSecAttrAccessible as String] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        }
        let attributes = try copy(query) as? [String: Any]
        let accessible = attributes?[kSecAttrAccessible as String] as? String
        let synchronizes = attributes?[kSecAttrSynchronizable as String] as? Bool ?? true
        return accessible == kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String && !synchronizes
    }

    /// Changes a row's value and mark, if it still has the mark `former`; atomic among all apps that share the
    /// keychain.
    func replace(_ former: Data, by new: Data, in row: Row) throws(KeychainFailure) {
        var query = query(row)
        query[kSecAttrGeneric as String] = former
        let changes: [String: Any] = [kSecAttrGeneric as String: new, kSecValueData as String: new]
        let status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
        guard status == errSecSuccess else { throw KeychainFailure(status: status) }
    }

    /// Deletes a row with any access control, without a prompt; throws `errSecItemNotFound` if it is missing.
    func delete(_ row: Row) throws(KeychainFailure) {
        var query = query(row)
        query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess else { throw KeychainFailure(status: status) }
    }

    private func copy(_ query: [String: Any]) throws(KeychainFailure) -> CFTypeRef? {
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { throw KeychainFailure(status: status) }
        return result
    }

    private func query(_ row: Row) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: row.kind.rawValue,
            kSecAttrAccount as String: row.name,
            kSecAttrAccessGroup as String: accessGroup,
            kSecAttrSynchronizable as String: false,
            // A Mac also has an older keychain, which has no access control.
            kSecUseDataProtectionKeychain as String: true,
        ]
    }
}
