import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where a command's words go: data to standard output, everything else to standard error.
struct Output: Sendable {
    var isJSON: Bool
    let language: Language
    /// Whether more than ASCII can be shown.
    let isUTF8: Bool
    let hasColour: Bool
    /// Whether somebody reads standard output on a screen.
    let isOnTerminal: Bool
    /// Whether that screen has fewer than 80 columns.
    let isNarrow: Bool
    /// Whether somebody watches standard error, so that progress may be shown.
    let showsProgress: Bool
    /// What was asked for and where, for the hints.
    var advice = Advice.none

    init(environment: Environment, isJSON: Bool) {
        self.isJSON = isJSON
        language = environment.language
        isUTF8 = environment.isUTF8
        isOnTerminal = isatty(STDOUT_FILENO) == 1
        isNarrow = (environment.columns ?? Self.columns) < 80
        hasColour = environment.wantsColour(onTerminal: isOnTerminal)
        showsProgress = isatty(STDERR_FILENO) == 1
    }

    /// The columns of the terminal behind standard output; 80 where there is none, or it does not say.
    private static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Prints the result of a command: `text`, or `json` when that was asked for.
    func print(_ text: @autoclosure () -> Text, json: @autoclosure () -> JSON) throws(Failure) {
        try printLine(isJSON ? json().text : shown(text().in(language)))
    }

    /// Prints a line as it is.
    func printLine(_ line: String) throws(Failure) {
        try Self.write(line + "\n", to: STDOUT_FILENO)
    }

    /// Tells something beside the result.
    func note(_ text: Text) {
        try? Self.write("thumbturn: " + shown(advice.completed(text).in(language)) + "\n", to: STDERR_FILENO)
    }

    /// Tells what was refused while the command goes on.
    func note(_ failure: Failure) {
        note(Text("\(failure.code.text) \(failure.message(in: language))"))
    }

    /// How a question is shown; the answer follows on the same line.
    func prompt(_ label: Text) -> String { shown(label.in(language)) + ": " }

    func endLine() {
        try? Self.write("\n", to: STDERR_FILENO)
    }

    /// Overwrites the line of progress; an empty text removes it.
    func showProgress(_ text: Text) {
        guard showsProgress else { return }
        try? Self.write("\r\u{1B}[K" + shown(text.in(language)), to: STDERR_FILENO)
    }

    /// Reports why the command ends.
    ///
    /// - Returns: the exit code.
    func report(_ failure: Failure) -> Int32 {
        let message = "thumbturn: error: \(failure.code.text) \(failure.message(in: language))\n"
        let hint = "\(Text("hint: ", "conseil : ").in(language))\(advice.hint(of: failure).in(language))\n"
        try? Self.write(shown(message) + shown(hint), to: STDERR_FILENO)
        if isJSON, !failure.isPrinted { try? printLine(JSON.object([("error", json(of: failure))]).text) }
        return failure.exitCode
    }

    func json(of failure: Failure) -> JSON {
        var members: [(String, JSON)] = [
            ("code", .string(failure.code.text)), ("message", .string(failure.message(in: language))),
            ("hint", .string(advice.hint(of: failure).in(language))),
        ]
        if let wait = failure.retryAfter { members.append(("retryAfterSeconds", .integer(wait.wholeSeconds))) }
        return .object(members)
    }

    /// What the terminal can show of a text.
    func shown(_ text: String) -> String { isUTF8 ? text : ASCII.text(of: text) }

    /// Writes lent bytes to standard output; they are copied nowhere.
    func write(_ bytes: RawSpan) throws(Failure) {
        do {
            try unsafe bytes.withUnsafeBytes { buffer in try unsafe Self.write(buffer, to: STDOUT_FILENO) }
        } catch {
            throw Failure(error)
        }
    }

    /// Prints a secret by itself.
    ///
    /// - Parameters:
    ///   - isRaw: whether it is printed as it is, whatever a terminal makes of it.
    ///   - isText: whether the end of a line belongs behind it elsewhere than on a terminal too.
    /// - Throws: `.usage` where a terminal would act on a control character in it.
    func write(_ secret: RawSpan, isRaw: Bool, isText: Bool) throws(Failure) {
        guard !isRaw else { return try write(secret) }
        guard !isOnTerminal || !SecretText.hasControlCharacters(secret) else {
            throw Failure(
                .usage,
                Text("the secret has control characters", "le secret a des caractères de contrôle"),
                hint: Text(
                    "send it to a file, or add --raw: a terminal would act on them",
                    "envoyez-le dans un fichier, ou ajoutez --raw : un terminal leur obéirait"
                )
            )
        }
        try write(secret)
        if isText || isOnTerminal { try write("\n") }
    }

    /// Writes words that are no secret to standard output.
    func write(_ text: String) throws(Failure) {
        try Self.write(text, to: STDOUT_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) throws(Failure) {
        do {
            try unsafe Array(text.utf8).withUnsafeBytes { buffer in try unsafe write(buffer, to: descriptor) }
        } catch {
            throw Failure(error)
        }
    }

    private static func write(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) throws(Failure) {
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
                    Text("standard output can't be written", "sortie standard inaccessible")
                )
                // A command writes its answer last, so its work may be done.
                failure.hint = Text(
                    "the command may have done its work: look with `thumbturn status`",
                    "la commande a peut-être abouti : voyez `thumbturn status`"
                )
                throw failure
            }
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}
