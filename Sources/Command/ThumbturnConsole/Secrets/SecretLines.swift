import ThumbturnCrypto
import ThumbturnRules

/// The lines after a command's answers, read one by one until the input ends.
///
/// A descriptor is read in blocks of the bytes available, into memory that is locked and wiped; no other code may then
/// read from it. On a terminal each line is asked for.
package final class SecretLines {
    private let secrets: SecretInput
    private let question: Question
    private var buffer: SecretBuffer
    /// The number of bytes of the line in the buffer, without and with its newline.
    private var (lineByteCount, takenByteCount) = (0, 0)

    /// Reads all remaining input.
    ///
    /// - Parameter question: the question that each line answers.
    package init(of secrets: SecretInput, _ question: Question) {
        (self.secrets, self.question) = (secrets, question)
        // One extra byte detects a line that is too long, another is for a carriage return.
        buffer = SecretBuffer(byteCount: question.limit + 2)
    }

    /// Advances to the next line.
    ///
    /// - Returns: false at the end of input.
    /// - Throws: the question's code for a line that is too long.
    package func next() throws(Failure) -> Bool {
        buffer.removeFirst(takenByteCount)
        (lineByteCount, takenByteCount) = (0, 0)
        guard !secrets.isTyped else { return try askForNext() }
        guard let descriptor = try secrets.descriptorOfMoreLines() else { return false }
        var searched = 0
        while true {
            if let end = buffer.withBytes({ $0.index(of: UInt8(ascii: "\n"), from: searched) }) {
                try take(end, withEnd: end + 1)
                return true
            }
            searched = buffer.byteCount
            guard buffer.room > 0 else { throw question.refusalOfLength }
            let count = try unsafe buffer.fill { (room) throws(Failure) in
                try unsafe SecretInput.readSome(of: descriptor, into: room)
            }
            guard count > 0 else {
                // The last line may lack a newline.
                try take(searched, withEnd: searched)
                return lineByteCount > 0
            }
        }
    }

    /// Passes the line, without its newline, to `body`.
    package func withLine<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try buffer.withBytes { (bytes) throws(E) in try body(bytes.extracting(0..<lineByteCount)) }
    }

    private func askForNext() throws(Failure) -> Bool {
        guard let typed = try secrets.readOwnIfPresent(question, keepingTypedAhead: true) else { return false }
        typed.withBytes { buffer.append($0) }
        (lineByteCount, takenByteCount) = (typed.byteCount, typed.byteCount)
        return true
    }

    private func take(_ count: Int, withEnd takenCount: Int) throws(Failure) {
        let endsInReturn = count > 0 && buffer.withBytes { $0.byte(at: count - 1) } == UInt8(ascii: "\r")
        (lineByteCount, takenByteCount) = (endsInReturn ? count - 1 : count, takenCount)
        guard lineByteCount <= question.limit else { throw question.refusalOfLength }
    }
}

extension Question {
    var refusalOfLength: Failure { Failure(tooLong, Words("too long", "trop long")) }
}

extension RawSpan {
    /// Returns the index of the first such byte from `start` on.
    fileprivate func index(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < byteCount, self.byte(at: index) != byte { index += 1 }
        return index < byteCount ? index : nil
    }
}
