import ThumbturnConsole

/// The remaining attempts at an input: three on a terminal, one for lines from a descriptor.
struct Tries {
    /// The number of attempts on a terminal.
    static let most = 3

    private let output: Output
    private var left: Int

    init(of secrets: SecretInput) {
        output = secrets.output
        left = secrets.isTerminal ? Self.most : 1
    }

    /// Whether a refused input may be entered again.
    var hasMore: Bool { left > 1 }

    /// Reports a refusal and counts the attempt; announces the last one, so that no answer is typed into a shell.
    mutating func next(after refusal: Failure) {
        output.note(refusal)
        count(endsAtNext: false)
    }

    /// Reports a refusal with a custom remark.
    ///
    /// - Parameter endsAtNext: whether another refusal ends the command for another reason.
    mutating func next(after remark: Words, endsAtNext: Bool = false) {
        output.note(remark)
        count(endsAtNext: endsAtNext)
    }

    private mutating func count(endsAtNext: Bool) {
        left -= 1
        if left == 1 || endsAtNext { output.note(Self.last) }
    }

    /// Shown only if the next refusal ends the command.
    static let last = Words(
        "this is the last try: after it the command ends",
        "c'est le dernier essai : ensuite la commande s'arrête"
    )
}
