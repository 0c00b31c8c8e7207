import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Measures text in terminal columns, as the C library does: a Chinese character takes two, a combining accent none.
extension StringProtocol {
    /// The number of columns that the text takes.
    package var columns: Int {
        let text = String(self)
        // What is printable in ASCII needs no look at the locale's tables.
        return text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? text.utf8.count : Columns.count(text.unicodeScalars)
    }
}

extension String {
    /// Returns the text padded with spaces, at least one.
    package func filled(to columns: Int) -> String {
        self + String(repeating: " ", count: max(1, columns - self.columns))
    }

    /// Returns the longest prefix that fits into this many columns.
    package func prefix(columns: Int) -> String { String(Columns.beginning(of: self, columns)) }

    /// Returns the longest suffix that fits into this many columns.
    package func suffix(columns: Int) -> String { String(Columns.beginning(of: reversed(), columns).reversed()) }
}

private enum Columns {
    /// `wcwidth` uses the process's locale, which by default only knows ASCII.
    private static let knowsUnicode =
        unsafe setlocale(LC_CTYPE, "C.UTF-8") != nil || setlocale(LC_CTYPE, "UTF-8") != nil

    static func count(_ scalars: some Sequence<Unicode.Scalar>) -> Int {
        scalars.reduce(0) { $0 + (knowsUnicode ? max(0, Int(wcwidth(wchar_t($1.value)))) : 1) }
    }

    static func beginning(of text: some Sequence<Character>, _ columns: Int) -> [Character] {
        var room = columns
        return text.prefix { character in
            room -= count(character.unicodeScalars)
            return room >= 0
        }
    }
}
