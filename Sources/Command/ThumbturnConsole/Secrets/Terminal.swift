import CSystem
import ThumbturnFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The terminal's original settings and the command's. Written only before a handler is installed, or by a single system
// call; read by handlers, which take no parameters. Allocated separately: Swift reserves no room in globals for the
// trailing padding, which every copy writes.
nonisolated(unsafe) private let savedAttributes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
nonisolated(unsafe) private let wantedAttributes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
nonisolated(unsafe) private var takenDescriptor: Int32 = -1
// Whether the command's settings apply. The settings can't tell: a handler on another thread may be changing them.
nonisolated(unsafe) private var isInForce = false
// Whether a signal is ending the process.
nonisolated(unsafe) private var isEnding = false
// Whether ending signals are held, and the one that is held.
nonisolated(unsafe) private var holdsSignals = false
nonisolated(unsafe) private var heldSignal: Int32 = 0
// The signals that had the default action before; not read by handlers.
nonisolated(unsafe) private var ownHandlers: [Int32] = []
// Whether the terminal's alternate screen shows a secret.
nonisolated(unsafe) private var showsSecret = false
// The current question with its newline, to repeat after a stop. It is never freed: a handler may be writing it.
nonisolated(unsafe) private var openQuestion: UnsafeMutablePointer<CChar>?

/// The terminal, while a command asks on it; one per process.
///
/// From the first moment, before anything slow, until `leave` the terminal hides typed input, even between two
/// questions, except for answers that may be seen. Control-C ends the process and Control-Z stops it, both with the
/// original settings; when the process continues, the question is asked again.
package enum Terminal {
    /// Every signal that ends a process by default and can be caught, with the real-time signals except the C library's
    /// own two.
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
    /// The echo is turned off before the question is shown, and earlier input is discarded.
    ///
    /// - Parameters:
    ///   - text: the question as shown on standard error.
    ///   - showingAnswer: whether typed input may be seen.
    ///   - keepingTypedAhead: whether input typed before may be the answer.
    static func ask<R: ~Copyable>(
        _ text: String,
        on descriptor: Int32,
        showingAnswer: Bool = false,
        keepingTypedAhead: Bool = false,
        _ body: () throws(Failure) -> R
    ) throws(Failure) -> R {
        // The kernel stops a background process that uses the terminal, with signals that the threads of a pool block.
        let before = unblock([SIGTTIN, SIGTTOU])
        defer { setMask(before) }
        if !take(descriptor, showingAnswers: showingAnswer), unsafe isInForce {
            unsafe wantedAttributes.pointee = attributes(wantedAttributes.pointee, showingAnswers: showingAnswer)
            if keepingTypedAhead { unsafe apply(wantedAttributes) } else { applyForgetting() }
        }
        unsafe openQuestion = unsafe strdup(text + "\n")
        defer {
            unsafe openQuestion = nil
            // Input after a visible answer may be the next secret.
            if showingAnswer, unsafe isInForce {
                unsafe wantedAttributes.pointee = attributes(wantedAttributes.pointee, showingAnswers: false)
                unsafe apply(wantedAttributes)
            }
        }
        writeQuestion()
        return try body()
    }

    /// Applies the command's settings, if they do not apply yet.
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

    /// Restores the original settings.
    static func giveBack() {
        guard unsafe isInForce else { return }
        unsafe isInForce = false
        restoreAttributes()
        for number in Self.fatalSignals + [SIGTSTP] where !isIgnored(number) { _ = signal(number, SIG_DFL) }
    }

    /// Delays signals that would end the process until `releaseSignals`.
    ///
    /// A PIN being tried has already been counted: ending the process now would count a right one as wrong.
    ///
    /// No signal reverts that count, or guesses would be free.
    package static func holdSignals() {
        unsafe heldSignal = 0
        unsafe holdsSignals = true
        unsafe ownHandlers = fatalSignals.filter(isDefault)
        for number in unsafe ownHandlers { _ = signal(number, end) }
    }

    /// Ends the process if a signal was held.
    package static func releaseSignals() {
        guard let number = endHold() else { return }
        unsafe isEnding = true
        if unsafe isInForce { restoreAttributes() }
        endProcess(by: number)
    }

    /// - Returns: the signal that was held.
    static func endHold() -> Int32? {
        unsafe holdsSignals = false
        system_fence()
        let number = unsafe heldSignal
        unsafe heldSignal = 0
        if unsafe !isInForce { for number in unsafe ownHandlers { _ = signal(number, SIG_DFL) } }
        return number == 0 ? nil : number
    }

    /// Holds a signal while signals are held; called by its handler.
    ///
    /// Another thread may end the hold in between, and then would not see the signal.
    ///
    /// - Parameter meanwhile: what another thread does in between, for tests.
    /// - Returns: whether the signal is held.
    static func lets(wait number: Int32, meanwhile: () -> Void = {}) -> Bool {
        guard unsafe holdsSignals else { return false }
        meanwhile()
        unsafe heldSignal = number
        system_fence()
        return unsafe holdsSignals
    }

    /// Switches to the terminal's alternate screen for a secret; a signal that ends the process wipes it as
    /// `closeScreen` does.
    ///
    /// The process can't be stopped meanwhile: after continuing, the user would see another screen.
    static func openScreen(_ descriptor: Int32) {
        _ = take(descriptor, showingAnswers: false)
        if !isIgnored(SIGTSTP) { _ = signal(SIGTSTP, SIG_IGN) }
        unsafe showsSecret = true
        writeToScreen("\u{1B}[?1049h\u{1B}[2J\u{1B}[H")
    }

    /// Wipes the alternate screen, and returns to the main one.
    static func closeScreen() {
        wipeScreen()
        if unsafe isInForce { _ = signal(SIGTSTP, stop) }
    }

    /// Ends the process as this signal does.
    package static func endProcess(by number: Int32) {
        _ = signal(number, SIG_DFL)
        kill(getpid(), number)
        // Another thread may receive it.
        sleep(1)
    }

    /// Discards typed or pasted input that was not read, and restores the terminal; does nothing if no question was
    /// asked.
    ///
    /// The shell would show the input, run it, and store it in its history (A52).
    package static func leave() {
        guard unsafe isInForce else { return }
        if unsafe isOurTurn(takenDescriptor) { unsafe drain(takenDescriptor) }
        giveBack()
    }

    /// Discards typed input that was not read.
    ///
    /// Input typed while this process is in the background is for another process. The kernel stops a background
    /// process for this call too, but Linux discards a part of the input before it checks the caller (`TCFLSH`).
    static func forgetTyped(_ descriptor: Int32) { if isOurTurn(descriptor) { _ = tcflush(descriptor, TCIFLUSH) } }

    /// Returns whether more input is available, such as the second line of a paste.
    static func hasMore(_ descriptor: Int32) -> Bool { withoutLines { isReadable(descriptor) } }

    /// Returns whether a whole line is available, such as the next one of a paste.
    static func hasLine(_ descriptor: Int32) -> Bool { isReadable(descriptor) }

    /// Discards input until the terminal is quiet: a terminal delivers a long paste in pieces.
    private static func drain(_ descriptor: Int32) {
        let end = MonotonicClock.milliseconds + 2_000
        withoutLines {
            repeat { forgetTyped(descriptor) } while isReadable(descriptor) && MonotonicClock.milliseconds < end
        }
    }

    /// Runs `body` with input available byte by byte instead of by line.
    private static func withoutLines<R>(_ body: () -> R) -> R {
        var bytewise = unsafe wantedAttributes.pointee
        bytewise.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe apply(&bytewise)
        defer { unsafe apply(wantedAttributes) }
        return body()
    }

    /// Returns whether input arrives within the time between two pieces of a paste.
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
}

/// Hides typed input until `restore`, or until a signal ends the process.
struct Echo {
    private let isOurs: Bool

    /// Turns the echo off, except for newlines, and discards earlier input.
    ///
    /// If a question or another `Echo` has already turned it off, that one restores it, and later input is kept; the
    /// same holds once a signal has restored the echo.
    init(turningOffOn descriptor: Int32) { isOurs = Terminal.take(descriptor, showingAnswers: false) }

    func restore() { if isOurs { Terminal.giveBack() } }
}

/// Ends the process as the signal would, after restoring the terminal; or holds the signal.
private func end(_ number: Int32) {
    // The process can't continue after a processor fault.
    let isCrash = number != SIGQUIT && Hardening.crashSignals.contains(number)
    if !isCrash, Terminal.lets(wait: number) { return }
    unsafe isEnding = true
    if unsafe isInForce { restoreAttributes() }
    _ = signal(number, SIG_DFL)
    raise(number)
}

/// Stops the process as the signal would, and repeats the question when it continues.
private func stop(_ number: Int32) {
    let before = errno
    if unsafe isInForce { restoreAttributes() }
    _ = signal(number, SIG_DFL)
    // If the signal stayed blocked, as it is in its handler, it would stop the process only after the echo is off
    // again.
    let mask = unblock([number])
    raise(number)
    setMask(mask)
    _ = signal(number, stop)
    takeAgain()
    errno = before
}

/// Applies the command's settings, and repeats the question.
private func takeAgain() {
    // In the background only a question has to wait: the kernel stops a background process that changes the terminal.
    guard unsafe isInForce, unsafe openQuestion != nil || isOurTurn(takenDescriptor) else { return }
    applyForgetting()
    writeQuestion()
}

/// Applies the command's settings; discards input from before that, when the echo may have been on.
private func applyForgetting() {
    unsafe Terminal.forgetTyped(takenDescriptor)
    unsafe apply(wantedAttributes)
    unsafe Terminal.forgetTyped(takenDescriptor)
}

/// Changes the terminal's settings while the command uses it.
private func apply(_ attributes: UnsafePointer<termios>) {
    guard unsafe isInForce, unsafe !isEnding else { return }
    _ = unsafe tcsetattr(takenDescriptor, TCSANOW, attributes)
    // If another thread has restored them meanwhile, restore them again.
    if unsafe !isInForce || isEnding { _ = unsafe tcsetattr(takenDescriptor, TCSANOW, savedAttributes) }
}

/// Discards unread input and restores the terminal; does nothing in the background, where another process uses it.
private func restoreAttributes() {
    guard unsafe isOurTurn(takenDescriptor) else { return }
    wipeScreen()
    unsafe Terminal.forgetTyped(takenDescriptor)
    _ = unsafe tcsetattr(takenDescriptor, TCSANOW, savedAttributes)
    // Start a new line for the next output.
    if let question = unsafe openQuestion { unsafe write(question + strlen(question) - 1, count: 1) }
}

/// Returns whether this process is in the foreground; always true for a terminal other than its controlling one.
private func isOurTurn(_ descriptor: Int32) -> Bool {
    let group = tcgetpgrp(descriptor)
    return group < 0 || group == getpgrp()
}

/// Wipes a secret, even on a terminal without an alternate screen, and returns to the main screen.
private func wipeScreen() {
    guard unsafe showsSecret else { return }
    unsafe showsSecret = false
    writeToScreen("\u{1B}[2J\u{1B}[H\u{1B}[?1049l")
}

/// Writes to standard output; safe in a signal handler.
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

/// Unblocks these signals for this thread.
///
/// - Returns: the former mask.
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
