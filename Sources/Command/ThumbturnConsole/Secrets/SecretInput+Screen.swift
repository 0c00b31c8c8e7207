package import ThumbturnCrypto
package import ThumbturnRules

extension SecretInput {
    /// Whether a user is at a terminal that can show a secret and wipe it again.
    package var canShow: Bool { isTerminal && output.hasScreen }

    /// Shows a secret on the terminal's alternate screen until Enter is pressed, then wipes it and returns to the main
    /// screen.
    ///
    /// The secret is in no scrollback. A signal that ends the process wipes it too, and the process can't be stopped
    /// meanwhile. Typed input is not shown.
    ///
    /// - Parameters:
    ///   - title: what the user has to know before reading it.
    ///   - secret: formatted lines, with their newlines.
    ///   - question: what Enter does.
    @discardableResult
    package func show(
        _ title: Words,
        _ secret: borrowing SecretBytes,
        until question: Words
    ) throws(Failure) -> SecretBytes? {
        guard let terminal else { throw Failure(.inputClosed) }
        Terminal.openScreen(terminal)
        defer { Terminal.closeScreen() }
        try output.write(output.wrapped(output.shown(title.in(output.language))) + "\n\n")
        try secret.withBytes { (bytes) throws(Failure) in try output.write(bytes) }
        try output.write("\n")
        return try readIfPresent(Question(label: question, limit: 1_024, tooLong: .usage))
    }
}

extension SecretText {
    /// Numbers words and arranges them in lines.
    ///
    /// - Parameters:
    ///   - text: the words, separated by single spaces.
    ///   - width: the columns of the terminal; fewer than four words per line if they do not fit.
    package static func numbered(_ text: RawSpan, width: Int) -> SecretBytes {
        // Two digits, a space and the longest word; two spaces separate cells.
        let cell = 2 + 1 + 8
        let perLine = min(4, max(1, (width + 2) / (cell + 2)))
        var count = 0
        // No word is longer than its cell.
        let buffer = unsafe SecretBytes(byteCount: (text.byteCount + 2) * (cell + 3)) { buffer in
            var (number, column) = (0, 0)
            func put(_ byte: UInt8) {
                unsafe buffer[count] = byte
                count += 1
            }
            func begin() {
                number += 1
                column = 0
                if number > 1 { put(UInt8(ascii: (number - 1) % perLine == 0 ? "\n" : " ")) }
                if number > 1, (number - 1) % perLine != 0 { put(UInt8(ascii: " ")) }
                put(number < 10 ? UInt8(ascii: " ") : UInt8(48 + number / 10))
                put(UInt8(48 + number % 10))
                put(UInt8(ascii: " "))
            }
            begin()
            for index in 0..<text.byteCount {
                let byte = text.byte(at: index)
                guard byte == UInt8(ascii: " ") else {
                    put(byte)
                    column += 1
                    continue
                }
                if number % perLine != 0 { for _ in column..<max(column, 8) { put(UInt8(ascii: " ")) } }
                begin()
            }
            put(UInt8(ascii: "\n"))
        }
        return buffer.prefix(count)
    }

    /// Breaks a secret without spaces into lines for a terminal, after a dash if it has dashes.
    package static func lines(of text: RawSpan, width: Int) -> SecretBytes {
        // Every byte may start a line.
        var count = 0
        let buffer = unsafe SecretBytes(byteCount: 2 * text.byteCount + 1) { buffer in
            var column = 0
            func put(_ byte: UInt8) {
                unsafe buffer[count] = byte
                count += 1
                column = byte == UInt8(ascii: "\n") ? 0 : column + 1
            }
            for index in 0..<text.byteCount {
                var end = index
                while end < text.byteCount, text.byte(at: end) != UInt8(ascii: "-") { end += 1 }
                let follows = end < text.byteCount ? end - index + 1 : end - index
                let isGroup = index > 0 && text.byte(at: index - 1) == UInt8(ascii: "-")
                if column > 0, column == width || (isGroup && column + follows > width) { put(UInt8(ascii: "\n")) }
                put(text.byte(at: index))
            }
            put(UInt8(ascii: "\n"))
        }
        return buffer.prefix(count)
    }

    /// Returns one of several words.
    ///
    /// - Parameters:
    ///   - number: its position, starting at 1.
    ///   - text: the words, separated by single spaces.
    package static func word(_ number: Int, of text: RawSpan) -> SecretBytes {
        var (place, start, end) = (1, 0, text.byteCount)
        for index in 0..<text.byteCount where text.byte(at: index) == UInt8(ascii: " ") {
            if place == number {
                end = index
                break
            }
            place += 1
            if place == number { start = index + 1 }
        }
        return unsafe text.withUnsafeBytes { buffer in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[start..<end]).bytes)
        }
    }

    /// Returns typed input without spaces and in lower case.
    package static func plainWord(_ typed: RawSpan) -> SecretBytes {
        var count = 0
        let buffer = unsafe SecretBytes(byteCount: max(1, typed.byteCount)) { buffer in
            for index in 0..<typed.byteCount {
                let byte = typed.byte(at: index)
                guard byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") else { continue }
                unsafe buffer[count] = 65...90 ~= byte ? byte + 32 : byte
                count += 1
            }
        }
        return buffer.prefix(count)
    }
}
