import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules
import ThumbturnSimulator

/// The clauses about the store that need no owner.
extension ContractHands {
    func itemsReadBack() async throws {
        try await save(1, .deviceOnly)
        try await save(2, .deviceOnly)
        for number: UInt8 in [1, 2, 1] { try expect(try await reads(number), "item \(number) came back as another") }
        try await expectPrompts(0)
    }

    func othersAreRefused() async throws {
        for access in AccessControl.allCases where !subject.offers.contains(access) {
            try await expectRefusal(.hardwareMissing, by: "save under \(access)") { () async throws(DeviceRefusal) in
                try await save(access.rawValue, access)
            }
            try expect(try await !isDescribed(access.rawValue), "a refused save left an item")
        }
    }

    func attributesReadBack() async throws {
        for access in subject.offers {
            try await save(access.rawValue, access)
            let description = try await store.describe(name(UInt64(access.rawValue)))
            try expect(description?.access == access, "\(access) describes as \(String(describing: description))")
            try expect(description?.staysOnDevice == true, "an item under \(access) may leave the device")
        }
    }

    func onlyReadingPrompts() async throws {
        for access in subject.offers {
            try await save(access.rawValue, access)
            _ = try await store.describe(name(UInt64(access.rawValue)))
            try await store.delete(name(UInt64(access.rawValue)))
        }
        try await expectPrompts(0)
    }

    func namesAreUsedOnce() async throws {
        try await save(1, .deviceOnly)
        try await expectRefusal(by: "a second save") { () async throws(DeviceRefusal) in
            try await store.save(secret(2), as: name(1), access: .deviceOnly)
        }
        try expect(try await reads(1), "the first item was overwritten")
        try await store.makeDeviceSecret(name(3, .deviceSecret))
        try await expectRefusal(by: "a second device secret") { () async throws(DeviceRefusal) in
            try await store.makeDeviceSecret(name(3, .deviceSecret))
        }
        let key = try await store.makeDeviceKey(name(4, .deviceKey))
        try await expectRefusal(by: "a second device key") { () async throws(DeviceRefusal) in
            _ = try await store.makeDeviceKey(name(4, .deviceKey))
        }
        try expect(try await store.devicePublicKey(name(4, .deviceKey)) == key, "the first key was overwritten")
    }

    func absenceIsSaid() async throws {
        try expect(try await !isDescribed(1), "something is described that was never saved")
        try await expectRefusal(.absent, by: "read") { () async throws(DeviceRefusal) in _ = try await reads(1) }
        try await expectRefusal(.absent, by: "evaluate") { () async throws(DeviceRefusal) in
            _ = try await store.evaluate(name(1, .deviceSecret), input: [])
        }
        try await expectNoKey(1)
    }

    func deletionIsRepeatable() async throws {
        try await save(1, .deviceOnly)
        try await save(2, .deviceOnly)
        for _ in 1...2 {
            try await store.delete(name(1))
            try expect(try await !isDescribed(1), "a deleted item is described")
            try await expectRefusal(.absent, by: "read") { () async throws(DeviceRefusal) in _ = try await reads(1) }
        }
        try expect(try await reads(2), "its neighbour is gone too")
    }

    func lockedIsNotAbsent() async throws {
        let (key, signer) = (name(2, .deviceSecret), name(4, .deviceKey))
        try await save(1, .deviceOnly)
        try await store.makeDeviceSecret(key)
        let publicKey = try await store.makeDeviceKey(signer)
        try await anchor.rise(to: 1, for: key)
        try await happen(.lockDevice)
        let calls: [(String, () async throws(DeviceRefusal) -> Void)] = [
            ("save", { () async throws(DeviceRefusal) in try await save(3, .deviceOnly) }),
            ("read", { () async throws(DeviceRefusal) in _ = try await reads(1) }),
            ("read of an absent item", { () async throws(DeviceRefusal) in _ = try await reads(9) }),
            ("describe", { () async throws(DeviceRefusal) in _ = try await isDescribed(9) }),
            ("delete", { () async throws(DeviceRefusal) in try await store.delete(name(1)) }),
            ("makeDeviceSecret", { () async throws(DeviceRefusal) in try await store.makeDeviceSecret(name(3)) }),
            ("evaluate", { () async throws(DeviceRefusal) in _ = try await store.evaluate(key, input: []) }),
            ("makeDeviceKey", { () async throws(DeviceRefusal) in _ = try await store.makeDeviceKey(name(5)) }),
            ("devicePublicKey", { () async throws(DeviceRefusal) in _ = try await store.devicePublicKey(signer) }),
            ("sign", { () async throws(DeviceRefusal) in _ = try await store.sign([1], with: signer) }),
            (
                "sign by an absent key",
                { () async throws(DeviceRefusal) in _ = try await store.sign([1], with: name(9, .deviceKey)) }
            ),
            ("position", { () async throws(DeviceRefusal) in _ = try await anchor.position(for: name(9)) }),
            (
                "move",
                { () async throws(DeviceRefusal) in
                    _ = try await anchor.move(from: .sample(1), to: .sample(2), for: key)
                }
            ),
            ("remove", { () async throws(DeviceRefusal) in try await anchor.remove(for: key) }),
        ]
        for (call, body) in calls { try await expectRefusal(.unavailable, by: call, body) }
        try await happen(.unlockDevice)
        try expect(try await reads(1), "the item did not survive")
        try expect(try await anchor.sequence(for: key) == 1, "the anchor did not survive")
        try expect(try await store.devicePublicKey(signer) == publicKey, "the device key did not survive")
        for number: UInt8 in [3, 5] { try expect(try await !isDescribed(number), "a refused save left an item") }
    }

    func evaluationIsKeyed() async throws {
        let (one, other) = (name(1, .deviceSecret), name(2, .deviceSecret))
        try await store.makeDeviceSecret(one)
        try await store.makeDeviceSecret(other)
        let answer = try await store.evaluate(one, input: [1, 2, 3])
        try expect(answer.byteCount == 32, "\(answer.byteCount) bytes, not 32")
        let again = try await store.evaluate(one, input: [1, 2, 3])
        try expect(SecretBytes.constantTimeEqual(answer, again), "two answers to one input")
        let otherInput = try await store.evaluate(one, input: [1, 2, 4])
        try expect(!SecretBytes.constantTimeEqual(answer, otherInput), "one answer to two inputs")
        let otherName = try await store.evaluate(other, input: [1, 2, 3])
        try expect(!SecretBytes.constantTimeEqual(answer, otherName), "two secrets with one answer")
    }

    func deviceSecretIsNotRead() async throws {
        let key = name(1, .deviceSecret)
        try await store.makeDeviceSecret(key)
        try expect(try await store.describe(key)?.staysOnDevice == true, "a device secret is not described as one")
        try await expectRefusal(by: "read of a device secret") { () async throws(DeviceRefusal) in
            _ = try await store.read(key, prompt: text)
        }
        try await save(2, .deviceOnly)
        try await expectRefusal(by: "evaluation of an item") { () async throws(DeviceRefusal) in
            _ = try await store.evaluate(name(2), input: [])
        }
        try await store.delete(key)
        try await expectRefusal(.absent, by: "evaluate") { () async throws(DeviceRefusal) in
            _ = try await store.evaluate(key, input: [])
        }
    }

    func anchorMovesFromWhereItStands() async throws {
        let (one, other) = (name(1, .deviceSecret), name(2, .deviceSecret))
        try expect(try await anchor.position(for: one) == nil, "an anchor nobody made")
        let (first, second) = (LedgerPosition.sample(1), LedgerPosition.sample(2))
        // The same sequence with another mark is a different position.
        let strange = LedgerPosition(sequence: 1, mark: Identifier(high: 9, low: 9))
        let moves: [(from: LedgerPosition?, to: LedgerPosition, moved: Bool)] = [
            (first, second, false), (nil, first, true), (nil, second, false), (strange, second, false),
            (first, strange, false), (first, second, true), (first, .sample(3), false), (second, first, false),
            (second, .sample(3), true), (.sample(3), .sample(7), true),
        ]
        for move in moves {
            let before = try await anchor.position(for: one)
            let moved = try await anchor.move(from: move.from, to: move.to, for: one)
            try expect(moved == move.moved, "moved from \(String(describing: move.from)) to \(move.to): \(moved)")
            let after = try await anchor.position(for: one)
            try expect(after == (moved ? move.to : before), "it stands at \(String(describing: after))")
        }
        try expect(try await anchor.position(for: other) == nil, "two secrets share an anchor")
        try await anchor.rise(to: 1, for: other)
        for _ in 1...2 {
            try await anchor.remove(for: one)
            try expect(try await anchor.position(for: one) == nil, "a removed anchor is there")
        }
        try expect(try await anchor.position(for: other) == .sample(1), "its neighbour changed too")
    }

    func anchorMovesOnce() async throws {
        let key = name(1, .deviceSecret)
        let anchor = anchor
        try await anchor.rise(to: 1, for: key)
        let winners = try await withThrowingTaskGroup(of: LedgerPosition?.self) { group in
            for value: UInt64 in 1...8 {
                let mine = LedgerPosition(sequence: 2, mark: Identifier(high: 2, low: value))
                group.addTask { try await anchor.move(from: .sample(1), to: mine, for: key) ? mine : nil }
            }
            var winners: [LedgerPosition] = []
            for try await winner in group { winners += winner.map { [$0] } ?? [] }
            return winners
        }
        try expect(winners.count == 1, "\(winners.count) moved it")
        try expect(try await anchor.position(for: key) == winners.first, "it stands where nobody moved it")
    }
}

extension LedgerPosition {
    /// Returns a position whose mark follows from its sequence.
    package static func sample(_ sequence: UInt64) -> LedgerPosition {
        LedgerPosition(sequence: sequence, mark: Identifier(high: 0xA11C_0000, low: sequence))
    }
}

extension Anchor {
    /// Moves an anchor up to a sequence from its present position; leaves it if it is there already or higher.
    ///
    /// - Returns: the former sequence.
    @discardableResult
    package func rise(to sequence: UInt64, for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        let former = try await position(for: secret)
        guard (former?.sequence ?? 0) < sequence else { return former?.sequence }
        _ = try await move(from: former, to: .sample(sequence), for: secret)
        return former?.sequence
    }

    /// Returns the anchor's sequence.
    package func sequence(for secret: ItemName) async throws(DeviceRefusal) -> UInt64? {
        try await position(for: secret)?.sequence
    }
}
