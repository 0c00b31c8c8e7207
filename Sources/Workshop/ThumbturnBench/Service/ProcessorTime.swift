import Glibc

/// Returns the processor time of `body` on this thread, in seconds.
func processorTime(_ body: () throws -> Void) rethrows -> Double {
    let start = busySeconds()
    try body()
    return busySeconds() - start
}

private func busySeconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
