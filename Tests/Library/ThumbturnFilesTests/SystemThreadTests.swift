import Testing

@testable import ThumbturnFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

@Suite struct SystemThreadTests {
    @Test func `a fault of a thread is told as one of the program's`() async {
        await #expect(processExitsWith: .exitCode(42)) {
            signal(SIGSEGV) { _ in _exit(42) }
            let thread = SystemThread { raise(SIGSEGV) }
            thread?.join()
        }
    }

    @Test func `a signal to the process, and a pipe that nobody reads, end no thread`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let thread = SystemThread {
                for number in [SIGPIPE, SIGTERM, SIGHUP] { raise(number) }
            }
            thread?.join()
            exit(thread == nil ? 1 : 0)
        }
    }
}
