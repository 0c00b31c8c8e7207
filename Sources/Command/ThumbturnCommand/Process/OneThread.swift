#if os(Linux)
import ThumbturnFiles

/// Runs tasks one after another on the thread that calls `run`.
///
/// Starting the usual thread pool, and waking a thread for every actor hop, takes longer than all the work of a short
/// command. A blocking call stops every task, so use it only for commands that neither prompt nor compute much.
final class OneThread: TaskExecutor {
    private let jobs = Monitor<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.change { $0.append(job) }
    }

    /// Runs jobs as they arrive, until a task ends the process.
    func run() -> Never {
        while true {
            // It has no deadline, so a job always comes.
            guard let job = jobs.wait({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
#endif
