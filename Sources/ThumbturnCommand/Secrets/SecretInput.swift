import Thumbturn

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A line that was read before it is known who needs it.
final class Line: Sendable {
    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) {
        self.secret = secret
    }
}

/// Where a command's secrets come from: the terminal without echo, or `--secret-fd N`, a line each.
///
/// Bytes go from `read` into a `SecretBytes` and nowhere else, and never further than the end of the line, so that what
/// follows is still there for whoever shares the descriptor.
struct SecretInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Int32
    private let output: Output

    /// Takes `--secret-fd`, else a terminal on standard input; else there are no secrets to be read.
    ///
    /// This comes before anything is opened: a descriptor that is closed now could be the vault's file later.
    init(descriptor: Int32?, output: Output) throws(Failure) {
        self.output = output
        if let descriptor {
            guard fcntl(descriptor, F_GETFD) != -1 else {
                throw Failure(
                    .inputClosed,
                    Text("--secret-fd \(descriptor) is not open", "--secret-fd \(descriptor) fermé")
                )
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            self.descriptor = descriptor
            isTerminal = isatty(descriptor) == 1
        } else {
            self.descriptor = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1
            isTerminal = self.descriptor >= 0
        }
    }

    /// Reads one line.
    ///
    /// - Returns: the line without its end.
    /// - Throws: `.inputClosed` when there is none, and the question's code for one that is too long.
    func read(_ question: Question) throws(Failure) -> SecretBytes {
        guard let line = try readIfPresent(question) else { throw Failure(.inputClosed) }
        return line
    }

    /// Reads one line; nil at the end of the input.
    func readIfPresent(_ question: Question) throws(Failure) -> SecretBytes? {
        guard descriptor >= 0 else { return nil }
        guard isTerminal else { return try readLine(question) }
        output.ask(question.label)
        guard question.isHidden else { return try readLine(question) }
        defer { output.endLine() }
        let echo = Echo(turningOffOn: descriptor)
        defer { echo.restore() }
        return try readLine(question)
    }

    /// Waits until a line is entered on the terminal; what is typed is not shown, and forgotten.
    ///
    /// - Returns: false when the task was cancelled first.
    func lineIsEntered() async -> Bool {
        let echo = Echo(turningOffOn: descriptor)
        defer { echo.restore() }
        while !Task.isCancelled {
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&event, 1, 0) > 0 {
                // What follows the line may be the PIN already; what is left of one that is too long is not.
                do { _ = try readLine(.pin) } catch { _ = tcflush(descriptor, TCIFLUSH) }
                return true
            }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
        // The shell behind us would show half a PIN.
        _ = tcflush(descriptor, TCIFLUSH)
        return false
    }

    /// Forgets what was typed or pasted and nobody has read: the shell behind us would show it, run it, and remember it (A52).
    func forgetTheRest() {
        if isTerminal { _ = tcflush(descriptor, TCIFLUSH) }
    }

    /// Runs `body` while nothing that is typed shows: after a finger's prompt a PIN may come before it is asked for.
    func withoutEcho<R>(_ body: () async throws -> R) async throws -> R {
        guard isTerminal else { return try await body() }
        let echo = Echo(turningOffOn: descriptor)
        defer { echo.restore() }
        return try await body()
    }

    /// Reads a new PIN or password: on a terminal twice, and refused where it is weak, before anything is written.
    func readNewPIN(under assurance: Assurance) throws(Failure) -> SecretBytes {
        let secret = try read(.newPIN)
        if let weakness = secret.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
            throw Failure(weakness)
        }
        guard isTerminal else { return secret }
        let again = try read(.newPINAgain)
        guard SecretBytes.constantTimeEqual(secret, again) else { throw Failure(.confirmationDiffers) }
        return secret
    }

    /// Reads what is typed to confirm, which is no secret.
    func readText(_ question: Question) throws(Failure) -> String {
        try read(question).withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    private func readLine(_ question: Question) throws(Failure) -> SecretBytes? {
        var count = 0
        var hasEnded = false
        // One more byte shows that the line is too long, and one is for a carriage return.
        let buffer = try unsafe SecretBytes(byteCount: question.limit + 2) { buffer throws(Failure) in
            while count < buffer.count {
                guard try unsafe readByte(into: buffer.baseAddress.map { unsafe $0 + count }) else {
                    hasEnded = true
                    break
                }
                if unsafe buffer[count] == UInt8(ascii: "\n") { break }
                count += 1
            }
            if count > 0, unsafe buffer[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        if hasEnded, count == 0 { return nil }
        guard count <= question.limit else { throw Failure(question.tooLong, Text("too long", "trop long")) }
        let line = buffer.prefix(count)
        // No PIN holds a tab, but a wallet's line of a bulk import does: tried as the PIN it would count.
        guard !question.isWithoutTab || line.withBytes({ BulkLines.tab(in: $0) }) == nil else {
            throw Failure(
                .secretMalformed,
                Text("a tab", "une tabulation"),
                hint: Text(
                    "the line of the PIN or password comes first; it may be empty where a finger or the system opens",
                    "la ligne du code vient d'abord ; elle peut être vide si un doigt ou le système ouvre"
                )
            )
        }
        return line
    }

    /// - Returns: false at the end of the input.
    private func readByte(into address: UnsafeMutableRawPointer?) throws(Failure) -> Bool {
        while true {
            #if canImport(Glibc)
            let count = unsafe Glibc.read(descriptor, address, 1)
            #else
            let count = unsafe Darwin.read(descriptor, address, 1)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw Failure(.inputClosed, Text("it can't be read", "lecture impossible"))
            }
            return count == 1
        }
    }
}
