import Testing

@testable import ThumbturnConsole

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

struct TerminalTextTests {
    @Test(arguments: [
        ("plain é 漢 😀\n\tindented", "plain é 漢 😀\n\tindented"), ("a\u{1B}[31mb", "a\u{FFFD}[31mb"),
        ("a\u{7}\u{8}\r\u{7F}b", "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b"), ("a\u{9B}2Jb", "a\u{FFFD}2Jb"),
        ("a\u{202E}b\u{2069}", "a\u{FFFD}b\u{FFFD}"), ("\u{200F}\u{61C}\u{2066}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("a\u{2028}b", "a\u{FFFD}b"),
    ])
    func `no control character and no change of direction reaches a terminal`(text: String, plain: String) {
        #expect(Plain.text(of: text) == plain)
    }
}

/// Of the whole process, and so one after the other.
@Suite(.serialized) struct HeldSignalTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU])
    func `a signal that would end the process waits while a PIN is tried`(number: Int32) {
        // A thread of a pool may block it, and then none would come.
        var (set, before) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&set)
        unsafe sigaddset(&set, number)
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        // Whoever started this process may have ignored it, as `nohup` does.
        let former = signal(number, SIG_DFL)
        defer { _ = signal(number, former) }
        Terminal.holdSignals()
        raise(number)
        #expect(Terminal.endHold() == number)
        #expect(Terminal.endHold() == nil && isDefault(number))
    }

    @Test(.holds("A19")) func `a signal that meets the end of a hold on another thread ends the process all the same`()
    {
        Terminal.holdSignals()
        #expect(Terminal.lets(wait: SIGTERM))
        #expect(Terminal.endHold() == SIGTERM)
        Terminal.holdSignals()
        let waits = Terminal.lets(wait: SIGTERM) { #expect(Terminal.endHold() == nil) }
        #expect(!waits)
        // What came too late is not the next hold's.
        Terminal.holdSignals()
        #expect(Terminal.endHold() == nil)
    }
}
