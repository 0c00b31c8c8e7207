import Glibc
import ThumbturnConsole

/// The entry of the service's program, which runs on its own threads and needs no tasks.
@main
enum Main {
    static func main() {
        Hardening.apply()
        Signals.block()
        Descriptors.raise()
        exit(Tool.run(Array(CommandLine.arguments.dropFirst())))
    }
}
