import Thumbturn
import ThumbturnConsole

/// A parsed command line.
struct Invocation: Hashable, Sendable {
    var options = Options()
    let command: Command

    /// Parses a command line, without the program's name.
    ///
    /// - Throws: `.usage`, which never quotes an argument: it may be a secret in the wrong place.
    init(parsing arguments: [String]) throws(Failure) {
        let (command, given) = try CommandTable.all.parse(arguments)
        options = try Options(given)
        self.command = command
    }
}
