import ThumbturnRules

/// The digits of a base, such as 16 or 32.
struct Alphabet {
    private let digits: StaticString

    init(_ digits: StaticString) { self.digits = digits }

    /// Returns the digit for a value below the base.
    func digit(for value: UInt8) -> UInt8 {
        precondition(Int(value) < digits.utf8CodeUnitCount, "a digit beyond the base")
        return unsafe digits.utf8Start[Int(value)]
    }

    /// Returns the value of a digit in upper or lower case; nil when it is none.
    ///
    /// Compares with the whole alphabet each time: a search that stops early would reveal the digit by its time.
    func value(of digit: UInt8) -> UInt8? {
        var value: UInt8?
        for candidate in 0..<UInt8(digits.utf8CodeUnitCount) {
            value = self.digit(for: candidate).lowercased == digit.lowercased ? candidate : value
        }
        return value
    }
}
