import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

/// The clauses about the device's own keys.
extension ContractHands {
    /// Returns whether the device's signature of `message` with the numbered key verifies under `publicKey`.
    private func signs(_ message: [UInt8], _ number: UInt64, under publicKey: [UInt8]) async throws -> Bool {
        let signature = try await store.sign(message, with: name(number, .deviceKey))
        do {
            try P256.verify(signature: signature, of: message, publicKey: publicKey)
            return true
        } catch {
            try expect(error == .authenticationFailed, "a signature or key has another form: \(error)")
            return false
        }
    }

    func deviceKeySigns() async throws {
        let one = try await store.makeDeviceKey(name(1, .deviceKey))
        let other = try await store.makeDeviceKey(name(2, .deviceKey))
        try expect(one != other, "two names share a key")
        for count in [0, 1, 32, 1_500] {
            let message = RandomBytes.make(count)
            try expect(try await signs(message, 1, under: one), "\(count) bytes: its own key does not verify it")
            try expect(try await !signs(message, 1, under: other), "\(count) bytes: another key verifies it")
            try expect(try await signs(message, 2, under: other), "\(count) bytes: the other key is none")
        }
        for (number, key) in [(1, one), (2, other)] as [(UInt64, [UInt8])] {
            let told = try await store.devicePublicKey(name(number, .deviceKey))
            try expect(told == key, "key \(number) has another public half than when it was made")
        }
        try await expectPrompts(0)
    }

    func deviceKeyIsNotRead() async throws {
        let (key, secret) = (name(1, .deviceKey), name(2, .deviceSecret))
        let publicKey = try await store.makeDeviceKey(key)
        let description = try await store.describe(key)
        try expect(
            description == ItemDescription(access: .deviceOnly, staysOnDevice: true),
            "a device key describes as \(String(describing: description))"
        )
        try await expectRefusal(by: "read of a device key") { () async throws(DeviceRefusal) in
            _ = try await store.read(key, prompt: text)
        }
        try await expectRefusal(by: "evaluation of a device key") { () async throws(DeviceRefusal) in
            _ = try await store.evaluate(key, input: [])
        }
        try await store.makeDeviceSecret(secret)
        try await save(3, .deviceOnly)
        for other in [secret, name(3)] {
            try await expectRefusal(by: "a signature by what is no key") { () async throws(DeviceRefusal) in
                _ = try await store.sign([1], with: other)
            }
            try await expectRefusal(by: "the public half of what is no key") { () async throws(DeviceRefusal) in
                _ = try await store.devicePublicKey(other)
            }
        }
        try expect(try await signs([1, 2, 3], 1, under: publicKey), "the key did not survive")
    }

    func deviceKeyEndsOnce() async throws {
        _ = try await store.makeDeviceKey(name(1, .deviceKey))
        let other = try await store.makeDeviceKey(name(2, .deviceKey))
        for _ in 1...2 {
            try await store.delete(name(1, .deviceKey))
            try expect(try await store.describe(name(1, .deviceKey)) == nil, "a deleted key is described")
            try await expectNoKey(1)
        }
        try expect(try await signs([1, 2, 3], 2, under: other), "its neighbour is gone too")
    }

    func deviceKeyStaysHere() async throws {
        let former = try await subject.device.installation()
        let key = try await store.makeDeviceKey(name(1, .deviceKey))
        try await happen(.reinstall)
        try expect(try await subject.device.installation() != former, "a reinstall is no new installation")
        if subject.outlivesReinstall {
            try expect(try await signs([1, 2, 3], 1, under: key), "a reinstall ended it")
        } else {
            try await expectNoKey(1)
            _ = try await store.makeDeviceKey(name(1, .deviceKey))
        }
        try await happen(.restoreElsewhere)
        try expect(try await store.describe(name(1, .deviceKey)) == nil, "it is described on another device")
        try await expectNoKey(1)
    }

    /// Checks that every call reports the numbered key as absent.
    func expectNoKey(_ number: UInt64) async throws {
        try await expectRefusal(.absent, by: "sign") { () async throws(DeviceRefusal) in
            _ = try await store.sign([1], with: name(number, .deviceKey))
        }
        try await expectRefusal(.absent, by: "devicePublicKey") { () async throws(DeviceRefusal) in
            _ = try await store.devicePublicKey(name(number, .deviceKey))
        }
    }
}
