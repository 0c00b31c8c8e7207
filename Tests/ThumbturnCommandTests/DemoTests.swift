import Testing
import ThumbturnConsole
import ThumbturnRules

@testable import ThumbturnCommand

struct DemoTests {
    @Test(.holds("INV-107-05"), .timeLimit(.minutes(5)))
    func `the demo's steps hold, and it leaves nothing behind`() throws {
        let box = try Box()
        let result = try box.run(["demo"])
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.standardOutput.contains("All 19 steps hold."))
        #expect(result.standardOutput.split(separator: "\n").filter { $0.hasPrefix("✓ ") }.count == 19)
        #expect(box.contents().isEmpty)
    }

    @Test func `a step that does not hold fails the demo, loudly`() throws {
        var stage = try DemoStage(
            output: Output(
                of: Tool.name,
                environment: Environment(values: [:]),
                isJSON: true,
                hints: Advice.none.hints
            )
        )
        let failure = try #require(throws: Failure.self) { try stage.check(false, Words("the earth is flat")) }
        #expect(failure.exitCode == 4)
        #expect(failure.message(in: .english).contains("the earth is flat"))
    }
}
