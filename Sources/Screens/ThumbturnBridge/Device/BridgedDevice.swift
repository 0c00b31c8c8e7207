import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules

/// A host's device as the vault sees it: each call is one number on the line.
///
/// A device secret is used directly, for any authorisation: no host's hardware counts attempts itself.
struct BridgedDevice: Sendable {
    let line: DeviceLine
    let assurances: [AccessControl: Assurance]

    /// Asks what the device is, and creates it.
    ///
    /// - Throws: why the host can't say it.
    static func device(on line: DeviceLine) async throws(DeviceRefusal) -> Device {
        guard case .facts(let kind, let assurances) = try await line.ask(.facts) else { throw .unclassified }
        let bridged = BridgedDevice(line: line, assurances: assurances)
        return Device(
            kind: kind,
            store: bridged,
            prompt: bridged,
            anchor: bridged,
            clock: { line.tables.reading() },
            installation: { () async throws(DeviceRefusal) in
                guard case .installation(let name) = try await line.ask(.installation) else { throw .unclassified }
                return name
            },
            events: { line.events() }
        )
    }

    private func bytes(
        _ operation: DeviceOperation,
        _ members: [(String, JSON)]
    ) async throws(DeviceRefusal) -> [UInt8] {
        guard case .bytes(let bytes) = try await line.ask(operation, members) else { throw .unclassified }
        return bytes
    }

    private func secret(
        _ operation: DeviceOperation,
        _ members: [(String, JSON)],
        secret: HeldSecret? = nil
    ) async throws(DeviceRefusal) -> SecretBytes {
        guard case .secret(let held) = try await line.ask(operation, members, secret: secret) else {
            throw .unclassified
        }
        return held.bytes.copy()
    }
}

extension BridgedDevice: ItemStore {
    var keepsLeases: Bool { false }

    func assurance(of access: AccessControl) -> Assurance { assurances[access] ?? .simulated }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        let members: [(String, JSON)] = [("access", .string(access.name)), ("name", .string(name.text))]
        _ = try await line.ask(.save, members, secret: HeldSecret(secret.copy()))
    }

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await secret(.read, [("name", .string(name.text)), ("prompt", prompt.json)])
    }

    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        guard case .item(let item) = try await line.ask(.describe, [("name", .string(name.text))]) else {
            throw .unclassified
        }
        return item
    }

    func delete(_ name: ItemName) async throws(DeviceRefusal) {
        _ = try await line.ask(.delete, [("name", .string(name.text))])
    }
}

extension BridgedDevice: UncountedDeviceSecrets {
    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        _ = try await line.ask(.makeSecret, [("name", .string(name.text))])
    }

    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        // The input comes from the PIN: it goes as a secret does.
        let input = HeldSecret(unsafe SecretBytes(byteCount: input.count) { unsafe $0.copyBytes(from: input) })
        return try await secret(.evaluate, [("name", .string(name.text))], secret: input)
    }
}

extension BridgedDevice: DeviceKeyStore {
    func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await bytes(.makeKey, [("name", .string(name.text))])
    }

    func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await bytes(.publicKey, [("name", .string(name.text))])
    }

    func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await bytes(.sign, [("message", .hexadecimal(message)), ("name", .string(name.text))])
    }
}

extension BridgedDevice: OwnerPrompt {
    func capability() async -> BiometricCapability {
        do throws(DeviceRefusal) {
            guard case .capability(let capability) = try await line.ask(.capability) else { throw .unclassified }
            return capability
        } catch {
            return BiometricCapability(
                biometryType: .none,
                reasonIfUnavailable: .temporarilyUnavailable,
                assurance: assurance(of: .currentBiometrySet)
            )
        }
    }

    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        _ = try await line.ask(.prompt, [("passcode", .bool(acceptingPasscode)), ("prompt", text.json)])
    }
}

extension BridgedDevice: Anchor {
    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        guard case .position(let position) = try await line.ask(.anchor, [("name", .string(secret.text))]) else {
            throw .unclassified
        }
        return position
    }

    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        let members: [(String, JSON)] = [
            ("from", former.map { .hexadecimal($0.bytes) } ?? .null), ("name", .string(secret.text)),
            ("to", .hexadecimal(next.bytes)),
        ]
        guard case .moved(let moved) = try await line.ask(.anchorMove, members) else { throw .unclassified }
        return moved
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) {
        _ = try await line.ask(.anchorRemove, [("name", .string(secret.text))])
    }
}

extension JSON {
    fileprivate static func hexadecimal(_ bytes: [UInt8]) -> JSON {
        .string(String(decoding: TextCode.hexadecimal.encode(bytes), as: UTF8.self))
    }
}

extension PromptText {
    fileprivate var json: JSON {
        ["cancel": .string(cancelTitle), "fallback": .string(fallbackTitle), "reason": .string(reason)]
    }
}
