import Foundation
import LocalAuthentication
import Security

/// One generic password, and the calls that the tests make about it.
struct Item {
    var service = "service"
    var account = "account"
    var group: String?
    var synchronizable: Bool?
    var dataProtection = true

    var query: [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
            kSecUseDataProtectionKeychain as String: dataProtection,
        ]
        if let group { query[kSecAttrAccessGroup as String] = group }
        if let synchronizable { query[kSecAttrSynchronizable as String] = synchronizable }
        return query
    }

    func query(_ more: [CFString: Any]) -> CFDictionary {
        var all = query
        for (name, value) in more { all[name as String] = value }
        return all as CFDictionary
    }

    @discardableResult
    func add(
        _ secret: Data = Data("secret".utf8),
        accessible: CFString? = nil,
        control: SecAccessControl? = nil,
        more: [CFString: Any] = [:]
    ) -> OSStatus {
        var more = more
        more[kSecValueData] = secret
        if let accessible { more[kSecAttrAccessible] = accessible }
        if let control { more[kSecAttrAccessControl] = control }
        return SecItemAdd(query(more), nil)
    }

    /// Reads the secret.
    func read(_ context: LAContext? = nil, more: [CFString: Any] = [:]) -> (status: OSStatus, secret: Data?) {
        var more = more
        more[kSecReturnData] = true
        if let context { more[kSecUseAuthenticationContext] = context }
        var result: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query(more), &result)
        return (status, result as? Data)
    }

    /// Asks for attributes alone, under a context that forbids every prompt.
    func probe() -> OSStatus {
        let context = LAContext()
        context.interactionNotAllowed = true
        return SecItemCopyMatching(query([kSecReturnAttributes: true, kSecUseAuthenticationContext: context]), nil)
    }

    func attributes(_ context: LAContext? = nil) -> [String: Any]? {
        var more: [CFString: Any] = [kSecReturnAttributes: true]
        if let context { more[kSecUseAuthenticationContext] = context }
        var result: CFTypeRef?
        guard unsafe SecItemCopyMatching(query(more), &result) == errSecSuccess else { return nil }
        return result as? [String: Any]
    }

    func delete() -> OSStatus { SecItemDelete(query as CFDictionary) }
}

/// Makes an access control; nil when the flags cannot be combined.
func control(
    _ flags: SecAccessControlCreateFlags,
    _ protection: CFString = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
) -> SecAccessControl? {
    SecAccessControlCreateWithFlags(nil, protection, flags, nil)
}

/// Evaluates a policy and returns the `LAError` code, or 0.
func evaluate(
    _ context: LAContext,
    _ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics
) async -> Int {
    do {
        return try await context.evaluatePolicy(policy, localizedReason: "Open") ? 0 : 1
    } catch {
        return (error as? LAError)?.code.rawValue ?? 2
    }
}

/// What `canEvaluatePolicy` gives as the reason, or 0.
func obstacle(
    _ context: LAContext = LAContext(),
    _ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics
) -> Int {
    var error: NSError?
    let can = unsafe context.canEvaluatePolicy(policy, error: &error)
    return can ? 0 : error?.code ?? 1
}
