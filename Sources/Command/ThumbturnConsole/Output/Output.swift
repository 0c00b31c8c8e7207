package import ThumbturnJSON
package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Writes a command's output: data to standard output, everything else to standard error.
package struct Output: Sendable {
    /// The program's name, which prefixes its messages.
    private let program: String
    /// The advice on what to do next.
    package var hints: Hints
    /// Whether results are printed as JSON.
    package var isJSON: Bool
    /// The language of everything else.
    package let language: Language
    /// Whether characters other than ASCII can be shown.
    package let isUTF8: Bool
    /// Whether colours are shown.
    package let hasColour: Bool
    /// Whether standard output is a terminal.
    package private(set) var isOnTerminal: Bool
    /// The file that results go to instead of standard output.
    private var file: SecretFile?
    /// The buffer that collects results before they are written.
    private var gathered: GatheredOutput?
    /// Whether that terminal can position text, so that a box can be drawn.
    package let drawsBoxes: Bool
    /// The columns of standard output; 80 if unknown.
    package let width: Int
    /// The columns of standard error, if it is a terminal.
    private let widthOfErrors: Int?
    /// Whether standard error is a terminal, so that progress can be shown.
    package let showsProgress: Bool

    /// Creates the output of a program, as the environment and descriptors demand.
    package init(of program: String, environment: Environment, isJSON: Bool, hints: Hints) {
        (self.program, self.hints, self.isJSON) = (program, hints, isJSON)
        language = environment.language
        isUTF8 = environment.isUTF8
        isOnTerminal = isatty(STDOUT_FILENO) == 1
        width = environment.columns ?? Self.columns(of: STDOUT_FILENO)
        drawsBoxes = isOnTerminal && !environment.isDumb && width >= Self.usualWidth
        hasColour = environment.wantsColour(onTerminal: isOnTerminal)
        let isWatched = isatty(STDERR_FILENO) == 1
        widthOfErrors = isWatched ? environment.columns ?? Self.columns(of: STDERR_FILENO) : nil
        showsProgress = isWatched && !environment.isDumb
    }

    /// Whether a user at a terminal sees both standard output and questions, and both can be wiped again.
    var hasScreen: Bool { isOnTerminal && showsProgress }

    /// Returns an output that writes results to a file, which is no terminal.
    package func leading(to file: SecretFile) -> Output {
        var output = self
        output.file = file
        output.isOnTerminal = false
        return output
    }

    /// Returns an output that collects results, so that many are written at once; `flush` writes the last.
    ///
    /// On a terminal each result is shown when it is printed.
    package func gathering() -> Output {
        var output = self
        output.gathered = isOnTerminal ? nil : GatheredOutput()
        return output
    }

    /// Writes the collected results.
    package func flush() throws(Failure) {
        try gathered?.takeAll { (bytes) throws(Failure) in
            try unsafe bytes.withUnsafeBytes { buffer throws(Failure) in try unsafe pass(buffer, to: STDOUT_FILENO) }
        }
    }

    /// The columns assumed for a terminal that does not report them.
    package static let usualWidth = 80

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usualWidth }
        return Int(size.ws_col)
    }

    /// Prints the result of a command, as `text` or, if requested, as `json`.
    ///
    /// - Parameters:
    ///   - indent: the indentation of continuation lines.
    ///   - isPainted: whether the text consists of output of `shown` with our own colours.
    package func print(
        _ text: @autoclosure () -> Words,
        indent: Int = 0,
        isPainted: Bool = false,
        json: @autoclosure () -> JSON
    ) throws(Failure) {
        guard !isJSON else { return try printLine(json().text) }
        let text = text().in(language)
        try printLine(wrapped(isPainted ? text : shown(text), indent: indent))
    }

    /// Returns a text wrapped for the terminal, or unchanged if there is none.
    package func wrapped(_ text: String, indent: Int = 0) -> String {
        isOnTerminal ? text.wrapped(to: width, indent: indent) : text
    }

    /// Prints a line unchanged.
    package func printLine(_ line: String) throws(Failure) { try write(line + "\n", to: STDOUT_FILENO) }

    /// Writes a message to standard error.
    package func note(_ text: Words) { tell("\(program): " + hints.complete(text).in(language)) }

    /// Writes a refusal to standard error, without ending the command.
    package func note(_ failure: Failure) { note(Words("\(failure.code.text) \(failure.message(in: language))")) }

    /// Writes lines to standard error.
    private func tell(_ text: String) { try? write(wrappedError(shown(text)) + "\n", to: STDERR_FILENO) }

    private func wrappedError(_ text: String) -> String {
        widthOfErrors.map { text.wrapped(to: $0, indent: 2) } ?? text
    }

    /// Returns a question as it is shown; the answer follows on the same line.
    package func prompt(_ label: Words) -> String { wrappedError(shown((label + Words(":", " :")).in(language))) + " " }

    /// Ends the line of a question.
    package func endLine() { try? write("\n", to: STDERR_FILENO) }

    /// Overwrites the line of progress; an empty text removes it.
    package func showProgress(_ text: Words) {
        guard showsProgress else { return }
        // A longer text would wrap into a line that is never overwritten.
        let text = shown(text.in(language)).prefix(columns: (widthOfErrors ?? Self.usualWidth) - 1)
        try? write("\r\u{1B}[K" + text, to: STDERR_FILENO)
    }

    /// Reports the failure that ends the command.
    ///
    /// - Returns: the exit code.
    package func report(_ failure: Failure) -> Int32 {
        let error = Words("error: ", "erreur : ").in(language)
        let hint = Words("hint: ", "conseil : ").in(language)
        tell(
            "\(program): \(error)\(failure.code.text) \(failure.message(in: language))\n"
                + hint + hints.hint(failure).in(language)
        )
        if isJSON, !failure.isPrinted { try? printLine(JSON.object([("error", json(of: failure))]).text) }
        return failure.exitCode
    }

    /// Returns a failure as JSON.
    package func json(of failure: Failure) -> JSON {
        var members: [(String, JSON)] = [
            ("code", .string(failure.code.text)), ("message", .string(failure.message(in: language))),
            ("hint", .string(hints.hint(failure).in(language))),
        ]
        if let wait = failure.retryAfter { members.append(("retryAfterSeconds", .integer(wait.wholeSeconds))) }
        if let underlying = failure.underlying {
            members.append(
                ("underlying", ["domain": .string(underlying.domain.name), "number": .integer(underlying.number)])
            )
        }
        return .object(members)
    }

    /// Returns what the terminal can show of a text.
    ///
    /// A path or name in it may have been chosen by an attacker: its control characters must not reach the terminal.
    package func shown(_ text: String) -> String {
        let plain = Plain.text(of: text)
        return isUTF8 ? plain : ASCII.text(of: plain)
    }

    /// Writes lent bytes to standard output without copying them.
    package func write(_ bytes: RawSpan) throws(Failure) {
        try unsafe bytes.withUnsafeBytes { buffer throws(Failure) in try unsafe write(buffer, to: STDOUT_FILENO) }
    }

    /// Writes bytes that are not secret to standard output.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            try unsafe write(UnsafeRawBufferPointer(buffer), to: STDOUT_FILENO)
        }
    }

    /// Prints one secret.
    ///
    /// - Parameters:
    ///   - isRaw: whether to print it unchanged, even if a terminal would act on it.
    ///   - isText: whether to end it with a newline when not on a terminal too.
    /// - Throws: `.usage` if a terminal would act on a control character in it.
    package func write(_ secret: RawSpan, isRaw: Bool, isText: Bool) throws(Failure) {
        guard !isRaw else { return try write(secret) }
        guard !isOnTerminal || !SecretText.hasControlCharacters(secret) else {
            throw Failure(
                .usage,
                Words("the secret has control characters", "le secret a des caractères de contrôle"),
                hint: Words(
                    "send it to a file, or add --raw: a terminal would act on them",
                    "envoyez-le dans un fichier, ou ajoutez --raw : un terminal leur obéirait"
                )
            )
        }
        try write(secret)
        if isText || isOnTerminal { try write("\n") }
    }

    /// Writes text that is not secret to standard output.
    package func write(_ text: String) throws(Failure) { try write(text, to: STDOUT_FILENO) }

    private func write(_ text: String, to descriptor: Int32) throws(Failure) {
        try unsafe ContiguousArray(text.utf8).span.bytes.withUnsafeBytes { buffer throws(Failure) in
            try unsafe write(buffer, to: descriptor)
        }
    }

    private func write(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
        guard descriptor == STDOUT_FILENO, let gathered else { return try unsafe pass(buffer, to: descriptor) }
        var rest = unsafe buffer.bytes
        while rest.byteCount > 0 {
            let count = gathered.take(rest)
            if count == 0 { try flush() }
            rest = rest.extracting(droppingFirst: count)
        }
    }

    private func pass(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
        if descriptor == STDOUT_FILENO, let file { return try unsafe file.write(buffer.bytes) }
        var rest = unsafe buffer
        while unsafe !rest.isEmpty {
            #if canImport(Glibc)
            let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            #else
            let count = unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                var failure = Failure(
                    errno: errno,
                    Words("standard output can't be written", "sortie standard inaccessible")
                )
                // A command writes its result last, so its work may be done.
                failure.hint = hints.unwritten
                throw failure
            }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}
