import CrashExplorer
import Foundation
import ThumbturnTestKit

/// Hands the jobs out to processes, and adds up what they report.
actor Foreman {
    private var jobs = Job.all[...]
    private var situations: [Job.Kind: Int] = [:]
    private var losses = 0
    private var told: [String] = []
    private let start = ProcessInfo.processInfo.systemUptime

    /// Does everything; false when something was lost.
    func work() async -> Bool {
        say(ExplorationReport.heading)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask {
                    while let job = await self.next() { await self.note(Self.run(job), of: job) }
                }
            }
        }
        // They come last, where one looks first.
        for loss in told { say(loss) }
        let parts = Job.Kind.allCases.map { "\($0) \(situations[$0, default: 0])" }
        let total = situations.values.reduce(0, +)
        let seconds = Int(ProcessInfo.processInfo.systemUptime - start)
        say("\(total) situations (\(parts.joined(separator: ", "))), \(losses) losses, in \(seconds) s")
        return losses == 0
    }

    private func next() -> Job? { jobs.popFirst() }

    /// Waits for a process that does the job.
    private nonisolated static func run(_ job: Job) async -> [String] {
        await withCheckedContinuation { continuation in
            // A thread of its own: waiting for a process must not hold up the others.
            Thread.detachNewThread {
                let child = try? TestChild([job.kind.rawValue, job.transition.name], of: "Crash")
                let (lines, end) = child?.finish() ?? ([], .exited(127))
                continuation.resume(returning: end == .exited(0) ? lines : lines + ["    \(job): \(end)", "= 0 1"])
            }
        }
    }

    private func note(_ lines: [String], of job: Job) {
        for line in lines {
            guard line.hasPrefix("= ") else {
                if line.hasPrefix(" ") { told.append(line) } else { say(line) }
                continue
            }
            let numbers = line.split(separator: " ").compactMap { Int($0) }
            situations[job.kind, default: 0] += numbers.first ?? 0
            losses += numbers.last ?? 1
        }
    }

    private func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
