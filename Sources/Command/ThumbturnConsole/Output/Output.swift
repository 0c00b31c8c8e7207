package import ThumbturnJSON
package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a command's words go: data to standard output, everything else to standard error.
package struct Output: Sendable {
    /// The command's name, with which what it tells begins.
    private let program: String
    /// What to do next.
    package var hints: Hints
    /// Whether results are JSON.
    package var isJSON: Bool
    /// The language of everything else.
    package let language: Language
    /// Whether more than ASCII can be shown.
    package let isUTF8: Bool
    /// Whether colours are shown.
    package let hasColour: Bool
    /// Whether somebody reads standard output on a screen.
    package private(set) var isOnTerminal: Bool
    /// Where results go in the place of standard output.
    private var file: SecretFile?
    /// Where results are gathered before they go there.
    private var gathered: GatheredOutput?
    /// Whether that screen does more than show line after line, so that a box can be drawn on it.
    package let drawsBoxes: Bool
    /// The columns of standard output; 80 where nothing says it.
    package let width: Int
    /// Those of standard error, where somebody watches it.
    private let widthOfErrors: Int?
    /// Whether somebody watches standard error, so that progress may be shown.
    package let showsProgress: Bool

    /// What a command's words look like here.
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

    /// Whether somebody at a terminal sees standard output and what is asked, and both can be taken away again.
    var hasScreen: Bool { isOnTerminal && showsProgress }

    /// The same with results in a file, where nobody reads them on a screen.
    package func leading(to file: SecretFile) -> Output {
        var output = self
        output.file = file
        output.isOnTerminal = false
        return output
    }

    /// The same with results gathered, so that many are written at once, the last of them by `flush`.
    ///
    /// What a terminal shows comes as it is printed.
    package func gathering() -> Output {
        var output = self
        output.gathered = isOnTerminal ? nil : GatheredOutput()
        return output
    }

    /// Writes what was gathered.
    package func flush() throws(Failure) {
        try gathered?.takeAll { (bytes) throws(Failure) in
            try unsafe bytes.withUnsafeBytes { buffer throws(Failure) in try unsafe pass(buffer, to: STDOUT_FILENO) }
        }
    }

    /// The columns of a terminal that does not say how many it has.
    package static let usualWidth = 80

    private static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usualWidth }
        return Int(size.ws_col)
    }

    /// Prints the result of a command: `text`, or `json` when that was asked for.
    ///
    /// - Parameters:
    ///   - indent: how far in a line goes on that is longer than the terminal.
    ///   - isPainted: whether the text was put together of what `shown` gave, with colours of our own.
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

    /// A text in lines that the terminal holds; what nobody reads on one stays as it is.
    package func wrapped(_ text: String, indent: Int = 0) -> String {
        isOnTerminal ? text.wrapped(to: width, indent: indent) : text
    }

    /// Prints a line as it is.
    package func printLine(_ line: String) throws(Failure) {
        try write(line + "\n", to: STDOUT_FILENO)
    }

    /// Tells something beside the result.
    package func note(_ text: Words) {
        tell("\(program): " + hints.complete(text).in(language))
    }

    /// Tells what was refused while the command goes on.
    package func note(_ failure: Failure) {
        note(Words("\(failure.code.text) \(failure.message(in: language))"))
    }

    /// Writes lines to standard error.
    private func tell(_ text: String) {
        try? write(wrappedError(shown(text)) + "\n", to: STDERR_FILENO)
    }

    private func wrappedError(_ text: String) -> String {
        widthOfErrors.map { text.wrapped(to: $0, indent: 2) } ?? text
    }

    /// How a question is shown; the answer follows on the same line.
    package func prompt(_ label: Words) -> String {
        wrappedError(shown((label + Words(":", " :")).in(language))) + " "
    }

    /// Ends the line of a question.
    package func endLine() {
        try? write("\n", to: STDERR_FILENO)
    }

    /// Overwrites the line of progress; an empty text removes it.
    package func showProgress(_ text: Words) {
        guard showsProgress else { return }
        // A longer one would go on in a line that nobody overwrites.
        let text = shown(text.in(language)).prefix(columns: (widthOfErrors ?? Self.usualWidth) - 1)
        try? write("\r\u{1B}[K" + text, to: STDERR_FILENO)
    }

    /// Reports why the command ends.
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

    /// A failure as JSON.
    package func json(of failure: Failure) -> JSON {
        var members: [(String, JSON)] = [
            ("code", .string(failure.code.text)), ("message", .string(failure.message(in: language))),
            ("hint", .string(hints.hint(failure).in(language))),
        ]
        if let wait = failure.retryAfter { members.append(("retryAfterSeconds", .integer(wait.wholeSeconds))) }
        return .object(members)
    }

    /// What the terminal can show of a text.
    ///
    /// A path or a name in it may have been chosen by another: its control characters reach no terminal.
    package func shown(_ text: String) -> String {
        let plain = Plain.text(of: text)
        return isUTF8 ? plain : ASCII.text(of: plain)
    }

    /// Writes lent bytes to standard output; they are copied nowhere.
    package func write(_ bytes: RawSpan) throws(Failure) {
        try unsafe bytes.withUnsafeBytes { buffer throws(Failure) in try unsafe write(buffer, to: STDOUT_FILENO) }
    }

    /// Writes bytes that are no secret to standard output.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            try unsafe write(UnsafeRawBufferPointer(buffer), to: STDOUT_FILENO)
        }
    }

    /// Prints a secret by itself.
    ///
    /// - Parameters:
    ///   - isRaw: whether it is printed as it is, whatever a terminal makes of it.
    ///   - isText: whether the end of a line belongs behind it elsewhere than on a terminal too.
    /// - Throws: `.usage` where a terminal would act on a control character in it.
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

    /// Writes words that are no secret to standard output.
    package func write(_ text: String) throws(Failure) {
        try write(text, to: STDOUT_FILENO)
    }

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
                // A command writes its answer last, so its work may be done.
                failure.hint = hints.unwritten
                throw failure
            }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}
