import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator

/// One way for bad bytes to come in.
struct Target: Sendable {
    let name: String
    /// Whether it counts towards A41's million of vault files and their rows.
    var isVaultFile = false
    /// The pages of a file.
    var pageByteCount: Int?
    /// Makes good samples and what tries a mutant, in a folder of its own; a mutant is refused when it throws.
    let prepare:
        @Sendable (String) async throws -> (samples: [[UInt8]], attempt: @Sendable ([UInt8]) async throws -> Void)
}

extension Target {
    static var all: [Target] {
        [Target(name: "file", isVaultFile: true, pageByteCount: 4_096, prepare: WholeFile.prepare), scan]
            + FormatProbe.Door.allCases.map(row) + texts + legacy + audit + ledger + bridge + [
                simulatedState, reader, http,
            ]
    }

    private static func row(_ door: FormatProbe.Door) -> Target {
        Target(name: door.rawValue, isVaultFile: true) { folder in
            let file = try await WholeFile(in: folder)
            let probe = try FormatProbe(samplesIn: file.vaultFolder, device: SimulatedDevice().device)
            return (probe.samples(for: door), { bytes in try probe.enter(door, with: bytes) })
        }
    }

    private static var texts: [Target] {
        [
            text("mnemonic", mnemonics) { bytes in _ = try Mnemonic.entropy(of: SecretBytes(exposed: bytes)) },
            text("recovery-key", recoveryKeys) { bytes in _ = try RecoveryKey.parse(SecretBytes(exposed: bytes)) },
            text("private-key", privateKeys) { bytes in _ = try PrivateKey.key(of: SecretBytes(exposed: bytes)) },
            text("wallet-name", [Array("savings é ❤️ 한글".utf8)]) { bytes in
                _ = try WalletName(String(decoding: bytes, as: UTF8.self))
            },
            text("event", events, live),
            text("json", json, read),
        ]
    }

    static func text(
        _ name: String,
        _ samples: [[UInt8]],
        _ attempt: @escaping @Sendable ([UInt8]) async throws -> Void
    ) -> Target {
        Target(name: name) { _ in (samples, attempt) }
    }

    private static let mnemonics = [
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
        "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote",
    ].map { Array($0.utf8) }

    private static var recoveryKeys: [[UInt8]] { [RecoveryKey.text(of: .make()).exposed] }

    private static let privateKeys = [Array(("0x" + String(repeating: "0123456789abcdef", count: 4)).utf8)]

    private static let events = [
        "advance 31m", "clock -99y", "sleep 36500d", "finger mismatch-cancel", "sensor face", "fault dropped-access",
        "reboot", "restore-elsewhere", "advance 100y",
    ].map { Array($0.utf8) }

    private static let json = [#"{"b":[1,-20,"x\u00e9\ud83d\ude00é",null],"a":{"c":true,"":[[{}]]}}"#].map {
        Array($0.utf8)
    }

    /// Reads JSON; what was read has a canonical form, which is read as the same.
    private static func read(_ bytes: [UInt8]) async throws {
        let canonical = try JSON(reading: bytes, byteLimit: 1 << 20).canonical()
        guard try JSON(reading: canonical, byteLimit: canonical.count).canonical() == canonical else {
            return reportBug("a canonical form that is read as another value")
        }
    }

    /// Reads events, and lets them happen to a device that already lived through all before.
    private static let lived = SimulatedDevice()

    private static func live(_ bytes: [UInt8]) async throws {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").map(String.init)
        guard let (event, consumed) = SimulatedEvent.parse(words[...]) else { throw FuzzError(what: "no event") }
        guard consumed <= words.count else { return reportBug("an event of more words than there are") }
        try lived.simulate(event)
        _ = lived.device.clock()
        _ = await lived.capability()
    }

    /// The digest is made good again: it finds damage, not forgery.
    private static var simulatedState: Target {
        Target(name: "simulated-state") { folder in
            let (home, file) = (folder + "/device", folder + "/device/device.state")
            let device = try SimulatedDevice(folder: home)
            let name = ItemName(
                vault: Identifier(high: 1, low: 2),
                purpose: .biometric,
                unique: Identifier(high: 3, low: 4)
            )
            try await device.save(.random(byteCount: 32), as: name, access: .currentBiometrySet)
            _ = try await device.move(from: nil, to: LedgerPosition(sequence: 7, mark: .make()), for: name)
            try device.simulate(.finger(.match))
            let sample = Array(try File.read(file).dropLast(SHA256.byteCount))
            return (
                [sample],
                { bytes in
                    try File.write(bytes + SHA256.digest(bytes), to: file)
                    let device = try SimulatedDevice(folder: home)
                    try device.simulate(.advance(.days(36_500)))
                    try device.simulate(.reboot)
                    _ = device.device.clock()
                    _ = try await device.read(name, prompt: PromptText(reason: "fuzz"))
                }
            )
        }
    }

    /// The first half of the bytes says what to read from the second; a refused read must leave the reader usable.
    private static var reader: Target {
        Target(name: "reader") { _ in
            var random = SeededGenerator(seed: 1)
            return (
                [(0..<256).map { _ in UInt8(random.below(12)) }],
                { bytes in
                    var reader = ByteReader(Array(bytes.dropFirst(bytes.count / 2)))
                    for order in bytes.prefix(bytes.count / 2) {
                        switch order % 8 {
                        case 0: _ = try? reader.readUInt8()
                        case 1: _ = try? reader.readUInt16()
                        case 2: _ = try? reader.readUInt32()
                        case 3: _ = try? reader.readUInt64()
                        case 4: _ = try? reader.readFixed(Int(order))
                        case 5: _ = try? reader.readBytes(maximum: .max)
                        case 6: _ = try? reader.readString(maximum: .max)
                        default: _ = try? reader.readOptional { reader throws(CryptoError) in try reader.readInt64() }
                        }
                    }
                    try reader.finish()
                }
            )
        }
    }
}

extension SecretBytes {
    /// Takes bytes that are no secret.
    init(exposed bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }

    /// The bytes, where they are no secret.
    var exposed: [UInt8] { withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } } }
}
