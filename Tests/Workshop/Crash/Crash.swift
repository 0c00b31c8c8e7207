import CrashExplorer
import Foundation

/// Explores every situation, each transition cut off everywhere and raced at every wait, and prints a table.
///
/// `Crash` does all, in a process per core. `Crash JOB TRANSITION` does one job in this process and is for itself.
@main struct Crash {
    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        if words.isEmpty {
            exit(await Foreman().work() ? 0 : 1)
        } else if words.count == 2, let job = Job(words.first ?? "", words.last ?? "") {
            do {
                for report in try await job.explore() {
                    print(report.row)
                    for loss in report.losses.prefix(20) { print("    \(loss)") }
                    print("= \(report.situations) \(report.losses.count)")
                }
            } catch {
                print("    \(job): \(error)\n= 0 1")
                exit(1)
            }
        } else {
            print("usage: Crash [JOB TRANSITION]")
            exit(2)
        }
    }
}
