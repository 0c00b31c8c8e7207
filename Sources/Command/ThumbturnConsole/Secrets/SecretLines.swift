import ThumbturnCrypto
import ThumbturnRules

/// The lines behind a command's answers, one after the other until the input ends.
///
/// A descriptor is read in blocks, each as long as what has come by then, into memory that is locked and wiped: nobody else may read
/// from it any more. On a terminal each line is asked for.
package final class SecretLines {
    private let secrets: SecretInput
    private let question: Question
    private var buffer: SecretBuffer
    /// How many bytes of the buffer are the line, and how many are the line with its end.
    private var (lineByteCount, takenByteCount) = (0, 0)

    /// Takes all that is still to come.
    ///
    /// - Parameter question: what each line answers.
    package init(of secrets: SecretInput, _ question: Question) {
        (self.secrets, self.question) = (secrets, question)
        // One more byte shows that a line is too long, and one is for a carriage return.
        buffer = SecretBuffer(byteCount: question.limit + 2)
    }

    /// Goes on to the next line.
    ///
    /// - Returns: false at the end of the input.
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
                // The last line may have no end.
                try take(searched, withEnd: searched)
                return lineByteCount > 0
            }
        }
    }

    /// Lends the line, without its end.
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
    /// What an answer ends with that is too long.
    var refusalOfLength: Failure { Failure(tooLong, Words("too long", "trop long")) }
}

extension RawSpan {
    fileprivate func byte(at index: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self) }

    /// Where a byte stands first, from a place on.
    fileprivate func index(of byte: UInt8, from start: Int) -> Int? {
        var index = start
        while index < byteCount, self.byte(at: index) != byte { index += 1 }
        return index < byteCount ? index : nil
    }
}
