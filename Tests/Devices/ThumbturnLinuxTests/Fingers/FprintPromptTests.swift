import Testing
import ThumbturnDevice
import ThumbturnRules

@testable import ThumbturnLinux

extension OnTheStack {
    struct FprintPromptTests {
        private let other = OtherClient()

        init() async throws {
            try TestStack.run("up")
            try await other.enrol("mine")
        }

        @Test(.holds("F-107-01"), arguments: [false, true])
        func `an enrolled finger proves presence, whether or not a passcode would do`(passcode: Bool)
            async throws
        {
            let end = try await PromptRun(acceptingPasscode: passcode).end(after: "SCAN mine")
            #expect(end.refusal == nil)
            #expect(end.progress.contains(.finger("right-index-finger")) || end.progress.contains(.finger("any")))
        }

        @Test func `a finger that is not enrolled ends the prompt at once`() async throws {
            #expect(try await PromptRun().end(after: "SCAN stranger").refusal == .notRecognised)
            #expect(try await PromptRun().end(after: "SCAN mine").refusal == nil)
        }

        @Test(arguments: zip(0...3, [FingerProgress.scanAgain, .swipeTooShort, .notCentred, .liftAndScanAgain]))
        func `a scan that is not good enough asks for another, and decides nothing`(
            code: Int,
            event: FingerProgress
        ) async throws {
            let match = try await PromptRun().end(after: "RETRY \(code)", "SCAN mine")
            #expect(match.refusal == nil)
            #expect(match.progress.filter { $0 == event }.count == 1)
            #expect(try await PromptRun().end(after: "RETRY \(code)", "SCAN stranger").refusal == .notRecognised)
        }

        private static let failed = DeviceRefusal.readerFailed(afterMismatch: false)

        @Test(.holds("B-03"), arguments: [(0, failed), (5, failed), (7, .notRecognised)] as [(Int, DeviceRefusal)])
        func `an error of the reader ends the prompt`(code: Int, refusal: DeviceRefusal) async throws {
            #expect(try await PromptRun().end(after: "ERROR \(code)").refusal == refusal)
            #expect(try await PromptRun().end(after: "SCAN mine").refusal == nil)
        }

        @Test func `a reader that is pulled out during a prompt ends it, and is no hardware from then on`() async throws
        {
            #expect(try await PromptRun().end(after: "UNPLUG").refusal == Self.failed)
            try await TestStack.readerIsGone()
            #expect(await PromptRun().end().refusal == .hardwareMissing)
        }

        @Test func `the end of the task ends the prompt and frees the reader`() async throws {
            let prompt = PromptRun()
            try #require(await prompt.isReady())
            await #expect(throws: BusFailure.refused("net.reactivated.Fprint.Error.AlreadyInUse")) {
                try await other.call("Claim", "")
            }
            prompt.cancel()
            #expect(await prompt.end().refusal == .cancelledBySystem)
            try await other.call("Claim", "")
        }

        @Test func `a task that has ended asks for no finger`() async throws {
            let prompt = PromptRun()
            prompt.cancel()
            let end = await prompt.end()
            #expect(end.refusal == .cancelledBySystem)
            try await other.call("Claim", "")
        }

        @Test func `a prompt that is up too long ends, and frees the reader`() async throws {
            let (over, say) = AsyncStream.makeStream(of: Void.self)
            let prompt = PromptRun(limit: { for await _ in over { return } })
            try #require(await prompt.isReady())
            say.yield()
            #expect(await prompt.end().refusal == .cancelledBySystem)
            try await other.call("Claim", "")
        }

        @Test(
            arguments: [(.cancel, .cancelledByUser(afterMismatch: false)), (.fallback, .fallbackChosen)]
                as [(PromptDismissal, DeviceRefusal)]
        )
        func `the buttons of the app's panel end the prompt`(button: PromptDismissal, refusal: DeviceRefusal)
            async throws
        {
            let prompt = PromptRun(dismissal: { text in
                text == PromptRun.text ? button : nil
            })
            #expect(await prompt.end().refusal == refusal)
            try await other.call("Claim", "")
        }

        @Test func `a panel without a choice leaves the prompt up, and one that is never used goes with it`()
            async throws
        {
            #expect(try await PromptRun().end(after: "SCAN mine").refusal == nil)
            let (gone, say) = AsyncStream.makeStream(of: Void.self)
            let prompt = PromptRun(dismissal: { _ in
                for await _ in AsyncStream<Void>.makeStream().stream {}
                say.yield()
                return .cancel
            })
            #expect(try await prompt.end(after: "SCAN mine").refusal == nil)
            for await _ in gone { break }
        }

        @Test func `a second prompt waits for its turn`() async throws {
            let (first, second) = (PromptRun(), PromptRun())
            // Either may be first; the other is not up meanwhile, or its claim would be refused.
            async let one = first.end(after: "SCAN mine")
            async let two = second.end(after: "SCAN mine")
            #expect(try await [one.refusal, two.refusal] == [nil, nil])
        }

        @Test(.holds("B-03")) func `a reader that another program has claimed fails, and is as good as ever after it`()
            async throws
        {
            try await other.call("Claim", "")
            #expect(await PromptRun().end().refusal == Self.failed)
            try await other.call("Release")
            #expect(try await PromptRun().end(after: "SCAN mine").refusal == nil)
        }

        @Test func `nobody enrolled is said before the reader is claimed`() async throws {
            try await other.delete("right-index-finger")
            try await other.call("Claim", "")
            #expect(await PromptRun().end().refusal == .notEnrolled)
        }

        @Test(.holds("A55")) func `a service that somebody else runs is not believed`() async throws {
            let prompt = FprintPrompt(
                bus: BusConnection(address: TestStack.address),
                assurance: .softwareFile,
                ownedBy: TestStack.owner + 1
            )
            await #expect(throws: DeviceRefusal.hardwareMissing) { try await prompt.prompt(PromptRun.text) }
            #expect(await prompt.capability().reasonIfUnavailable == .noHardware)
        }

        @Test(.holds("A55")) func `a match that another program says is none`() async throws {
            let bus = BusConnection(address: TestStack.address)
            let prompt = PromptRun(bus: bus)
            try #require(await prompt.isReady())
            let forger = try Forger()
            let (path, interface) = ("/net/reactivated/Fprint/Device/0", Fprint.Reader.interface)
            // The control: who listens to the forger hears it on the very connection of the prompt.
            let (heard, say) = AsyncStream.makeStream(of: BusSignal.self)
            _ = try await bus.listen(to: forger.name, from: .daemon("GetId"), rules: []) {
                if let signal = $0 { say.yield(signal) }
            }
            try forger.say(path, interface, "VerifyStatus", "verify-match", "true")
            try TestStack.happen("SCAN stranger")
            #expect(await prompt.end().refusal == .notRecognised)
            var forged: BusSignal?
            for await signal in heard {
                forged = signal
                break
            }
            #expect(forged?.member == "VerifyStatus" && forged?.values.first?.text == "verify-match")
            #expect(forged?.path == path && forged?.interface == interface && forged?.values.last?.bool == true)
        }
    }
}
