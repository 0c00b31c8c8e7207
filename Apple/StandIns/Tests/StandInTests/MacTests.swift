import Foundation
import LocalAuthentication
import Security
import StandIn
import Testing

@Suite(.serialized) struct MacTests {
    private let plain = Item(dataProtection: false)
    private let flagged = Item(dataProtection: true)

    private func start(_ accessGroups: [String] = ["TEAM.app"]) -> Phone {
        Phone.start(PhoneSetup(kind: .mac, sensor: .touchID, accessGroups: accessGroups))
    }

    @Test func `without the flag an item goes to the file keychain [doc]`() {
        let phone = start()
        #expect(plain.add() == errSecSuccess)
        #expect(phone.rows.map(\.keychain) == [.file])
        #expect(flagged.read().status == errSecItemNotFound)
        #expect(plain.read().status == errSecSuccess)
    }

    @Test func `with it, to the data-protection keychain, where both look [doc]`() {
        let phone = start()
        #expect(flagged.add() == errSecSuccess)
        #expect(phone.rows.map(\.keychain) == [.dataProtection])
        #expect(flagged.read().status == errSecSuccess)
        #expect(plain.read().status == errSecSuccess)
    }

    @Test func `the two keychains may each hold an item of one name [doc]`() {
        let phone = start()
        #expect(plain.add(Data([1])) == errSecSuccess)
        #expect(flagged.add(Data([2])) == errSecSuccess)
        #expect(flagged.delete() == errSecSuccess)
        #expect(phone.rows.map(\.keychain) == [.file])
    }

    @Test func `an access control lives in the data-protection keychain alone [doc]`() {
        let phone = start()
        #expect(plain.add(control: control(.userPresence)) == errSecSuccess)
        #expect(phone.rows.map(\.keychain) == [.dataProtection])
    }

    @Test func `only the data-protection keychain asks for an entitlement [doc]`() {
        _ = start([])
        #expect(flagged.add() == errSecMissingEntitlement)
        #expect(plain.add() == errSecSuccess)
        #expect(plain.read().status == errSecSuccess)
    }

    @Test func `an iPhone has one keychain, whatever the flag says [doc]`() {
        Phone.start()
        #expect(plain.add() == errSecSuccess)
        #expect(flagged.read().status == errSecSuccess)
        #expect(flagged.add() == errSecDuplicateItem)
    }
}
