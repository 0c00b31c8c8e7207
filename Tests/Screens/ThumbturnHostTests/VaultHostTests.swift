import Testing
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnUI

@testable import ThumbturnHost

@MainActor @Suite("The host of a vault", .waitsEnd)
struct VaultHostTests {
    @Test(.holds("P-107-03")) func `the value has every screen by its name, and null for one that is not there`()
        async throws
    {
        let room = try HostRoom(.french)
        let names = [
            "app", "backup", "biometrics", "onboarding", "pin", "recover", "recoveryKey", "system", "trail", "unlock",
            "wallets", "words",
        ]
        func shown() throws -> [String] {
            guard case .object(let screens)? = room.at("screens") else { return [] }
            #expect(screens.map(\.0) == names)
            return screens.filter { if case .null = $0.1 { false } else { true } }.map(\.0)
        }
        #expect(try shown() == ["app"])
        #expect(room.host.fields.hasPrefix(#"{"language":"fr","phrases":{"olderCopy":""#))
        #expect(room.host.fields.hasSuffix(#","secret":{"kind":"pin","length":null}}"#))
        await room.host.start()
        #expect(try shown() == ["app", "onboarding"])
        await room.makeVault()
        #expect(try shown() == names.filter { !["onboarding", "recover", "words"].contains($0) })
    }

    @Test func `a change is told once, the newest value, and what stays the same never`() async throws {
        let room = try HostRoom()
        await room.makeVault()
        await room.settle()
        #expect(room.told.last == room.host.fields)
        for (value, next) in zip(room.told, room.told.dropFirst()) { #expect(value != next) }
        let (count, title) = (room.told.count, room.text("screens.backup.title"))
        room.host.language = .french
        room.host.language = .english
        room.host.language = .french
        #expect(room.told.count == count, "it is told soon, once for all")
        await room.until { room.told.count > count }
        #expect(room.told.count == count + 1 && room.text("language") == "fr")
        #expect(title != nil && room.text("screens.backup.title") != title)
        room.host.language = .french
        await room.settle()
        #expect(room.told.count == count + 1)
    }

    @Test func `what an action changed is told before its answer`() async throws {
        let room = try HostRoom()
        await room.host.start()
        let count = room.told.count
        await room.send(.onboarding(.submitSecret), HostRoom.pin)
        #expect(room.told.count > count && room.told.last == room.host.fields)
        #expect(room.text("screens.onboarding.step") == "repeated")
    }

    @Test func `a call of the model decides, and its refusal is the answer`() async throws {
        let room = try HostRoom()
        await room.makeVault()
        await room.send(.unlock(.lock))
        let refused = await room.send(.unlock(.submitSecret), HostRoom.wrongPIN)
        #expect(refused.code == room.text("screens.unlock.error.code"))
        #expect(refused.code == ErrorCode.strongFactorRefused.text)
        #expect(refused.json.contains(#""recoverable":true"#))
        let opened = await room.send(.unlock(.submitSecret), HostRoom.pin)
        #expect(opened.json == #"{"error":null}"#)
        await room.until { room.text("screens.unlock.scope") == "full" }
        #expect(await room.send(.unlock(.newWallet)).code == ErrorCode.confirmationMissing.text)
        #expect(await room.send(.recover(.goOn)).code == ErrorCode.consentMissing.text)
        #expect(await room.send(.words(.wordsWritten)).code == ErrorCode.consentMissing.text)
    }

    @Test func `what is no action is refused in the host's language, changes nothing and reaches no model`()
        async throws
    {
        for language in Language.allCases {
            let room = try HostRoom(language)
            await room.makeVault()
            await room.settle()
            let (value, count) = (room.host.fields, room.told.count)
            let lock = #"{"name":"lock","screen":"unlock"}"#
            let enter = #"{"name":"submitSecret","screen":"unlock","secret":"taken"}"#
            for (action, secret, expected) in [
                ("", nil, HostError(.notJSON)), ("\u{FEFF}" + lock, nil, HostError(.notJSON)),
                (String(lock.dropLast()), nil, HostError(.notJSON)), (lock + lock, nil, HostError(.notJSON)),
                (#"{"name":"\ud800","screen":"unlock"}"#, nil, HostError(.notJSON)),
                (String(repeating: "[", count: 1_000), nil, HostError(.notJSON)),
                (lock + String(repeating: " ", count: 4_096), nil, HostError(.notJSON)),
                ("[]", nil, HostError(.notObject)), ("7", nil, HostError(.notObject)),
                ("{}", nil, HostError(.memberMissing)),
                (#"{"name":1,"screen":"unlock"}"#, nil, HostError(.memberWrong)),
                (#"{"name":"lock","screen":"door"}"#, nil, HostError(.unknownScreen)),
                (#"{"name":"open","screen":"unlock"}"#, nil, HostError(.unknownAction)),
                (#"{"more":1,"name":"lock","screen":"unlock"}"#, nil, HostError(.memberUnknown)),
                (#"{"name":"reset","screen":"unlock","typed":9007199254740992}"#, nil, HostError(.notJSON)),
                (lock, HostRoom.pin, .secretUnexpected), (enter, nil, .secretMissing),
                (enter, String(repeating: "7", count: VaultHost.mostSecretBytes + 1), .secretTooLong),
            ] as [(String, String?, HostError)] {
                let answer = await room.send(action, secret)
                #expect(answer.code == expected.code, "\(action.prefix(80))")
                #expect(answer.json.contains(expected.message(in: language)) && answer.secret == nil)
                #expect(answer.json.contains(#""recoverable":false"#))
            }
            #expect(room.host.fields == value && room.told.count == count)
        }
    }

    @Test(.holds("A61", "K-01")) func `what did not happen is never answered as done`() async throws {
        let room = try HostRoom()
        await room.makeVault(biometrics: true)
        let words = FormerApp.words
        await room.send(.unlock(.lock))
        #expect(await room.send(.wallets(.import(wallet: "savings")), words).code == ErrorCode.locked.text)
        #expect(await room.send(.wallets(.create(wallet: "other"))).code == ErrorCode.locked.text)
        room.simulated.promptsWait = true
        let waiting = Task { await room.send(.unlock(.unlockWithBiometric)) }
        await room.until { room.simulated.snapshot.prompt != nil }
        #expect(await room.send(.unlock(.submitSecret), HostRoom.pin).code == ErrorCode.busy.text)
        #expect(await room.send(.unlock(.unlockWithBiometric)).code == ErrorCode.busy.text)
        try room.simulated.simulate(.finger(.match))
        #expect(await waiting.value.code == nil)
        await room.until { room.text("screens.unlock.scope") == "full" }
        #expect(await room.send(.wallets(.import(wallet: "savings")), words).code == nil)
    }

    @Test func `what a screen says to be in the way is the answer to who asks all the same`() async throws {
        let room = try HostRoom()
        await room.makeVault()
        await room.until { room.text("screens.backup.obstacle.code") == ErrorCode.recoveryMissing.text }
        #expect(await room.send(.backup(.start)).code == ErrorCode.recoveryMissing.text)
        #expect(room.text("screens.backup.step") == "start")
        // In system mode there is no PIN to change.
        await room.send(.recoveryKey(.make))
        await room.send(.recoveryKey(.submitSecret), HostRoom.pin)
        let key = await room.send(.recoveryKey(.showKey)).given
        await room.send(.recoveryKey(.keyIsWritten))
        await room.send(.recoveryKey(.submitSecret), key)
        await room.until { room.at("screens.backup.obstacle")?.wireText == "null" }
        await room.send(.system(.agree))
        await room.send(.system(.submitSecret), HostRoom.pin)
        await room.until { room.text("screens.pin.obstacle.code") == ErrorCode.systemModeOnly.text }
        #expect(await room.send(.pin(.submitSecret), HostRoom.pin).code == ErrorCode.systemModeOnly.text)
        #expect(await room.send(.backup(.start)).code == nil)
        #expect(room.text("screens.backup.step") == "secret")
    }

    @Test(.holds("P-107-04")) func `no words are given behind a cover`() async throws {
        let room = try HostRoom()
        await room.makeVault()
        await room.send(.wallets(.import(wallet: "savings")), FormerApp.words)
        guard case .array(let wallets)? = room.at("screens.wallets.list"),
            case .string(let text)? = wallets.first?["id"], let id = Identifier(text: text)
        else {
            Issue.record("no wallet")
            return
        }
        room.host.appBecame(.inactive)
        await room.settle()
        let export = ScreenAction.wallets(.export(wallet: id, withSecret: true))
        #expect(await room.send(export, HostRoom.pin).given == nil)
        room.host.appBecame(.active)
        await room.settle()
        #expect(await room.send(export, HostRoom.pin).given == FormerApp.words)
    }

    @Test func `the end of the caller's task takes the prompt away`() async throws {
        let room = try HostRoom()
        await room.makeVault(biometrics: true)
        await room.send(.unlock(.lock))
        room.simulated.promptsWait = true
        let waiting = Task { await room.send(.unlock(.unlockWithBiometric)) }
        await room.until {
            room.simulated.snapshot.prompt != nil && room.text("screens.unlock.screen.name") == "prompt"
        }
        waiting.cancel()
        let answer = await waiting.value
        #expect(answer.code != nil && room.simulated.snapshot.prompt == nil)
        #expect(room.text("screens.unlock.scope") == nil)
    }

    @Test(.holds("A37", "P-107-04")) func `the app that leaves covers before it returns, and forgets what is typed`()
        async throws
    {
        let room = try HostRoom()
        await room.host.start()
        room.host.appBecame(.active)
        await room.send(.onboarding(.submitSecret), HostRoom.pin)
        #expect(room.text("screens.onboarding.step") == "repeated")
        room.host.appBecame(.background)
        #expect(room.text("screens.onboarding.step") == "secret")
        await room.makeVault()
        await room.until { if case .bool(false)? = room.at("screens.unlock.isCovered") { true } else { false } }
        room.host.appBecame(.inactive)
        guard case .bool(true)? = room.at("screens.unlock.isCovered") else {
            Issue.record("it does not cover")
            return
        }
        #expect(room.told.last == room.host.fields)
    }

    @Test func `a vault that could not be opened is looked for at the return`() async throws {
        let room = try HostRoom()
        await room.makeVault()
        await room.host.close()
        let phone = Shared(false)
        let simulated = room.simulated
        let host = VaultHost(
            HostConfiguration(home: room.folder.path, policy: TestVault.policy),
            device: {
                guard phone.value else { throw VaultError(.storageUnavailable) }
                return simulated.device
            },
            changed: { _ in }
        )
        await host.start()
        #expect(host.fields.contains(#""screen":"failed""#))
        phone.value = true
        host.appBecame(.active)
        await room.until { host.fields.contains(#""screen":"vault""#) }
        await host.close()
    }
}

// The end.
extension VaultHostTests {
    @Test func `close ends what is under way, wipes what was typed, and leaves the vault as it is`() async throws {
        let room = try HostRoom()
        await room.makeVault(biometrics: true)
        await room.send(.unlock(.lock))
        room.simulated.promptsWait = true
        let waiting = Task { await room.send(.unlock(.unlockWithBiometric)) }
        await room.until { room.simulated.snapshot.prompt != nil }
        let count = room.told.count
        await room.host.close()
        #expect(await waiting.value.code == HostError.closed.code)
        #expect(room.simulated.snapshot.prompt == nil)
        #expect(await room.send(.unlock(.lock)).code == HostError.closed.code)
        #expect(await room.send("{").code == HostError.closed.code)
        #expect(room.at("screens.unlock") == nil && room.text("secret.kind") == "pin")
        room.host.appBecame(.active)
        await room.host.start()
        await room.host.close()
        for _ in 0..<100 { await Task.yield() }
        #expect(room.told.count <= count + 1, "a host that is closed tells nothing")

        let again = try HostRoom(in: room)
        await again.host.start()
        again.host.appBecame(.active)
        try room.simulated.simulate(.finger(.match))
        await again.send(.unlock(.unlockWithBiometric))
        await again.until { again.text("screens.unlock.scope") == "full" }
    }

    @Test(.holds("P-107-04")) func `a secret that was typed is gone with the host`() async throws {
        let room = try HostRoom()
        await room.host.start()
        weak var held: HeldSecret?
        do {
            let typed = HeldSecret(SecretBytes(text: HostRoom.pin))
            held = typed
            _ = await room.host.send(Array(ScreenAction.onboarding(.submitSecret).json.wireText.utf8), typed)
        }
        #expect(held == nil, "the model has a copy of its own")
        #expect(room.text("screens.onboarding.step") == "repeated")
        weak let chosen = room.app.model.onboarding?.chosen
        #expect(chosen != nil)
        await room.host.close()
        #expect(chosen == nil)
    }

    @Test func `a host that goes takes its models along`() async throws {
        var room: HostRoom? = try HostRoom()
        await room?.makeVault()
        weak let models = room?.app.models
        weak let host = room?.host
        await room?.host.close()
        room = nil
        while models != nil || host != nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }
}
