/// One line of `docs/device-checklist.md`.
struct ChecklistLine: Hashable, Sendable {
    /// `H1` and on for the lines of the hour, which go over several steps; else the step's own.
    let id: String
    let section: String
    /// What has to be there before a section's first line.
    let before: String
    /// The rows of `docs/device-results.md` that it fills in.
    let steps: [String]
    let todo: String
    let expected: String
}

/// Where somebody stands who goes through the checklist, and what came at each line.
///
/// A value: what the screen shows, what is stored for the next start, and the rows of results follow from it.
struct ChecklistWalk: Hashable, Sendable {
    struct Answer: Hashable, Sendable {
        /// What came instead; nil when it was as expected.
        var difference: String?
        /// What was measured meanwhile, such as `10 timed, median 412 ms, longest 520 ms`.
        var measured = ""
    }

    let lines: [ChecklistLine]
    private(set) var position = 0
    private(set) var answers: [String: Answer] = [:]

    init(lines: [ChecklistLine] = ChecklistLine.all) { self.lines = lines }

    /// The line that is walked now; nil at the end, where the rows are.
    var line: ChecklistLine? { lines.indices.contains(position) ? lines[position] : nil }

    /// Takes an answer, or none for a line that was not gone through, and goes on.
    mutating func answer(_ answer: Answer?) {
        guard let line else { return }
        answers[line.id] = answer
        position += 1
    }

    mutating func goBack() { position = max(position - 1, 0) }

    mutating func begin() { position = 0 }

    /// The rows to paste: one for each step, empty where nobody answered.
    func rows(who: String, device: String) -> [String] {
        var seen: Set<String> = []
        let steps = lines.flatMap(\.steps).filter { seen.insert($0).inserted }
        return steps.sorted { Int($0.dropFirst()) ?? 0 < Int($1.dropFirst()) ?? 0 }.map { step in
            let given = lines.filter { $0.steps.contains(step) }.compactMap { answers[$0.id] }
            guard !given.isEmpty else { return "|\(step)||||" }
            let differences = given.compactMap(\.difference)
            let measured = given.map(\.measured).filter { !$0.isEmpty }
            let result = (differences.isEmpty ? ["as expected"] : differences) + measured
            return "|\(step)|\(Self.cell(who))|\(Self.cell(device))|\(Self.cell(result.joined(separator: "; ")))|"
        }
    }

    /// Text in one line and one column.
    private static func cell(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 == "|" ? "/" : $0 })
    }
}

// For the next start, which steps ask for: a line for the place, and one for each answer.
extension ChecklistWalk {
    var stored: String {
        let kept = answers.sorted { $0.key < $1.key }.map { id, answer in
            let difference = answer.difference.map { "|" + Self.cell($0) } ?? ""
            return "\(id)|\(Self.cell(answer.measured))\(difference)"
        }
        return (["\(position)"] + kept).joined(separator: "\n")
    }

    init(stored: String, lines: [ChecklistLine] = ChecklistLine.all) {
        self.init(lines: lines)
        let rows = stored.split(separator: "\n")
        guard let first = rows.first, let place = Int(first), lines.indices.contains(place) || place == lines.count
        else { return }
        position = place
        for row in rows.dropFirst() {
            let parts = row.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count >= 2, lines.contains(where: { $0.id == parts[0] }) else { continue }
            answers[parts[0]] = Answer(difference: parts.count == 3 ? parts[2] : nil, measured: parts[1])
        }
    }
}

// What the journal says.
extension ChecklistWalk {
    /// What is noted in the journal where a line begins.
    static func mark(of line: ChecklistLine) -> String { "step \(line.id) begins" }

    /// How often something was timed since, in milliseconds: `took N ms` of the journal; empty if nothing was.
    static func measured(in lines: [String]) -> String {
        let spans = lines.compactMap { line -> Int? in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "took"), index + 1 < words.count else { return nil }
            return Int(words[index + 1])
        }.sorted()
        guard let longest = spans.last else { return "" }
        return "\(spans.count) timed, median \(spans[spans.count / 2]) ms, longest \(longest) ms"
    }
}
