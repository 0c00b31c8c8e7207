import Foundation
import Testing
import ThumbturnBase
import ThumbturnTestKit

@testable import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct ProcessLockTests {
    @Test(.holds("A38"), .timeLimit(.minutes(20)))
    func `who waits for the lock gets it before the one who gave it up`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try ProcessLock(in: folder.path), try ProcessLock(in: folder.path))
        try await first.acquire()
        let waiting = Task {
            try await second.acquire()
            let when = now()
            second.release()
            return when
        }
        try await someoneIsInLine(folder)

        first.release()
        try await first.acquire()
        let when = now()
        first.release()
        #expect(try await waiting.value < when)
    }

    @Test func `the lock is free again once nobody waits`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (try ProcessLock(in: folder.path), try ProcessLock(in: folder.path))
        for lock in [first, second, first] {
            try await lock.acquire()
            lock.release()
        }
        #expect(try second.tryAcquire() && !first.tryAcquire())
    }

    private func someoneIsInLine(_ folder: TemporaryFolder) async throws {
        let file = unsafe open(folder.file("lock.next"), O_RDWR | O_CLOEXEC)
        try #require(file >= 0)
        defer { close(file) }
        while flock(file, LOCK_EX | LOCK_NB) == 0 {
            _ = flock(file, LOCK_UN)
            await Task.yield()
        }
    }

    private func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
}
