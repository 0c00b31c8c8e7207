import ThumbturnConsole

/// How often something is asked for: three times on a terminal, once of lines that are given.
struct Tries {
    /// On a terminal.
    static let most = 3

    private let output: Output
    private var left: Int

    init(of secrets: SecretInput) {
        output = secrets.output
        left = secrets.isTerminal ? Self.most : 1
    }

    /// Whether what was refused may be given again.
    var hasMore: Bool { left > 1 }

    /// Says what was refused, and that it is the last time, so that no answer is typed into a shell.
    mutating func next(after refusal: Failure) {
        output.note(refusal)
        count()
    }

    /// The same in other words.
    mutating func next(after remark: Words) {
        output.note(remark)
        count()
    }

    private mutating func count() {
        left -= 1
        if left == 1 { output.note(Words("this is the last try", "c'est le dernier essai")) }
    }
}
