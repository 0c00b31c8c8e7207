import Foundation
import SwiftUI
import Thumbturn
import ThumbturnUI

/// Walks through `docs/device-checklist.md`: each line, what to do, what came, and at the end the rows of results.
///
/// Most steps leave this screen or the app; what was answered is there at the next start.
struct ChecklistScreen: View {
    private let journal: Journal
    private let clock: @Sendable () -> ClockReading
    @State private var walk: ChecklistWalk
    @State private var difference = ""
    @State private var who = ""
    @State private var device: String

    init(_ journal: Journal, _ clock: @escaping @Sendable () -> ClockReading) {
        self.journal = journal
        self.clock = clock
        _walk = State(wrappedValue: ChecklistWalk(stored: journal.checklist))
        _device = State(wrappedValue: ProcessInfo.processInfo.operatingSystemVersionString)
    }

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 16) {
                if let line = walk.line { show(line) } else { end }
                button("Back") { change { $0.goBack() } }.disabled(walk.position == 0)
            }
            .padding()
        }
        .privacyCover()
    }

    @ViewBuilder private func show(_ line: ChecklistLine) -> some View {
        let came = journal.lines(since: ChecklistWalk.mark(of: line))
        let measured = ChecklistWalk.measured(in: came)
        Text(verbatim: "\(walk.position + 1) of \(walk.lines.count) · \(line.id) · \(line.section)").font(.headline)
        if !line.before.isEmpty { Text(verbatim: line.before).font(.footnote) }
        Text(verbatim: line.todo)
        Text(verbatim: "Expected: \(line.expected)")
        button("Begin") { journal.note(ChecklistWalk.mark(of: line), at: clock()) }
        if !measured.isEmpty { Text(verbatim: measured).font(.headline) }
        Text(verbatim: came.joined(separator: "\n")).font(.footnote)
        button("As expected") { answer(ChecklistWalk.Answer(measured: measured)) }
        TextField(text: $difference) { Text(verbatim: "What came instead") }.textFieldStyle(.roundedBorder)
        button("It differs") { answer(ChecklistWalk.Answer(difference: difference, measured: measured)) }
            .disabled(difference.isEmpty)
        button("Not now") { answer(nil) }
    }

    @ViewBuilder private var end: some View {
        Text(verbatim: "Rows for docs/device-results.md").font(.headline)
        TextField(text: $who) { Text(verbatim: "Date, who") }.textFieldStyle(.roundedBorder)
        TextField(text: $device) { Text(verbatim: "Device, system, release") }.textFieldStyle(.roundedBorder)
        Text(verbatim: walk.rows(who: who, device: device).joined(separator: "\n")).font(.footnote)
            .textSelection(.enabled)
        button("From the beginning") { change { $0.begin() } }
    }

    private func button(_ name: String, _ action: @escaping @MainActor () -> Void) -> some View {
        Button(action: action) { Text(verbatim: name).frame(minWidth: 44, minHeight: 44) }
    }

    private func answer(_ answer: ChecklistWalk.Answer?) {
        if let line = walk.line {
            let said = answer.map { $0.difference ?? "as expected" } ?? "not now"
            journal.note("step \(line.id): \(said)", at: clock())
        }
        difference = ""
        change { $0.answer(answer) }
    }

    private func change(_ body: (inout ChecklistWalk) -> Void) {
        body(&walk)
        journal.checklist = walk.stored
    }
}

extension Journal {
    /// Where the walk through the checklist stands, in a file beside the journal's.
    var checklist: String {
        get { String(decoding: (try? Data(contentsOf: checklistFile)) ?? Data([UInt8]()), as: UTF8.self) }
        set { try? Data(newValue.utf8).write(to: checklistFile) }
    }
}
