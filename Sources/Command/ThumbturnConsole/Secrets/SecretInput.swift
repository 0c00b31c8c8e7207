package import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads a command's secrets from a terminal without echo, or one per line from `--secret-fd N`.
///
/// Bytes go from `read` into a `SecretBytes` and nowhere else. All lines of a descriptor are read before the first is
/// used, so that surplus lines are refused before anything is counted or written.
package struct SecretInput: Sendable {
    /// Where questions and refusals are shown.
    package let output: Output
    /// The terminal to ask on.
    let terminal: Int32?
    /// The input that is not typed; if there is a terminal too, it is the command's own secret.
    private let given: Given?

    /// Whether to ask on a terminal.
    package var isTerminal: Bool { terminal != nil }

    /// Whether the secret itself is typed at a terminal, not only the PIN.
    package var isTyped: Bool { isTerminal && given == nil }

    /// Uses `--secret-fd`, or else a terminal on standard input, or else no input, unless the command's own secret
    /// comes on standard input.
    ///
    /// Create it before anything is opened: a descriptor that is closed now could later be the vault's file.
    ///
    /// - Parameter questions: the questions that a descriptor's lines answer.
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

    /// Refuses a descriptor that can't supply the answers.
    private static func check(_ descriptor: Int32, _ questions: Questions) throws(Failure) {
        guard descriptor != STDIN_FILENO || !questions.leavesStandardInput else {
            throw Failure(
                .usage,
                Words("standard input is used for something else", "l'entrée standard sert à autre chose"),
                hint: Words(
                    "give the lines on another descriptor: `--secret-fd 3 3< FILE`",
                    "donnez les lignes sur un autre descripteur : `--secret-fd 3 3< FICHIER`"
                )
            )
        }
        guard isOpen(descriptor) else {
            throw Failure(
                .inputClosed,
                Words("--secret-fd \(descriptor) is not open", "--secret-fd \(descriptor) n'est pas ouvert")
            )
        }
    }

    private static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) != -1 }

    /// Opens the controlling terminal, which stays open until the process ends.
    private static func ownTerminal() -> Int32? {
        let opened = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        return opened >= 0 ? opened : nil
    }

    /// Reads one line.
    ///
    /// - Returns: the line without its newline.
    /// - Throws: `.inputClosed` if there is none, and the question's code for a line that is too long.
    package func read(_ question: Question) throws(Failure) -> SecretBytes {
        guard let line = try readIfPresent(question) else { throw Failure(.inputClosed) }
        return line
    }

    /// Reads one line; returns `nil` at the end of input.
    ///
    /// - Parameter keepingTypedAhead: whether input typed before the question may be the answer.
    package func readIfPresent(_ question: Question, keepingTypedAhead: Bool = false) throws(Failure) -> SecretBytes? {
        if let terminal { return try ask(question, on: terminal, keepingTypedAhead) }
        guard let given, !given.isOwnSecret else { return nil }
        return try nextLine(question)
    }

    /// Reads the command's own secret, which may come on standard input; returns `nil` at the end of input.
    ///
    /// - Parameter keepingTypedAhead: as for `readIfPresent`.
    package func readOwnIfPresent(_ question: Question, keepingTypedAhead: Bool = false) throws(Failure) -> SecretBytes?
    {
        if let terminal, given == nil { return try ask(question, on: terminal, keepingTypedAhead) }
        return try nextLine(question)
    }

    /// Asks for an answer of several lines on the terminal; pasted lines need no further question.
    ///
    /// - Parameters:
    ///   - keepingTypedAhead: whether input typed before may be a part of the answer.
    ///   - take: called with each line.
    /// - Throws: `.inputClosed` at the end of input.
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

    /// Reads a secret that may have several lines: all input after the answers, unchanged.
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

    /// Copies standard input, which is not secret, to a new file.
    ///
    /// - Parameter limit: the maximum size; longer input is cut one byte after it.
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

    /// Reads every byte of the file with a secret that the owner names.
    package static func readFile(_ path: String, _ question: Question) throws(Failure) -> SecretBytes {
        let file = unsafe open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else {
            throw Failure(errno: errno, Words("the file can't be opened", "le fichier ne peut être ouvert"))
        }
        defer { _ = close(file) }
        return try readToEnd(file, question)
    }

    /// Reads every line that the command asks for, before any of them is used.
    ///
    /// - Throws: a failure if there is a surplus line, and `.inputClosed` if standard input lacks the secret.
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

    /// Reads each line of a descriptor only when it is needed, because some answers are optional.
    ///
    /// A surplus line is then not refused in advance.
    package func takeLinesAsAsked() {
        guard let given, !given.isTaken, !given.isOwnSecret, case .nothing = given.questions.following else { return }
        given.questions.lines = []
        given.questions.following = .moreLines
    }

    /// Refuses a descriptor with surplus input.
    package func refuseMore() throws(Failure) {
        guard let given else { return }
        try takeLines()
        guard given.lines.isEmpty, try Self.isAtEnd(given.descriptor) else { throw Self.tooManyLines }
    }

    /// Waits until the user enters a line on the terminal, which is hidden and discarded.
    ///
    /// - Parameter next: the next question: input after the line may already answer it.
    /// - Returns: false if the task was cancelled first.
    package func lineIsEntered(before next: Question) async -> Bool {
        guard let terminal else { return false }
        let echo = Echo(turningOffOn: terminal)
        defer { echo.restore() }
        while !Task.isCancelled {
            var event = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&event, 1, 0) > 0 {
                // Discard the rest of a line that is too long for any answer.
                do { _ = try readLine(next, of: terminal) } catch { Terminal.forgetTyped(terminal) }
                return true
            }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
        // Otherwise the shell would show a partly typed PIN after the command.
        Terminal.forgetTyped(terminal)
        return false
    }

    /// Hides typed input until `Terminal.leave`: a user who expects to be asked for a PIN may type it while the command
    /// waits for a service.
    package func hideTyping() { if let terminal { _ = Terminal.take(terminal, showingAnswers: false) } }

    /// Reads a confirmation, which is not secret.
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
        Words("too many lines were given", "trop de lignes ont été données"),
        hint: Words(
            "nothing was tried or changed; `--file` reads a secret of several lines",
            "rien n'a été essayé ni changé ; `--file` lit un secret de plusieurs lignes"
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

    /// Returns the descriptor with further lines, after reading all answers; `nil` if no lines are expected.
    func descriptorOfMoreLines() throws(Failure) -> Int32? {
        guard let given else { return nil }
        try takeLines()
        guard case .moreLines = given.questions.following else { return nil }
        return given.descriptor
    }

    private func readLine(_ question: Question, of descriptor: Int32) throws(Failure) -> SecretBytes? {
        var count = 0
        var hasEnded = false
        // One extra byte detects a line that is too long, another is for a carriage return.
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
        // Control-D instead of Enter means that the user gave up.
        if hasEnded, count == 0 || descriptor == terminal { return nil }
        guard count <= question.limit else { throw question.refusalOfLength }
        return buffer.prefix(count)
    }

    /// Reads the input to its end, and refuses empty input.
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

    /// - Returns: false at the end of input.
    private static func readByte(of descriptor: Int32, into address: UnsafeMutableRawPointer?) throws(Failure) -> Bool {
        try unsafe readSome(of: descriptor, into: UnsafeMutableRawBufferPointer(start: address, count: 1)) == 1
    }

    /// - Returns: the number of bytes read; 0 at the end.
    static func readSome(of descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
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

/// The input from a descriptor.
private final class Given: @unchecked Sendable {
    // Safe to send: a command asks for its secrets one after the other.
    let descriptor: Int32
    var questions: Questions
    /// Whether it is standard input with the command's own secret; the PIN then comes from the terminal.
    let isOwnSecret: Bool
    var isTaken = false
    var lines: [HeldSecret] = []
    var rest: HeldSecret?

    init(_ descriptor: Int32, answering questions: Questions, isOwnSecret: Bool = false) {
        (self.descriptor, self.questions, self.isOwnSecret) = (descriptor, questions, isOwnSecret)
    }
}
