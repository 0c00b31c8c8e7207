package import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a command's secrets come from: the terminal without echo, or `--secret-fd N`, a line each.
///
/// Bytes go from `read` into a `SecretBytes` and nowhere else. Of a descriptor every line is read before the first is used, so
/// that one with more lines than the command asks for is refused while nothing was counted or written.
package struct SecretInput: Sendable {
    /// Where questions and what was wrong are shown.
    package let output: Output
    /// Where somebody is asked.
    let terminal: Int32?
    /// What was given that nobody types; beside a terminal it is the secret that the command is about.
    private let given: Given?

    /// Whether somebody is asked on a terminal.
    package var isTerminal: Bool { terminal != nil }

    /// Whether the secret itself is asked for on a terminal, and not only the PIN.
    package var isTyped: Bool { isTerminal && given == nil }

    /// Takes `--secret-fd`, else a terminal on standard input; else there are no secrets to be read, unless the command's own
    /// secret stands on standard input.
    ///
    /// This comes before anything is opened: a descriptor that is closed now could be the vault's file later.
    ///
    /// - Parameter questions: what the lines of a descriptor answer.
    package init(descriptor: Int32?, asking questions: Questions = Questions(), output: Output) throws(Failure) {
        self.output = output
        if let descriptor {
            try Self.check(descriptor, questions)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            terminal = isatty(descriptor) == 1 ? descriptor : nil
            given = terminal == nil ? Given(descriptor, answering: questions) : nil
        } else if let piped = questions.piped, isatty(STDIN_FILENO) == 0, Self.isOpen(STDIN_FILENO) {
            terminal = Self.ownTerminal()
            given = Given(STDIN_FILENO, answering: piped, isOwnSecret: true)
        } else {
            terminal =
                if questions.leavesStandardInput { Self.ownTerminal() } else {
                    isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : nil
                }
            given = nil
        }
    }

    /// Refuses a descriptor that can't hold the answers.
    private static func check(_ descriptor: Int32, _ questions: Questions) throws(Failure) {
        guard descriptor != STDIN_FILENO || !questions.leavesStandardInput else {
            throw Failure(
                .usage,
                Words("standard input holds something else", "l'entrée standard contient autre chose"),
                hint: Words(
                    "give the lines on another descriptor: `--secret-fd 3 3< FILE`",
                    "donnez les lignes sur un autre descripteur : `--secret-fd 3 3< FICHIER`"
                )
            )
        }
        guard isOpen(descriptor) else {
            throw Failure(
                .inputClosed,
                Words("--secret-fd \(descriptor) is not open", "--secret-fd \(descriptor) fermé")
            )
        }
    }

    private static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) != -1 }

    /// The terminal that the process belongs to; it stays open until the process ends.
    private static func ownTerminal() -> Int32? {
        let opened = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        return opened >= 0 ? opened : nil
    }

    /// Reads one line.
    ///
    /// - Returns: the line without its end.
    /// - Throws: `.inputClosed` when there is none, and the question's code for one that is too long.
    package func read(_ question: Question) throws(Failure) -> SecretBytes {
        guard let line = try readIfPresent(question) else { throw Failure(.inputClosed) }
        return line
    }

    /// Reads one line; nil at the end of the input.
    ///
    /// - Parameter keepingTypedAhead: whether what was typed before a terminal asks may be the answer.
    package func readIfPresent(_ question: Question, keepingTypedAhead: Bool = false) throws(Failure) -> SecretBytes? {
        if let terminal { return try ask(question, on: terminal, keepingTypedAhead) }
        guard let given, !given.isOwnSecret else { return nil }
        return try nextLine(question)
    }

    /// Reads the secret that the command is about, which standard input may hold; nil at the end of the input.
    ///
    /// - Parameter keepingTypedAhead: as in `readIfPresent`.
    package func readOwnIfPresent(_ question: Question, keepingTypedAhead: Bool = false) throws(Failure) -> SecretBytes?
    {
        if let terminal, given == nil { return try ask(question, on: terminal, keepingTypedAhead) }
        return try nextLine(question)
    }

    /// Asks for an answer of several lines on the terminal; those of a paste come without a question each.
    ///
    /// - Parameters:
    ///   - keepingTypedAhead: whether what was typed before may be a part of it.
    ///   - take: gets each line.
    /// - Throws: `.inputClosed` at the end of the input.
    package func readLines(
        _ question: Question,
        keepingTypedAhead: Bool,
        _ take: (borrowing SecretBytes) throws(Failure) -> Void
    ) throws(Failure) {
        guard let terminal else { throw Failure(.inputClosed) }
        defer { output.endLine() }
        try Terminal.ask(output.prompt(question.label), on: terminal, keepingTypedAhead: keepingTypedAhead) {
            () throws(Failure) in
            repeat {
                guard let line = try readLine(question, of: terminal) else { throw Failure(.inputClosed) }
                try take(line)
            } while Terminal.hasLine(terminal)
        }
    }

    /// Reads a secret that may have several lines: all that comes behind the lines before it, as it is.
    package func readRest(_ question: Question) throws(Failure) -> SecretBytes {
        if let given {
            try takeLines()
            guard let rest = given.rest else { throw Failure(.inputClosed) }
            given.rest = nil
            return rest.bytes.copy()
        }
        guard let terminal else { throw Failure(.inputClosed) }
        defer { output.endLine() }
        return try Terminal.ask(output.prompt(question.untilEnd.label), on: terminal) { () throws(Failure) in
            try Self.readToEnd(terminal, question)
        }
    }

    /// Copies all of standard input to a new file, which is no secret.
    ///
    /// - Parameter limit: the most bytes; what is longer is cut off one byte behind them.
    package static func copyStandardInput(to path: String, upTo limit: Int) throws(Failure) {
        let target: Descriptor
        do throws(FileError) { target = try Descriptor(making: path) } catch {
            throw Failure(errno: error.number, Words("a file can't be made", "fichier impossible à créer"))
        }
        var total = 0
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while total <= limit {
            let count = try unsafe chunk.withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
                try unsafe readSome(of: STDIN_FILENO, into: UnsafeMutableRawBufferPointer(buffer))
            }
            if count == 0 { return }
            do throws(FileError) { try target.write(Array(chunk.prefix(count)), at: total) } catch {
                throw Failure(errno: error.number, Words("a file can't be written", "fichier impossible à écrire"))
            }
            total += count
        }
    }

    /// Reads the secret in a file that its owner names, every byte of it.
    package static func readFile(_ path: String, _ question: Question) throws(Failure) -> SecretBytes {
        let file = unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else {
            throw Failure(errno: errno, Words("the file can't be opened", "le fichier ne peut être ouvert"))
        }
        defer { _ = close(file) }
        return try readToEnd(file, question)
    }

    /// Reads every line of a descriptor that the command asks for, before one of them is used.
    ///
    /// - Throws: a refusal of all of them where there is one more, and `.inputClosed` where standard input lacks the secret.
    package func takeLines() throws(Failure) {
        guard let given, !given.isTaken else { return }
        given.isTaken = true
        for question in given.questions.lines {
            guard let line = try readLine(question, of: given.descriptor) else {
                if given.isOwnSecret { throw Failure(.inputClosed) }
                break
            }
            given.lines.append(HeldSecret(line))
        }
        switch given.questions.following {
        case .nothing: guard try Self.isAtEnd(given.descriptor) else { throw Self.tooManyLines }
        case .moreLines: break
        case .rest(let question): given.rest = HeldSecret(try Self.readToEnd(given.descriptor, question))
        }
    }

    /// Lets a descriptor hold answers that only some need, each where it is asked for; then one line too many is not refused
    /// before the first is used.
    package func takeLinesAsAsked() {
        guard let given, !given.isTaken, !given.isOwnSecret, case .nothing = given.questions.following else { return }
        given.questions.lines = []
        given.questions.following = .moreLines
    }

    /// Refuses a descriptor on which there is more than was asked for.
    package func refuseMore() throws(Failure) {
        guard let given else { return }
        try takeLines()
        guard given.lines.isEmpty, try Self.isAtEnd(given.descriptor) else { throw Self.tooManyLines }
    }

    /// Waits until a line is entered on the terminal; what is typed is not shown, and forgotten.
    ///
    /// - Parameter next: what is asked for next: what follows the line may be its answer already.
    /// - Returns: false when the task was cancelled first.
    package func lineIsEntered(before next: Question) async -> Bool {
        guard let terminal else { return false }
        let echo = Echo(turningOffOn: terminal)
        defer { echo.restore() }
        while !Task.isCancelled {
            var event = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&event, 1, 0) > 0 {
                // The rest of a line that is too long for any answer is no answer either.
                do { _ = try readLine(next, of: terminal) } catch { Terminal.forgetTyped(terminal) }
                return true
            }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
        // The shell behind us would show half a PIN.
        Terminal.forgetTyped(terminal)
        return false
    }

    /// Lets nothing show that is typed from now on, until `Terminal.leave`: whoever knows that a PIN will be asked for may type it
    /// into the silence of a service that does not answer.
    package func hideTyping() {
        if let terminal { _ = Terminal.take(terminal, showingAnswers: false) }
    }

    /// Reads what is typed to confirm, which is no secret.
    package func readText(_ question: Question) throws(Failure) -> String {
        try read(question).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func isAtEnd(_ descriptor: Int32) throws(Failure) -> Bool {
        var byte: UInt8 = 0
        let hasMore = try unsafe readByte(of: descriptor, into: &byte)
        return !hasMore
    }

    private static let tooManyLines = Failure(
        .usage,
        Words("more lines were given than are asked for", "plus de lignes que demandé"),
        hint: Words(
            "nothing was tried or changed; `--file` takes a secret of several lines",
            "rien n'a été essayé ni changé ; `--file` prend un secret de plusieurs lignes"
        )
    )

    private func ask(
        _ question: Question,
        on terminal: Int32,
        _ keepingTypedAhead: Bool
    ) throws(Failure) -> SecretBytes? {
        defer { if question.isHidden { output.endLine() } }
        return try Terminal.ask(
            output.prompt(question.label),
            on: terminal,
            showingAnswer: !question.isHidden,
            keepingTypedAhead: keepingTypedAhead
        ) { () throws(Failure) in
            guard let line = try readLine(question, of: terminal) else { return nil }
            if question.isAnyBytes, Terminal.hasMore(terminal) { throw Self.tooManyLines }
            return line
        }
    }

    private func nextLine(_ question: Question) throws(Failure) -> SecretBytes? {
        guard let given else { return nil }
        try takeLines()
        if !given.lines.isEmpty { return given.lines.removeFirst().bytes.copy() }
        guard case .moreLines = given.questions.following else { return nil }
        return try readLine(question, of: given.descriptor)
    }

    /// Where lines follow that are read while the command works, once all answers before them were taken; else nil.
    func descriptorOfMoreLines() throws(Failure) -> Int32? {
        guard let given else { return nil }
        try takeLines()
        guard case .moreLines = given.questions.following else { return nil }
        return given.descriptor
    }

    private func readLine(_ question: Question, of descriptor: Int32) throws(Failure) -> SecretBytes? {
        var count = 0
        var hasEnded = false
        // One more byte shows that the line is too long, and one is for a carriage return.
        let buffer = try unsafe SecretBytes(byteCount: question.limit + 2) { buffer throws(Failure) in
            while count < buffer.count {
                guard try unsafe Self.readByte(of: descriptor, into: buffer.baseAddress.map { unsafe $0 + count })
                else {
                    hasEnded = true
                    break
                }
                if unsafe buffer[count] == UInt8(ascii: "\n") { break }
                count += 1
            }
            if count > 0, unsafe buffer[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        // Whoever types Control-D instead of Enter has given up.
        if hasEnded, count == 0 || descriptor == terminal { return nil }
        guard count <= question.limit else { throw question.refusalOfLength }
        return buffer.prefix(count)
    }

    /// Reads all there is, which can't be nothing.
    private static func readToEnd(_ descriptor: Int32, _ question: Question) throws(Failure) -> SecretBytes {
        var count = 0
        let buffer = try unsafe SecretBytes(byteCount: question.limit + 1) { buffer throws(Failure) in
            while count < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                let read = try unsafe readSome(of: descriptor, into: rest)
                if read == 0 { break }
                count += read
            }
        }
        guard count > 0 else { throw Failure(question.isAnyBytes ? .secretSizeWrong : .inputClosed) }
        guard count <= question.limit else { throw question.refusalOfLength }
        return buffer.prefix(count)
    }

    /// - Returns: false at the end of the input.
    private static func readByte(of descriptor: Int32, into address: UnsafeMutableRawPointer?) throws(Failure) -> Bool {
        try unsafe readSome(of: descriptor, into: UnsafeMutableRawBufferPointer(start: address, count: 1)) == 1
    }

    /// - Returns: how many bytes were read; 0 at the end.
    static func readSome(
        of descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        while true {
            #if canImport(Glibc)
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(.inputClosed, Words("it can't be read", "lecture impossible"))
            }
            return count
        }
    }
}

/// What a descriptor gives, until it is asked for.
private final class Given: @unchecked Sendable {
    // Safe to send: a command asks for its secrets one after the other.
    let descriptor: Int32
    var questions: Questions
    /// Whether it is standard input, on which stands the secret that the command is about; the PIN comes from the terminal then.
    let isOwnSecret: Bool
    var isTaken = false
    var lines: [HeldSecret] = []
    var rest: HeldSecret?

    init(_ descriptor: Int32, answering questions: Questions, isOwnSecret: Bool = false) {
        (self.descriptor, self.questions, self.isOwnSecret) = (descriptor, questions, isOwnSecret)
    }
}
