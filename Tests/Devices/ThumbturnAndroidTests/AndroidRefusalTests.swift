import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

extension OnThePhone {
    /// What Android says, and what the vault hears.
    @Suite("Android's refusals, one by one")
    struct AndroidRefusalTests {
        private let text = PromptText(reason: "Open the vault")

        private func name(_ number: UInt64, _ purpose: ItemName.Purpose = .biometric) -> ItemName {
            ItemName(vault: Identifier(high: 1, low: 1), purpose: purpose, unique: Identifier(high: 0, low: number))
        }

        private func secret(_ byte: UInt8) -> SecretBytes {
            unsafe SecretBytes(byteCount: 32) { unsafe $0.initializeMemory(as: UInt8.self, repeating: byte) }
        }

        private func refusal(_ body: () async throws(DeviceRefusal) -> Void) async -> DeviceRefusal? {
            do {
                try await body()
                return nil
            } catch {
                return error
            }
        }

        private func readRefusal(_ device: Device, _ name: ItemName) async -> DeviceRefusal? {
            await refusal { () async throws(DeviceRefusal) in _ = try await device.store.read(name, prompt: text) }
        }

        private func reads(_ device: Device, _ name: ItemName, _ byte: UInt8) async throws -> Bool {
            SecretBytes.constantTimeEqual(try await device.store.read(name, prompt: text), secret(byte))
        }

        /// The codes with which a prompt of Android's ends.
        private static let codes: [(String, DeviceRefusal)] = [
            ("1", .readerFailed(afterMismatch: false)), ("2", .unclassified), ("3", .cancelledBySystem),
            ("4", .unclassified),
            ("5", .cancelledBySystem), ("7", .lockedOut), ("8", .unclassified), ("9", .lockedOut),
            ("10", .cancelledByUser(afterMismatch: false)), ("11", .notEnrolled), ("12", .hardwareMissing),
            ("13", .fallbackChosen), ("14", .notEnrolled), ("15", .readerFailed(afterMismatch: false)),
            ("20", .unclassified),
            ("1013", .unclassified),
        ]

        @Test(.holds("C7", "C16", "A33", "B-11"), arguments: Phone.levels)
        func `each code of a prompt has its own refusal, and none costs the item`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            try await app.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            for (code, expected) in Self.codes {
                try Phone.call("touch", code)
                #expect(await readRefusal(app.device, name(1)) == expected, "code \(code)")
            }
            try Phone.call("touch", "match")
            #expect(try await reads(app.device, name(1), 1))
            try await app.close()
        }

        @Test(.holds("C7"), arguments: Phone.levels)
        func `the third finger that is nobody's ends the prompt`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            try await app.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            for touch in ["mismatch", "mismatch", "match", "mismatch", "mismatch", "mismatch"] {
                try Phone.call("touch", touch)
            }
            #expect(try await reads(app.device, name(1), 1))
            #expect(await readRefusal(app.device, name(1)) == .notRecognised)
            #expect(try Phone.call("prompts") == "2")
            try await app.close()
        }

        @Test(.holds("A29", "A30", "B-11"), arguments: Phone.levels)
        func `a prompt that is hooked into a success releases nothing`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            try await app.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            for hook in ["hook-no-object", "hook-other-object", "hook-no-owner"] {
                try Phone.call("fault", hook)
                try Phone.call("touch", "match")
                #expect(await readRefusal(app.device, name(1)) == .unclassified, "\(hook)")
            }
            try Phone.call("touch", "match")
            #expect(try await reads(app.device, name(1), 1))
            try await app.close()
        }

        @Test(.holds("C16", "A25"), arguments: Phone.levels)
        func `a fault of the key store is no revocation, and purges nothing`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            let store = app.device.store
            try await store.save(secret(1), as: name(1), access: .currentBiometrySet)
            for (fault, expected) in [
                ("odd-code", DeviceRefusal.unclassified), ("not-unlocked", .unavailable), ("busy:getKey", .unavailable),
                ("busy:containsAlias", .unavailable), ("busy:begin", .unavailable), ("broken:open", .unavailable),
                ("broken:read", .unavailable),
            ] {
                try Phone.call("fault", fault)
                #expect(await readRefusal(app.device, name(1)) == expected, "\(fault)")
                try Phone.call("fault", fault)
                let look = await refusal { () async throws(DeviceRefusal) in _ = try await store.describe(name(1)) }
                #expect(look == .unavailable, "\(fault)")
            }
            #expect(try Phone.call("prompts") == "0")
            try Phone.call("fault", "pruned")
            try Phone.call("touch", "match")
            #expect(await readRefusal(app.device, name(1)) == (level < 33 ? .unclassified : .cancelledBySystem))
            try Phone.call("touch", "match")
            #expect(try await reads(app.device, name(1), 1))
            try await app.close()
        }

        @Test(.holds("A32", "C2"), arguments: Phone.levels)
        func `a key that came out weaker is refused, and leaves nothing`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            for access in [AccessControl.currentBiometrySet, .anyBiometryOrPasscode] {
                try Phone.call("fault", "weaker-key")
                let refused = await refusal { () async throws(DeviceRefusal) in
                    try await app.device.store.save(secret(1), as: name(1), access: access)
                }
                #expect(refused == .weakerThanAsked)
                #expect(try await app.device.store.describe(name(1)) == nil)
            }
            try await app.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            try await app.close()
        }

        @Test(.holds("A25"), arguments: Phone.levels)
        func `a full disk, or a key store that is busy, saves whole or not at all`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            for access in AccessControl.allCases {
                for fault in [
                    "disk-full:open", "disk-full:mkdir", "disk-full:write", "disk-full:fsync", "disk-full:rename",
                    "busy:generate", "busy:getKeySpec",
                ] {
                    // What a save opens first is the place of its box, to see whether the name is free.
                    try Phone.call("fault", fault)
                    let refused = await refusal { () async throws(DeviceRefusal) in
                        try await app.device.store.save(secret(1), as: name(1), access: access)
                    }
                    #expect(refused == .unavailable, "\(access) \(fault)")
                    #expect(try await app.device.store.describe(name(1)) == nil, "\(access) \(fault)")
                }
                try await app.device.store.save(secret(1), as: name(1), access: access)
                try await app.device.store.delete(name(1))
            }
            try await app.close()
        }

        @Test(.holds("A7", "A8", "B-06"), arguments: Phone.levels)
        func `an anchor does not go back with the app's folder`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            let (anchor, key) = (app.device.anchor, name(1, .deviceSecret))
            #expect(try await anchor.move(from: nil, to: .sample(1), for: key))
            try Phone.call("keepFolder")
            #expect(try await anchor.move(from: .sample(1), to: .sample(2), for: key))
            try Phone.call("restoreFolder")
            #expect(try await anchor.position(for: key) == .sample(2))
            #expect(try await !anchor.move(from: .sample(1), to: .sample(3), for: key))
            try await app.close()
        }

        @Test(.holds("C14", "B-06"), arguments: Phone.levels)
        func `keys in software are told as such`(level: Int) async throws {
            let hardware = try await PhoneApp(level: level)
            #expect(hardware.device.store.assurance(of: .currentBiometrySet) == .hardwareBound)
            try await hardware.close()
            let software = try await PhoneApp(level: level, happening: ["software"])
            #expect(software.device.store.assurance(of: .currentBiometrySet) == .osKeychain)
            try await software.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            try await software.close()
        }

        @Test(.holds("B-01", "B-09", "F-107-01"), arguments: Phone.levels)
        func `a sensor says why it can't be used, and a weak face is none`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            let prompt = app.device.prompt
            #expect(await prompt.capability().available)
            try Phone.call("happen", "unenroll")
            #expect(await prompt.capability().reasonIfUnavailable == .notEnrolled)
            try Phone.call("happen", "passcodeOff")
            #expect(await prompt.capability().reasonIfUnavailable == .noPasscode)
            try Phone.call("happen", "passcodeOn")
            #expect(await prompt.capability().available)
            try Phone.call("happen", "sensor weakFace")
            #expect(await prompt.capability().reasonIfUnavailable == .noHardware)
            #expect(try Phone.call("tooWeak") == "true")
            try Phone.call("happen", "sensor face")
            #expect(await prompt.capability().biometryType == .faceID)
            #expect(try Phone.call("tooWeak") == "false")

            try Phone.call("happen", "sensorBusy")
            #expect(await prompt.capability().reasonIfUnavailable == .temporarilyUnavailable)
            try Phone.call("happen", "sensorFree")
            try Phone.call("happen", "sensor none")
            let unbound = await refusal { () async throws(DeviceRefusal) in
                try await app.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            }
            #expect(unbound == .hardwareMissing)
            try Phone.call("happen", "sensor face")

            // A lockout shows once a prompt has met it.
            try await app.device.store.save(secret(1), as: name(1), access: .currentBiometrySet)
            try Phone.call("happen", "lockout")
            #expect(await readRefusal(app.device, name(1)) == .lockedOut)
            #expect(await prompt.capability().reasonIfUnavailable == .lockedOut)
            try Phone.call("happen", "advance 31000")
            #expect(await prompt.capability().available)
            try Phone.call("touch", "passcode")
            try await prompt.prompt(text, acceptingPasscode: true)
            try Phone.call("touch", "match")
            #expect(try await reads(app.device, name(1), 1))
            try await app.close()
        }

        @Test(.holds("A14", "A16"), arguments: Phone.levels)
        func `a boot without a count is like no other`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            #expect(app.device.clock().bootID == app.device.clock().bootID)
            try Phone.call("happen", "noBootCount")
            #expect(app.device.clock().bootID != app.device.clock().bootID)
            // Nor has a clock that can't be read one: the glue's own stands in for it.
            let before = app.device.clock()
            try Phone.call("fault", "clock")
            let without = app.device.clock()
            #expect(without.bootID != before.bootID && without.wall >= before.wall)
            try await app.close()
        }

        @Test(.holds("A37"), arguments: Phone.levels)
        func `a rotation is no leaving, and an app that may be stopped is told`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            let heard = Shared<[DeviceEvent]>([])
            let stream = app.device.events()
            let listening = Task { for await event in stream { heard.append(event) } }
            try Phone.call("happen", "rotate")
            await until { heard.value.contains(.becameActive) }
            #expect(!heard.value.contains(.enteredBackground))
            try Phone.call("happen", "trim 40")
            try Phone.call("happen", "background")
            await until { heard.value.contains(.enteredBackground) }
            #expect(!heard.value.contains(.suspending))
            try Phone.call("happen", level < 34 ? "trim 40" : "lowMemory")
            await until { heard.value.contains(.suspending) }
            listening.cancel()
            try await app.close()
        }

        @Test(.holds("A7", "A25"), arguments: Phone.levels)
        func `an anchor that stands at two places of one number is damaged, until a new position takes their place`(
            level: Int
        ) async throws {
            let app = try await PhoneApp(level: level)
            let (anchor, key) = (app.device.anchor, name(1, .deviceSecret))
            #expect(try await anchor.move(from: nil, to: .sample(1), for: key))
            try Phone.call("fault", "busy:generate")
            let busy = await refusal { () async throws(DeviceRefusal) in
                _ = try await anchor.move(from: .sample(1), to: .sample(2), for: key)
            }
            #expect(busy == .unavailable)
            let digits = String(decoding: TextCode.hexadecimal.encode(LedgerPosition.sample(1).bytes), as: UTF8.self)
            try Phone.call("doubled", "\(key.text)\n\(digits.prefix(16))\(String(repeating: "9", count: 32))")
            let damaged = await refusal { () async throws(DeviceRefusal) in _ = try await anchor.position(for: key) }
            #expect(damaged == .damaged)
            #expect(try await !anchor.move(from: .sample(1), to: .sample(2), for: key))
            #expect(try await anchor.move(from: nil, to: .sample(2), for: key))
            #expect(try await anchor.position(for: key) == .sample(2))
            try await app.close()
        }

        @Test(.holds("C7"), arguments: Phone.levels)
        func `a second prompt waits for the first, and may be given up meanwhile`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            for number: UInt64 in 1...2 {
                try await app.device.store.save(secret(1), as: name(number), access: .currentBiometrySet)
            }
            try Phone.call("touch", "wait")
            let first = Task { await readRefusal(app.device, name(1)) }
            await until { (try? Phone.call("prompts")) == "1" }
            let second = Task { await readRefusal(app.device, name(2)) }
            try await Task.sleep(nanoseconds: 200_000_000)
            second.cancel()
            #expect(await second.value == .cancelledBySystem)
            try Phone.call("touch", "match")
            #expect(await first.value == nil)
            #expect(try Phone.call("prompts") == "1")
            try await app.close()
        }

        @Test(arguments: Phone.levels)
        func `a host that throws is answered and closed, and what an app does wrong is refused`(level: Int) async throws
        {
            let app = try await PhoneApp(level: level)
            #expect(try Phone.call("throws") == "0 0 true once true")
            let (argument, state) = ("IllegalArgumentException", "IllegalStateException")
            #expect(try Phone.call("refusals") == "\(argument) \(argument) \(argument) \(state) \(state)")
            try await app.close()
        }

        @Test(.holds("A32"), arguments: Phone.levels)
        func `the glue takes direct buffers alone, and answers every misuse by a status`(level: Int) async throws {
            let app = try await PhoneApp(level: level)
            #expect(try Phone.call("heap") == "2 2 2 2")
            #expect(try Phone.call("misuse") == "2 2 2 1 1 4 4 5 2 6 2 2 2 2 2 7 8 2 1 true 0 7 true")
            #expect(try Phone.call("keystoreOnMain") == "refused")
            try await app.close()
        }

        @Test(.holds("A25", "A32", "A38"), arguments: Phone.levels)
        func `stopped at any call to key store or files, an item is whole or absent, and an anchor old or new`(
            level: Int
        ) throws {
            let folder = try TemporaryFolder()
            let situations = try Phone.call("stops", "\(folder.path)\n\(level)")
            #expect((Int(situations) ?? 0) > 100, "\(situations)")
            print("situations: \(level) \(situations)")
        }
    }
}
