import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

/// A session as a person would note it down, played against the real command.
///
/// - `$ words` runs the command; `'…'` keeps spaces together.
/// - `3< line` gives it a line on `--secret-fd`, `3<` an empty one; PIN, WRONG and MNEMONIC stand for the box's.
/// - Other lines are standard output, lines after `2> ` standard error, `= 1` the exit code, which is 0 where it is missing.
/// - BOX is the box's folder, and … anything.
enum Transcript {
    static func play(_ text: String, in box: Box, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for step in steps(of: text, in: box) {
            let result = try box.run(step.words, step.secrets)
            let actual = lines(of: result)
            let isSame = actual.count == step.expected.count && zip(actual, step.expected).allSatisfy(matches)
            #expect(isSame, "\(step.words): \(actual.joined(separator: "\n"))", sourceLocation: sourceLocation)
        }
    }

    private struct Step {
        var words: [String]
        var secrets: [String]?
        var expected: [String] = []
    }

    private static func steps(of text: String, in box: Box) -> [Step] {
        var steps: [Step] = []
        for line in text.split(separator: "\n").map(String.init) {
            let filled = line.replacing("BOX", with: box.folder)
            if line.hasPrefix("$ ") {
                steps.append(Step(words: words(of: String(filled.dropFirst(2)))))
            } else if line.hasPrefix("3<") {
                let names = ["PIN": Box.pin, "WRONG": Box.wrongPIN, "MNEMONIC": Box.mnemonic]
                let given = String(filled.dropFirst(3))
                steps[steps.count - 1].secrets = (steps[steps.count - 1].secrets ?? []) + [names[given] ?? given]
            } else {
                steps[steps.count - 1].expected.append(filled)
            }
        }
        return steps
    }

    private static func words(of line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }

    private static func lines(of result: ChildProcess) -> [String] {
        result.standardOutput.split(separator: "\n").map(String.init)
            + result.standardError.split(separator: "\n").map { "2> " + $0 }
            + (result.exitCode == 0 ? [] : ["= \(result.exitCode)"])
    }

    private static func matches(_ actual: String, _ expected: String) -> Bool {
        let parts = expected.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return actual == expected }
        return actual.count >= parts[0].count + parts[1].count && actual.hasPrefix(parts[0])
            && actual.hasSuffix(parts[1])
    }
}
