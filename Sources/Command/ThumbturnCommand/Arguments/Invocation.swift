import Thumbturn
import ThumbturnConsole

/// A command line that was understood.
struct Invocation: Hashable, Sendable {
    var options = Options()
    let command: Command

    /// Reads a command line, without the program's name.
    ///
    /// - Throws: `.usage`, and never with a word of what was given, because it may be a secret in the wrong place.
    init(parsing arguments: [String]) throws(Failure) {
        let (command, given) = try CommandTable.all.parse(arguments)
        options = try Options(given)
        self.command = command
    }
}
