import Testing
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnLinux

extension OnTheStack {
    struct CapabilityTests {
        private let other = OtherClient()
        private let prompt = TestStack.prompt()

        init() async throws {
            try TestStack.run("up")
            try await other.enrol("mine")
        }

        private func reason() async -> BiometricCapability.Reason? { await prompt.capability().reasonIfUnavailable }

        @Test(.holds("F-107-01"))
        func `a reader with a finger can be used, and claims the assurance that it was given`() async {
            let capability = await prompt.capability()
            #expect(capability == BiometricCapability(biometryType: .touchID, assurance: .softwareFile))
            #expect(capability.available && capability.enrolled)
        }

        @Test(.holds("F-107-01")) func `nobody enrolled is a reason, and mends when a finger is`() async throws {
            try await other.delete("right-index-finger")
            #expect(await reason() == .notEnrolled)
            #expect(await prompt.capability().supported)
            try await other.enrol("mine")
            #expect(await reason() == nil)
        }

        @Test(.holds("F-107-01")) func `a reader that asks for somebody else's program is busy`() async throws {
            try await other.call("Claim", "")
            try await other.call("VerifyStart", "any")
            #expect(await reason() == .temporarilyUnavailable)
            try await other.call("VerifyStop")
            try await other.call("Release")
            #expect(await reason() == nil)
        }

        @Test func `our own prompt does not make the reader busy`() async throws {
            let run = PromptRun()
            try #require(await run.isReady())
            #expect(await reason() == nil)
            #expect(
                try await {
                    try TestStack.happen("SCAN mine"); return await run.end().refusal
                }() == nil
            )
        }

        @Test(.holds("F-107-01")) func `what polkit denies is permissionDenied, and a prompt fails`() async throws {
            let polkit = ("org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority")
            try TestStack.call(polkit.0, polkit.1, "org.freedesktop.DBus.Mock.AllowUnknown", "false")
            #expect(await reason() == .permissionDenied)
            #expect(await prompt.capability().enrolled)
            #expect(await PromptRun().end().refusal == .readerFailed(afterMismatch: false))
            try TestStack.call(polkit.0, polkit.1, "org.freedesktop.DBus.Mock.AllowUnknown", "true")
            #expect(await reason() == nil)
        }

        @Test(.holds("C9")) func `without a reader there is no hardware`() async throws {
            let run = PromptRun()
            _ = try await run.end(after: "UNPLUG")
            try await TestStack.readerIsGone()
            #expect(
                await prompt.capability()
                    == BiometricCapability(
                        biometryType: .none,
                        reasonIfUnavailable: .noHardware,
                        assurance: .softwareFile
                    )
            )
        }

        @Test(.holds("C9")) func `without fprintd there is no hardware, until it is there`() async throws {
            try TestStack.run("stop", "fprintd")
            #expect(await reason() == .noHardware)
            #expect(await PromptRun().end().refusal == .hardwareMissing)
            try TestStack.run("start", "fprintd")
            #expect(await reason() == nil)
        }

        @Test func `fprintd that ends during a prompt ends it, and the next one finds the new one`() async throws {
            let bus = BusConnection(address: TestStack.address)
            let run = PromptRun(bus: bus)
            try #require(await run.isReady())
            try TestStack.run("stop", "fprintd")
            #expect(await run.end().refusal == .readerFailed(afterMismatch: false))
            try TestStack.run("start", "fprintd")
            #expect(try await PromptRun(bus: bus).end(after: "SCAN mine").refusal == nil)
        }

        @Test func `a bus that goes away ends a prompt, and is found again when it is back`() async throws {
            let bus = BusConnection(address: TestStack.address)
            let run = PromptRun(bus: bus)
            try #require(await run.isReady())
            try TestStack.run("stop", "bus")
            #expect(await run.end().refusal == .readerFailed(afterMismatch: false))
            #expect(await reason() == .temporarilyUnavailable)
            #expect(await prompt.capability().supported)
            #expect(await PromptRun(bus: bus).end().refusal == .readerFailed(afterMismatch: false))
            try TestStack.run("up")
            try await OtherClient().enrol("mine")
            #expect(await reason() == nil)
            #expect(try await PromptRun(bus: bus).end(after: "SCAN mine").refusal == nil)
        }
    }
}
