import Glibc
import ThumbturnConsole

/// The service's program.
///
/// The entry is synchronous: the service runs on threads of its own, and only `bench` needs tasks.
@main
enum Main {
    static func main() {
        Hardening.apply()
        Signals.block()
        Descriptors.raise()
        let arguments = Array(CommandLine.arguments.dropFirst())
        Task.detached { exit(await Tool.run(arguments)) }
        while true { pause() }
    }
}
