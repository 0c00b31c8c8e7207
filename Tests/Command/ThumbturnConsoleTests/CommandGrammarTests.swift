import Testing
import ThumbturnConsole
import ThumbturnRules

struct CommandGrammarTests {
    private enum Command: Hashable { case first, second, help, version }

    @Test func `a command makes no rows behind its own`() throws {
        let later = LaterRows()
        let grammar = CommandGrammar<Command>(
            of: "program",
            [
                CommandGroup(
                    Words("first"),
                    [CommandSyntax(name: "first", summary: Words("first")) { _, _ in .first }]
                ),
                CommandGroup(Words("later"), later.make()),
            ],
            optionsOfAll: [],
            common: CommandGrammar.Common(version: .version) { _ in .help }
        )
        #expect(try grammar.parse(["first"]).command == .first)
        #expect(later.count == 0)
        #expect(try grammar.parse(["second"]).command == .second)
        #expect(later.count > 0)
        #expect(throws: Failure.self) { try grammar.parse(["first", "--later"]) }
    }

    @Test func `an option that may be repeated keeps each value, and any other is refused the second time`() throws {
        let keys = Option<String>.text("--key", isRepeatable: true)
        let once = Option<String>.text("--once")
        let grammar = CommandGrammar<Command>(
            of: "program",
            [
                CommandGroup(
                    Words("first"),
                    [CommandSyntax(name: "first", options: [keys, once], summary: Words("first")) { _, _ in .first }]
                )
            ],
            optionsOfAll: [],
            common: CommandGrammar.Common(version: .version) { _ in .help }
        )
        let given = try grammar.parse(["first", "--key", "b", "--once=x", "--key=a"]).given
        #expect(try given.all(keys) == ["b", "a"] && given.all(once) == ["x"] && given[once] == "x")
        #expect(try grammar.parse(["first"]).given.all(keys) == [])
        for words in [["--once=x", "--once=y"], ["--key"], ["--key=a", "--key="]] {
            #expect(throws: Failure.self) { _ = try grammar.parse(["first"] + words).given.all(keys) }
        }
    }

    private final class LaterRows: @unchecked Sendable {
        // Safe to send: one test asks for them.
        private(set) var count = 0

        func make() -> [CommandSyntax<Command>] {
            count += 1
            return [CommandSyntax(name: "second", summary: Words("second")) { _, _ in .second }]
        }
    }
}
