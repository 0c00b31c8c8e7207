import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The terminal as it was, and as this command wants it. Written only before a handler is installed, or in one call of the
// system; read by handlers, which can be given nothing.
// They are no globals themselves: Swift gives those no room for the padding at the end, which every copy writes.
nonisolated(unsafe) private let savedAttributes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
nonisolated(unsafe) private let wantedAttributes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
nonisolated(unsafe) private var takenDescriptor: Int32 = -1
// Whether the terminal is as this command wants it. It can't tell itself: a handler may be changing it, on another thread.
nonisolated(unsafe) private var isInForce = false
// Whether a signal is ending the process.
nonisolated(unsafe) private var isEnding = false
// Whether a signal that would end the process waits, and which one does.
nonisolated(unsafe) private var holdsSignals = false
nonisolated(unsafe) private var heldSignal: Int32 = 0
// The signals that had no handler before; no handler reads it.
nonisolated(unsafe) private var ownHandlers: [Int32] = []
// Whether the terminal's other screen holds a secret.
nonisolated(unsafe) private var showsSecret = false
// What is being asked and the end of that line, for who comes back from a stop. It is never freed: a handler may be
// writing it.
nonisolated(unsafe) private var openQuestion: UnsafeMutablePointer<CChar>?

/// The terminal while a command asks on it, one for the process.
///
/// From the first moment, before anything slow is asked, until `leave` nothing that is typed shows, but for the answers that may be seen: not what is typed
/// between two questions either. Control-C ends the process and Control-Z stops it, with the terminal as it was; once it goes
/// on, the question is asked again.
package enum Terminal {
    /// All that end a process by default and can be met: those of real time too, but for the two that the C library keeps.
    private static let fatalSignals: [Int32] = {
        let others = [
            SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH, SIGPIPE, SIGXFSZ,
        ]
        #if canImport(Glibc)
        let all = (Int32(1)...64).filter { !(32...33).contains($0) }
        #else
        let all = (Int32(1)...31).filter { $0 != SIGIO && $0 != SIGINFO }
        #endif
        return all.filter { !others.contains($0) }
    }()

    /// Lets `body` read the answer to a question.
    ///
    /// The echo goes off before the question is shown, and what was typed before is forgotten.
    ///
    /// - Parameters:
    ///   - text: the question as it is shown, on standard error.
    ///   - showingAnswer: whether what is typed may be seen.
    ///   - keepingTypedAhead: whether what was typed before may be the answer.
    static func ask<R: ~Copyable>(
        _ text: String,
        on descriptor: Int32,
        showingAnswer: Bool = false,
        keepingTypedAhead: Bool = false,
        _ body: () throws(Failure) -> R
    ) throws(Failure) -> R {
        // In the background the system stops whoever changes or reads a terminal, by signals that the threads of a pool block.
        let before = unblock([SIGTTIN, SIGTTOU])
        defer { setMask(before) }
        if !take(descriptor, showingAnswers: showingAnswer), unsafe isInForce {
            unsafe wantedAttributes.pointee = attributes(wantedAttributes.pointee, showingAnswers: showingAnswer)
            if keepingTypedAhead { unsafe apply(wantedAttributes) } else { applyForgetting() }
        }
        unsafe openQuestion = unsafe strdup(text + "\n")
        defer {
            unsafe openQuestion = nil
            // What is typed behind an answer that may be seen may be the next secret.
            if showingAnswer, unsafe isInForce {
                unsafe wantedAttributes.pointee = attributes(wantedAttributes.pointee, showingAnswers: false)
                unsafe apply(wantedAttributes)
            }
        }
        writeQuestion()
        return try body()
    }

    /// Takes the terminal, where nobody has yet.
    ///
    /// - Returns: whether this call did.
    static func take(_ descriptor: Int32, showingAnswers: Bool) -> Bool {
        var found = termios()
        guard unsafe !isInForce, unsafe tcgetattr(descriptor, &found) == 0 else { return false }
        let before = unblock([SIGTTOU])
        defer { setMask(before) }
        unsafe savedAttributes.initialize(to: found)
        unsafe wantedAttributes.initialize(to: attributes(found, showingAnswers: showingAnswers))
        unsafe takenDescriptor = descriptor
        for number in Self.fatalSignals where !isIgnored(number) { _ = signal(number, end) }
        if !isIgnored(SIGTSTP) { _ = signal(SIGTSTP, stop) }
        unsafe isInForce = true
        applyForgetting()
        return true
    }

    /// Gives the terminal back as it was.
    static func giveBack() {
        guard unsafe isInForce else { return }
        unsafe isInForce = false
        restoreAttributes()
        for number in Self.fatalSignals + [SIGTSTP] where !isIgnored(number) { _ = signal(number, SIG_DFL) }
    }

    /// Lets a signal that would end the process wait until `releaseSignals`: a PIN that is being tried was counted before, and who
    /// ended the process meanwhile would find the right one counted as wrong.
    ///
    /// No signal takes that count back, or guesses would be free.
    package static func holdSignals() {
        unsafe heldSignal = 0
        unsafe holdsSignals = true
        unsafe ownHandlers = fatalSignals.filter(isDefault)
        for number in unsafe ownHandlers { _ = signal(number, end) }
    }

    /// Ends the process by a signal that came meanwhile.
    package static func releaseSignals() {
        guard let number = endHold() else { return }
        unsafe isEnding = true
        if unsafe isInForce { restoreAttributes() }
        endProcess(by: number)
    }

    /// - Returns: the signal that waits.
    static func endHold() -> Int32? {
        unsafe holdsSignals = false
        system_fence()
        let number = unsafe heldSignal
        unsafe heldSignal = 0
        if unsafe !isInForce { for number in unsafe ownHandlers { _ = signal(number, SIG_DFL) } }
        return number == 0 ? nil : number
    }

    /// Lets a signal wait while signals are held; called in its handler.
    ///
    /// The hold may end on another thread in between: then nobody looks for the signal any more.
    ///
    /// - Parameter meanwhile: what another thread does then.
    /// - Returns: whether it waits.
    static func lets(wait number: Int32, meanwhile: () -> Void = {}) -> Bool {
        guard unsafe holdsSignals else { return false }
        meanwhile()
        unsafe heldSignal = number
        system_fence()
        return unsafe holdsSignals
    }

    /// Goes to the terminal's other screen, for a secret; a signal that ends the process wipes it as `closeScreen` does.
    ///
    /// Nothing stops the process meanwhile: who came back would find another screen.
    static func openScreen(_ descriptor: Int32) {
        _ = take(descriptor, showingAnswers: false)
        if !isIgnored(SIGTSTP) { _ = signal(SIGTSTP, SIG_IGN) }
        unsafe showsSecret = true
        writeToScreen("\u{1B}[?1049h\u{1B}[2J\u{1B}[H")
    }

    /// Wipes that screen, and goes back to the one before.
    static func closeScreen() {
        wipeScreen()
        if unsafe isInForce { _ = signal(SIGTSTP, stop) }
    }

    /// Ends the process as a signal of this number does.
    package static func endProcess(by number: Int32) {
        _ = signal(number, SIG_DFL)
        kill(getpid(), number)
        // Another thread may take it.
        sleep(1)
    }

    /// Forgets what was typed or pasted and nobody has read, and gives the terminal back; nothing where nothing was asked.
    ///
    /// The shell behind us would show it, run it, and remember it (A52).
    package static func leave() {
        guard unsafe isInForce else { return }
        if unsafe isOurTurn(takenDescriptor) { unsafe drain(takenDescriptor) }
        giveBack()
    }

    /// Forgets what was typed and nobody has read.
    ///
    /// In the background it was typed for somebody else. The system would stop us for it as for a change, but it forgets a
    /// part of it before it looks who asks (Linux, `TCFLSH`).
    static func forgetTyped(_ descriptor: Int32) {
        if isOurTurn(descriptor) { _ = tcflush(descriptor, TCIFLUSH) }
    }

    /// Whether what is typed next is there already, such as the second line of a paste.
    static func hasMore(_ descriptor: Int32) -> Bool {
        withoutLines { isReadable(descriptor) }
    }

    /// Whether a whole line is there already, such as the next one of a paste.
    static func hasLine(_ descriptor: Int32) -> Bool { isReadable(descriptor) }

    /// Forgets what comes until nothing more does: a terminal passes a long paste on in pieces.
    private static func drain(_ descriptor: Int32) {
        let end = now() + 2_000
        withoutLines {
            repeat { forgetTyped(descriptor) } while isReadable(descriptor) && now() < end
        }
    }

    /// Runs `body` while each byte counts, not only whole lines.
    private static func withoutLines<R>(_ body: () -> R) -> R {
        var bytewise = unsafe wantedAttributes.pointee
        bytewise.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe apply(&bytewise)
        defer { unsafe apply(wantedAttributes) }
        return body()
    }

    /// Whether something comes within the time that the pieces of a paste lie apart.
    private static func isReadable(_ descriptor: Int32) -> Bool {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 50) > 0 && event.revents == Int16(POLLIN)
    }

    private static func attributes(_ found: termios, showingAnswers: Bool) -> termios {
        var attributes = found
        attributes.c_lflag |= tcflag_t(ICANON | ISIG)
        if showingAnswers {
            attributes.c_lflag |= tcflag_t(ECHO)
        } else {
            attributes.c_lflag &= ~tcflag_t(ECHO)
        }
        return attributes
    }

    /// Milliseconds of a clock that only rises.
    private static func now() -> Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}

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

/// Ends the process as the signal would have, with the terminal as it was; or lets that wait.
private func end(_ number: Int32) {
    // Behind a fault of the processor there is no way on.
    let isCrash = number != SIGQUIT && Hardening.crashSignals.contains(number)
    if !isCrash, Terminal.lets(wait: number) { return }
    unsafe isEnding = true
    if unsafe isInForce { restoreAttributes() }
    _ = signal(number, SIG_DFL)
    raise(number)
}

/// Stops the process as the signal would have, and asks again once it goes on.
private func stop(_ number: Int32) {
    let before = errno
    if unsafe isInForce { restoreAttributes() }
    _ = signal(number, SIG_DFL)
    // Where it is blocked, as in a handler of its own, it would stop us only after the echo is off again.
    let mask = unblock([number])
    raise(number)
    setMask(mask)
    _ = signal(number, stop)
    takeAgain()
    errno = before
}

/// Makes the terminal as this command wants it, and asks again.
private func takeAgain() {
    // In the background only a question has to wait for its turn: there the system stops who changes a terminal.
    guard unsafe isInForce, unsafe openQuestion != nil || isOurTurn(takenDescriptor) else { return }
    applyForgetting()
    writeQuestion()
}

/// Makes the terminal as this command wants it; what came before, or while the echo was still on, is no answer.
private func applyForgetting() {
    unsafe Terminal.forgetTyped(takenDescriptor)
    unsafe apply(wantedAttributes)
    unsafe Terminal.forgetTyped(takenDescriptor)
}

/// Changes the terminal while it is taken.
private func apply(_ attributes: UnsafePointer<termios>) {
    guard unsafe isInForce, unsafe !isEnding else { return }
    _ = unsafe tcsetattr(takenDescriptor, TCSANOW, attributes)
    // Another thread may have given it back meanwhile: then that was last.
    if unsafe !isInForce || isEnding { _ = unsafe tcsetattr(takenDescriptor, TCSANOW, savedAttributes) }
}

/// Forgets what nobody has read, and makes the terminal as it was; in the background it is somebody else's.
private func restoreAttributes() {
    guard unsafe isOurTurn(takenDescriptor) else { return }
    wipeScreen()
    unsafe Terminal.forgetTyped(takenDescriptor)
    _ = unsafe tcsetattr(takenDescriptor, TCSANOW, savedAttributes)
    // What comes next begins a line of its own.
    if let question = unsafe openQuestion { unsafe write(question + strlen(question) - 1, count: 1) }
}

/// Whether the terminal is in our hands; one that is not the process's own always is.
private func isOurTurn(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
}

/// Wipes a secret off the terminal's other screen, also where there is only one, and goes back to the one before.
private func wipeScreen() {
    guard unsafe showsSecret else { return }
    unsafe showsSecret = false
    writeToScreen("\u{1B}[2J\u{1B}[H\u{1B}[?1049l")
}

/// Writes to standard output, also in a handler of a signal.
private func writeToScreen(_ sequence: StaticString) {
    #if canImport(Glibc)
    _ = unsafe Glibc.write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    #else
    _ = unsafe Darwin.write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    #endif
}

private func writeQuestion() {
    if let question = unsafe openQuestion { unsafe write(question, count: strlen(question) - 1) }
}

private func write(_ bytes: UnsafePointer<CChar>, count: Int) {
    #if canImport(Glibc)
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, count)
    #else
    _ = unsafe Darwin.write(STDERR_FILENO, bytes, count)
    #endif
}

/// Lets these signals through to this thread.
///
/// - Returns: the mask before.
private func unblock(_ numbers: [Int32]) -> sigset_t {
    var (set, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&set)
    for number in numbers { unsafe sigaddset(&set, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &set, &before)
    return before
}

private func setMask(_ mask: sigset_t) {
    var mask = mask
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
}
