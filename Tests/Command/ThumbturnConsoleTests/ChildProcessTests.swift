import Foundation
import Testing

@testable import ThumbturnConsole

struct ChildProcessTests {
    #if os(Linux)
    @Test func `a program gets the descriptors that it is given, and none that this process has besides`() throws {
        let inherited = (0..<20).map { _ in dup(STDERR_FILENO) }
        defer { inherited.forEach { close($0) } }
        let script = "n=0; while [ $n -lt 200 ]; do [ -e /proc/$$/fd/$n ] && printf '%s ' $n; n=$((n + 1)); done"
        let bare = try ChildProcess.run("/bin/sh", ["-c", script], environment: [])
        #expect(bare.standardOutput == "0 1 2 ", "\(bare)")
        let given = try ChildProcess.run("/bin/sh", ["-c", script], environment: [], secrets: [])
        #expect(given.standardOutput == "0 1 2 3 ", "\(given)")
    }
    #endif

    @Test func `a program ends with the value that stands for it`() throws {
        let sleeper = try RunningChild("/bin/sleep", ["600"], environment: [], hasSecrets: false)
        let process = sleeper.process
        #expect(kill(process, 0) == 0)
        _ = consume sleeper
        #expect(kill(process, 0) == -1)
    }
}
