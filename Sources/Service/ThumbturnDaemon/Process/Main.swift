import Glibc
import ThumbturnConsole

/// The service's program, which runs on threads of its own and needs no tasks.
@main
enum Main {
    static func main() {
        Hardening.apply()
        Signals.block()
        Descriptors.raise()
        exit(Tool.run(Array(CommandLine.arguments.dropFirst())))
    }
}
