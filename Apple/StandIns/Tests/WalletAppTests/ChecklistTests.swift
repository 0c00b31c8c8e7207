import Foundation
import StandIn
import SwiftUI
import Testing
import Thumbturn
import ThumbturnTestKit

@testable import WalletApp

@MainActor @Suite("The checklist in the example app", .timeLimit(.minutes(2)))
struct ChecklistTests {
    @Test(.holds("P-107-07", "B-06")) func `it walks every line of the page, with its words`() throws {
        let page = try String(contentsOf: Self.docs.appendingPathComponent("device-checklist.md"), encoding: .utf8)
        var walked = ChecklistLine.all[...]
        var section = ""
        for row in page.split(separator: "\n") {
            if row.hasPrefix("## ") { section = String(row.dropFirst(3)) }
            let columns = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(String.init)
            guard columns.count >= 4, let first = columns.first else { continue }
            let isOfHour = section == "The hour" && Int(first) != nil
            guard isOfHour || Self.isStep(first), columns[1] != "In the hour" else { continue }
            let line = walked.popFirst()
            let (steps, todo, expected) =
                isOfHour
                ? (Self.steps(in: columns[1]), columns[2], columns[3]) : ([first], columns[1], columns[2])
            #expect(line?.steps == steps, "\(row)")
            #expect(line.map { Self.letters($0.todo) } == Self.letters(todo), "\(row)")
            #expect(line.map { Self.letters($0.expected) } == Self.letters(expected), "\(row)")
        }
        #expect(walked.isEmpty && ChecklistLine.all.count > 50)
    }

    @Test(.holds("P-107-07")) func `its rows are those of the page of results`() throws {
        let page = try String(contentsOf: Self.docs.appendingPathComponent("device-results.md"), encoding: .utf8)
        let wanted = page.split(separator: "\n").compactMap { row -> String? in
            let first = String(row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().first ?? "")
            return Self.isStep(first) ? "|\(first)||||" : nil
        }
        #expect(Set(ChecklistWalk().rows(who: "", device: "")) == Set(wanted) && wanted.count > 40)
    }

    @Test func `answers become rows, and one line of the hour answers for several steps`() {
        var walk = ChecklistWalk(lines: [
            Self.line("H3", ["D4", "D5"]), Self.line("D4", ["D4"]), Self.line("D9", ["D9"]),
        ])
        walk.answer(ChecklistWalk.Answer(measured: "10 timed, median 412 ms, longest 520 ms"))
        walk.answer(ChecklistWalk.Answer(difference: "two | prompts\nat once"))
        #expect(walk.line?.id == "D9")
        walk.answer(nil)
        #expect(walk.line == nil)
        let rows = walk.rows(who: "2026-11-30, Ada", device: "iPhone 15, iOS 26.1, 0.9")
        #expect(
            rows == [
                "|D4|2026-11-30, Ada|iPhone 15, iOS 26.1, 0.9|two / prompts at once; 10 timed, median 412 ms, longest 520 ms|",
                "|D5|2026-11-30, Ada|iPhone 15, iOS 26.1, 0.9|as expected; 10 timed, median 412 ms, longest 520 ms|",
                "|D9||||",
            ]
        )
        walk.goBack()
        #expect(walk.line?.id == "D9")
    }

    @Test func `what was answered is there at the next start, and a garbled file begins anew`() {
        var walk = ChecklistWalk()
        walk.answer(ChecklistWalk.Answer(measured: "1 timed, median 9 ms, longest 9 ms"))
        walk.answer(ChecklistWalk.Answer(difference: "-25300 | twice"))
        walk.answer(nil)
        let again = ChecklistWalk(stored: walk.stored)
        #expect(again.position == 3 && again.rows(who: "A", device: "B") == walk.rows(who: "A", device: "B"))
        #expect(again.answers["H2"]?.difference == "-25300 / twice")
        for stored in ["", "x", "-1\nH1|", "9999", "2\nH1\nZ|\nnothing"] {
            #expect(ChecklistWalk(stored: stored).answers.isEmpty, "\(stored)")
        }
    }

    @Test(.holds("F-107-04")) func `a line shows what the journal noted since it began, and the milliseconds`()
        async throws
    {
        let container = try TemporaryFolder()
        Phone.start(PhoneSetup(sensor: .touchID))
        let device = try await Device.ofThisApp(accessGroup: "TEAM.app", home: container.path)
        try FileManager.default.createDirectory(atPath: container.path, withIntermediateDirectories: true)
        let journal = Journal(in: container.path)
        journal.note("event biometricSuccess, 0 failures before, took 9000 ms", at: device.clock())
        let window = Window(ChecklistScreen(journal, device.clock))
        #expect(window.screen.contains("1 of \(ChecklistLine.all.count) · H1") && !window.screen.contains("9000"))
        try window.tap("Begin")
        for span in [380, 412, 700] {
            journal.note("event biometricSuccess, 0 failures before, took \(span) ms", at: device.clock())
        }
        #expect(window.screen.contains("3 timed, median 412 ms, longest 700 ms"))
        #expect(!window.screen.contains("9000"))
        try window.tap("As expected")
        #expect(window.screen.contains("2 of "))
        #expect(throws: (any Error).self) { try window.tap("It differs") }
        try window.type("sensor ready after a start", into: "What came instead")
        try window.tap("It differs")
        try window.tap("Back")
        window.close()

        let restarted = Window(ChecklistScreen(Journal(in: container.path), device.clock))
        #expect(restarted.screen.contains("2 of "))
        for _ in 1..<ChecklistLine.all.count { try restarted.tap("Not now") }
        try restarted.type("30 November, Ada", into: "Date, who")
        #expect(restarted.screen.contains("Rows for docs/device-results.md") && restarted.screen.contains("|D1||||"))
        #expect(journal.lines.contains { $0.hasSuffix("step H2: sensor ready after a start") })
    }

    private static var docs: URL {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.appendingPathComponent("docs")
    }

    private static func line(_ id: String, _ steps: [String]) -> ChecklistLine {
        ChecklistLine(id: id, section: "", before: "", steps: steps, todo: "", expected: "")
    }

    private static func isStep(_ text: String) -> Bool { text.first == "D" && Int(text.dropFirst()) != nil }

    private static func steps(in column: String) -> [String] {
        column.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter(isStep)
    }

    /// The letters and digits of what is read: links by their text.
    private static func letters(_ markdown: String) -> String {
        var text = markdown
        while let link = text.range(of: #"\]\([^)]*\)"#, options: .regularExpression) { text.removeSubrange(link) }
        return text.filter { $0.isLetter || $0.isNumber }
    }
}
