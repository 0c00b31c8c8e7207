import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

#if os(Linux)
import ThumbturnCrypto
import ThumbturnLinux
#endif

/// The entry of the command-line tool, which also operates the simulated device.
///
/// It is synchronous and waits: ending an asynchronous entry costs a static program several milliseconds.
@main
enum Main {
    static func main() {
        Hardening.apply()
        #if os(Linux)
        WipingHeap.shared.turnOn()
        WipingHeap.unite()
        OpenSSLSettings.leaveOut()
        #endif
        let arguments = Array(CommandLine.arguments.dropFirst())
        let command = try? Invocation(parsing: arguments).command
        if let command, let code = Tool.answerAtOnce(command, arguments) { exit(code) }
        if let shortage = Resources.shortage() { exit(Tool.report(shortage.failure, arguments)) }
        #if os(Linux)
        if command == .status {
            let thread = OneThread()
            Task(executorPreference: thread) { exit(await Tool.run(arguments)) }
            thread.run()
        }
        #endif
        Task.detached { exit(await Tool.run(arguments)) }
        while true { pause() }
    }
}
