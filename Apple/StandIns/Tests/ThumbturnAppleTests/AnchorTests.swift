import Foundation
import Security
import StandIn
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnApple

@Suite("Counters in the keychain", .serialized)
struct AnchorTests {
    @Test("A12: whoever shares the keychain shares the counter, and each value is reached by one of them")
    func shared() async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        try await app.device.anchor.raise(to: 1, for: secret)
        // Each has a queue of its own, as processes do.
        let anchors = (0..<4).map { _ in AppleAnchor(keychain: Keychain(accessGroup: App.group)) }
        for value: UInt64 in 2...20 {
            let formers = try await withThrowingTaskGroup(of: UInt64?.self) { group in
                for anchor in anchors { group.addTask { try await anchor.raise(to: value, for: secret) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(formers.count { $0 == value - 1 } == 1)
            #expect(try await app.device.anchor.value(for: secret) == value)
        }
    }

    @Test("a change that others came before is tried again, and given up in the end")
    func overtaken() async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        app.phone.fail(.itemAdd, .refuses(Int(errSecDuplicateItem)))
        #expect(try await app.device.anchor.raise(to: 1, for: secret) == nil)
        app.phone.fail(.itemUpdate, .refuses(Int(errSecItemNotFound)), times: 3)
        #expect(try await app.device.anchor.raise(to: 2, for: secret) == 1)
        app.phone.fail(.itemUpdate, .refuses(Int(errSecItemNotFound)), times: 1_000)
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.anchor.raise(to: 3, for: secret) }
        app.phone.repair()
        #expect(try await app.device.anchor.value(for: secret) == 2)
    }

    @Test("a change that fails without a word is noticed")
    func silentFailure() async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        try await app.device.anchor.raise(to: 1, for: secret)
        app.phone.fail(.itemUpdate, .drops(["v_Data", "gena"]))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.anchor.raise(to: 2, for: secret) }
        app.phone.fail(.itemUpdate, .refuses(Int(errSecInteractionNotAllowed)))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.anchor.raise(to: 2, for: secret) }
        #expect(try await app.device.anchor.value(for: secret) == 1)
    }

    @Test("A8: a counter that is none of ours counts as the highest", arguments: [0, 7, 9])
    func foreign(byteCount: Int) async throws {
        let app = try await App.installed()
        let secret = app.name(1, .deviceSecret)
        let row = Keychain.Row(kind: .anchor, name: secret.text)
        let bytes = unsafe SecretBytes(byteCount: byteCount) { _ in }
        try Keychain(accessGroup: App.group).add(bytes, as: row)
        #expect(try await app.device.anchor.value(for: secret) == .max)
        #expect(try await app.device.anchor.raise(to: 5, for: secret) == .max)
    }
}
