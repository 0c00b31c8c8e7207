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
        count(endsAtNext: false)
    }

    /// The same in other words.
    ///
    /// - Parameter endsAtNext: whether the command ends with the next refusal for another reason.
    mutating func next(after remark: Words, endsAtNext: Bool = false) {
        output.note(remark)
        count(endsAtNext: endsAtNext)
    }

    private mutating func count(endsAtNext: Bool) {
        left -= 1
        if left == 1 || endsAtNext { output.note(Self.last) }
    }

    /// Said where the next refusal ends the command, and only there.
    static let last = Words(
        "this is the last try: after it the command ends",
        "c'est le dernier essai : ensuite la commande s'arrête"
    )
}
