/// A terminal that does not show what is typed, until `restore`, or until a signal ends the process.
struct Echo {
    private let isOurs: Bool

    /// Turns the echo off; the end of a line still shows, and what was typed before is forgotten.
    ///
    /// Within another echo, or once a question has turned it off, whoever turned it off restores it, and what was typed
    /// since stays; also once a signal has given the echo back.
    init(turningOffOn descriptor: Int32) {
        isOurs = Terminal.take(descriptor, showingAnswers: false)
    }

    func restore() {
        if isOurs { Terminal.giveBack() }
    }
}
