import CSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// The columns of a terminal that a text takes, as the C library knows them: a sign of Chinese takes two, an accent none.
extension StringProtocol {
    /// How many columns the text takes.
    package var columns: Int { Columns.count(unicodeScalars) }
}

extension String {
    /// The text with spaces behind it, at least one.
    package func filled(to columns: Int) -> String {
        self + String(repeating: " ", count: max(1, columns - self.columns))
    }

    /// The longest beginning that takes no more columns.
    package func prefix(columns: Int) -> String { String(Columns.beginning(of: self, columns)) }

    /// The longest end that takes no more columns.
    package func suffix(columns: Int) -> String { String(Columns.beginning(of: reversed(), columns).reversed()) }
}

private enum Columns {
    /// `wcwidth` asks the locale of the process, which knows ASCII alone until another is named.
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
