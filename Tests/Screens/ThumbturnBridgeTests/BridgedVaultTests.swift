import CBridge
import Testing
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnBridge

@Suite("A vault behind the C header")
struct BridgedVaultTests {
    private let pin = "204518"
    private let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    @Test(.holds("A28"))
    func `a host has a vault's whole life by actions alone, and sees no secret`() async throws {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        #expect(await host.perform("app", "start") == HostSide.done)
        for _ in 1...2 { #expect(await host.perform("onboarding", "submitSecret", secret: pin) == HostSide.done) }
        #expect(await host.perform("onboarding", "answer", #","consent":true"#) == HostSide.done)
        await host.shows("unlock") { $0["screen"]?.text("name") == "content" }

        // A finger.
        #expect(await host.perform("unlock", "lock") == HostSide.done)
        try host.simulated.simulate(.finger(.match))
        #expect(await host.perform("unlock", "unlockWithBiometric") == HostSide.done)
        #expect(host.screen("unlock").text("state") == "UNLOCKED")

        // The PIN, and another.
        #expect(await host.perform("unlock", "lock") == HostSide.done)
        #expect(await host.perform("unlock", "submitSecret", secret: "204519") != HostSide.done)
        #expect(await host.perform("unlock", "submitSecret", secret: pin) == HostSide.done)

        // One more finger revokes, and the PIN turns it on again.
        #expect(await host.perform("unlock", "lock") == HostSide.done)
        try host.simulated.simulate(.enroll)
        try host.simulated.simulate(.finger(.match))
        #expect(await host.perform("unlock", "unlockWithBiometric") != HostSide.done)
        #expect(await host.perform("unlock", "submitSecret", secret: pin) == HostSide.done)
        #expect(await host.perform("unlock", "answerOffer", #","consent":true"#) == HostSide.done)

        // A wallet.
        #expect(await host.perform("wallets", "import", #","wallet":"Savings""#, secret: words) == HostSide.done)
        guard case .array(let list)? = host.screen("wallets")["list"], let id = list.first?.text("id") else {
            Issue.record("no wallet is listed")
            return
        }
        #expect(await host.perform("wallets", "export", #","wallet":"\#(id)""#, secret: pin) == HostSide.done)
        #expect(Array(host.told.lent.values) == [words])

        #expect(await host.perform("unlock", "reset", #","typed":"RESET""#) == HostSide.done)
        #expect(host.screen("unlock")["screen"]?.text("name") == "erased")
        await host.close()

        let told = host.told
        #expect(told.tooLate == 0)
        #expect(told.answers.values.allSatisfy { $0.count == 1 })
        let texts = told.values + told.answers.values.flatMap(\.self)
        for secret in [pin, "sausage"] { #expect(!texts.contains { $0.contains(secret) }) }
    }

    @Test func `a secret that its host could not take is no success, and may be asked for again`() async throws {
        let host = try await opened()
        #expect(await host.perform("wallets", "import", #","wallet":"Savings""#, secret: words) == HostSide.done)
        guard case .array(let list)? = host.screen("wallets")["list"], let id = list.first?.text("id") else {
            Issue.record("no wallet is listed")
            return
        }
        host.takesSecrets = false
        let refused = await host.perform("wallets", "export", #","wallet":"\#(id)""#, secret: pin)
        #expect(refused.contains(#""code":"SECRET_NOT_TAKEN""#))
        #expect(host.told.lent.isEmpty)
        host.takesSecrets = true
        #expect(await host.perform("wallets", "export", #","wallet":"\#(id)""#, secret: pin) == HostSide.done)
        #expect(Array(host.told.lent.values) == [words])
        await host.close()
    }

    @Test(.holds("A37")) func `an app in the background is covered, and locked by what its device tells`() async throws
    {
        let host = try await opened()
        tt_happen(host.handle, UInt32(TT_APP_BACKGROUND))
        await host.shows("unlock") { if case .bool(true)? = $0["isCovered"] { true } else { false } }
        tt_happen(host.handle, UInt32(TT_APP_ACTIVE))
        tt_happen(host.handle, UInt32(TT_DEVICE_LOCKING))
        await host.shows("unlock") { $0.text("state") != "UNLOCKED" }
        await host.close()
    }

    @Test(
        .holds("C7", "F-107-06"),
        arguments: [
            TT_REFUSED_NOT_RECOGNISED, TT_REFUSED_CANCELLED_BY_SYSTEM, TT_REFUSED_UNAVAILABLE, TT_REFUSED_NOT_ENROLLED,
        ]
    )
    func `each finger that failed in one prompt counts, however the prompt ended`(refusal: Int) async throws {
        let host = try await opened(consent: true)
        #expect(await host.perform("unlock", "lock") == HostSide.done)
        let prompts = Counter()
        host.interceptor = { host, call, operation in
            guard operation == .read else { return false }
            _ = prompts.next()
            tt_answer(host.handle, call, UInt32(refusal), 3, nil, 0, 0)
            return true
        }
        #expect(await host.perform("unlock", "unlockWithBiometric") != HostSide.done)
        await host.shows("unlock") { if case .integer(1...)? = $0["failedAttempts"] { true } else { false } }
        #expect(host.screen("unlock")["failedAttempts"]?.wireText == "3")
        let shown = prompts.next()
        #expect(await host.perform("unlock", "unlockWithBiometric") != HostSide.done)
        #expect(prompts.next() == shown + 1, "a fourth finger is asked for")
        #expect(await host.perform("unlock", "submitSecret", secret: pin) == HostSide.done)
        await host.shows("unlock") { if case .integer(0)? = $0["failedAttempts"] { true } else { false } }
        await host.close()
    }

    @Test func `a prompt that is given up is taken away, and its action answered`() async throws {
        let host = try await opened(consent: true)
        #expect(await host.perform("unlock", "lock") == HostSide.done)
        host.simulated.promptsWait = true
        let ticket = HostSide.nextTicket.next()
        #expect(host.send(ticket, #"{"name":"unlockWithBiometric","screen":"unlock"}"#) == TT_OK)
        await until { host.simulated.snapshot.prompt != nil }
        #expect(tt_cancel(host.handle, ticket) == TT_OK)
        await until { host.told.answers[ticket] != nil }
        #expect(host.told.answers[ticket]?.count == 1)
        #expect(host.told.answers[ticket] != [HostSide.done])
        #expect(host.simulated.snapshot.prompt == nil)
        #expect(host.told.cancelled.count == 1)
        #expect(tt_cancel(host.handle, ticket) == TT_TICKET)
        await host.close()
    }

    @Test func `a vault that is closed under a prompt answers its action, and takes the prompt away`() async throws {
        let host = try await opened(consent: true)
        #expect(await host.perform("unlock", "lock") == HostSide.done)
        host.simulated.promptsWait = true
        let ticket = HostSide.nextTicket.next()
        #expect(host.send(ticket, #"{"name":"unlockWithBiometric","screen":"unlock"}"#) == TT_OK)
        await until { host.simulated.snapshot.prompt != nil }
        await host.close()
        #expect(host.told.answers[ticket]?.count == 1)
        #expect(host.told.answers[ticket]?.first?.contains("HOST_CLOSED") == true)
        #expect(host.simulated.snapshot.prompt == nil)
        #expect(host.told.tooLate == 0)
    }

    /// A host whose vault was made, and is open.
    private func opened(consent: Bool = false) async throws -> HostSide {
        let host = try HostSide()
        #expect(host.open() == TT_OK)
        #expect(await host.perform("app", "start") == HostSide.done)
        for _ in 1...2 { #expect(await host.perform("onboarding", "submitSecret", secret: pin) == HostSide.done) }
        #expect(await host.perform("onboarding", "answer", #","consent":\#(consent)"#) == HostSide.done)
        await host.shows("unlock") { $0.text("state") == "UNLOCKED" }
        return host
    }
}
