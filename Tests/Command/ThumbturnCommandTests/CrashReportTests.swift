#if os(Linux)
import Foundation
import Glibc
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

/// What a command that crashes tells, in the environment that a person has: nothing is set that quietens the Swift runtime.
@Suite(.timeLimit(.minutes(10)))
struct CrashReportTests {
    /// Where a command holds a secret.
    enum Place: CaseIterable {
        case asksOnTerminal
        case readsDescriptor
        case exports
    }

    private static let secret = Box.mnemonic + "\n"

    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT]

    /// Each signal at each place of the released command; of a debug build's, each signal at one place, and each place by one signal.
    private static let cases = Place.allCases.flatMap { place in
        signals.map { (place, $0) }
    }.filter { place, signal in
        ProcessInfo.processInfo.environment["THUMBTURN_TEST_COMMAND"] != nil || place == .readsDescriptor
            || signal == SIGSEGV
    }

    @Test(.holds("B-10", "A52", "A53"), arguments: cases)
    func `a command that crashes while it holds a secret prints nothing of it, and leaves no file`(
        place: Place,
        signal: Int32
    ) throws {
        let box = try Box.withVault()
        let half = String(Box.pin.dropLast())
        if place == .exports {
            let words = ["--device", "simulated", "wallet", "import", "Long", "--opaque", "--secret-fd", "3"]
            let line = String(repeating: Self.secret.dropLast() + " ", count: 1 << 13)
            let made = try ChildProcess.run(
                Box.tool,
                words,
                environment: box.environment([:]),
                secrets: Array((Box.pin + "\n" + line + "\n").utf8)
            )
            try #require(made.exitCode == 0, "\(made)")
        }
        let before = box.contents()

        let keyboard = try Keyboard()
        // What was shown last is gone once nobody holds the terminal.
        let terminal = unsafe open(keyboard.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(terminal) }
        let script = "cd '\(box.folder)'; ulimit -S -c $(ulimit -H -c); exec \"$@\" 2>said"
        let child = try RunningChild(
            "/bin/sh",
            ["-c", script, "sh", Box.tool] + words(place),
            environment: box.environment([:]).filter { !$0.hasPrefix("SWIFT_BACKTRACE=") },
            hasSecrets: place != .asksOnTerminal,
            standardInput: place == .asksOnTerminal ? keyboard.path : "/dev/null"
        )
        switch place {
        case .asksOnTerminal:
            keyboard.waitUntilHidden(by: child.process)
            // The echo goes off before the question is asked.
            while !Keyboard.hasEnded(child.process), Folders.contents(of: box.folder + "/said").isEmpty {}
            keyboard.write(half, ending: "")
        case .readsDescriptor:
            child.give(Array(half.utf8))
            // The memory is locked before anything is read into it.
            child.waitUntilItLocksMemory()
            child.waitUntilItHasRead()
        case .exports:
            child.give(Array((Box.pin + "\n").utf8))
            child.input?.closeWrite()
            child.waitForOutput()
        }
        // Each thread has registers of its own: whichever holds the secret is to crash.
        for thread in child.threads { kill(thread, signal) }
        // The backtracer reports on standard error; where it did, the process lives on, since nothing is really broken.
        var said = ""
        while !Keyboard.hasEnded(child.process), !said.contains("Backtrace took") {
            said = String(decoding: Folders.contents(of: box.folder + "/said"), as: UTF8.self)
        }
        if !Keyboard.hasEnded(child.process) { kill(child.process, SIGKILL) }
        var information = unsafe siginfo_t()
        #expect(unsafe waitid(P_PID, id_t(child.process), &information, WEXITED | WNOWAIT) == 0)
        #expect(unsafe information.si_code == CLD_KILLED, "it left a core, or ended by itself")
        #expect(child.finish().exitCode == 128 + signal)
        said = String(decoding: Folders.contents(of: box.folder + "/said"), as: UTF8.self)
        let question = place == .asksOnTerminal ? "PIN or password:" : ""
        #expect(said.trimmingCharacters(in: .whitespacesAndNewlines) == question)
        #expect(!keyboard.shown().contains(half))
        let left = Set(box.contents().keys).subtracting(before.keys).filter { !$0.hasPrefix(box.vault) }
        #expect(left == [box.folder + "/said"])
        var scan = SecretScan(
            forms: SecretScan.forms(of: Array(half.utf8), named: "PIN")
                + SecretScan.forms(of: Array(Self.secret.dropLast().utf8), named: "secret")
        )
        #expect(scan.findings(below: box.folder).isEmpty)
    }

    private func words(_ place: Place) -> [String] {
        switch place {
        case .asksOnTerminal: ["unlock"]
        case .readsDescriptor: ["unlock", "--secret-fd", "3"]
        case .exports: ["wallet", "export", "Long", "--secret-fd", "3"]
        }
    }
}
#endif
