import Foundation
import Security
import StandIn
import Testing

@Suite(.serialized) struct KeychainTests {
    @Test func `an item that was added is read back`() {
        Phone.start()
        let item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "service",
            kSecAttrAccount as String: "account",
        ]
        var added = item
        added[kSecValueData as String] = Data([1, 2, 3])
        #expect(SecItemAdd(added as CFDictionary, nil) == errSecSuccess)
        var query = item
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
        #expect(result as? Data == Data([1, 2, 3]))
    }
}
