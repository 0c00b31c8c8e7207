import ThumbturnFiles

/// Runs `aside` on its own thread while `body` runs here; both have ended when this returns.
///
/// If the system can't start a thread, `aside` is skipped, so it may only do early what would otherwise be done later.
///
/// - Parameters:
///   - aside: must touch nothing that `body` touches. Signals stay with the other threads.
///   - stop: called from this thread once `body` has ended, to end `aside` early.
package func beside<Result: ~Copyable, Failure: Error>(
    _ aside: @escaping () -> Void,
    stop: () -> Void,
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    // Safe to send: it touches nothing that `body` touches, and has ended when this returns.
    nonisolated(unsafe) let aside = aside
    let thread = SystemThread { unsafe aside() }
    defer {
        if let thread {
            stop()
            thread.join()
        }
    }
    return try body()
}
