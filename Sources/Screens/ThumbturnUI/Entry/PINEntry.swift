#if canImport(Combine)
public import Combine
#endif
import ThumbturnCrypto

/// The digits of a PIN during entry, in locked memory that is wiped with every change.
///
/// Only the number of digits is shown. No digit is ever in a `String`, and the digits can't be read back: `take` moves
/// them out and leaves nothing.
@MainActor public final class PINEntry {
    /// Further digits are ignored.
    public nonisolated static let mostDigits = 32

    /// The number of digits.
    #if canImport(Combine)
    @Published
    #endif
    public private(set) var count = 0
    private var digits = PINEntry.nothing

    /// Creates an empty entry.
    public init() {}

    /// Appends a digit from 0 to 9; any other value is a bug of the caller.
    public func append(_ digit: UInt8) {
        precondition(digit <= 9, "a key that is no digit")
        guard count < Self.mostDigits else { return }
        let key = unsafe SecretBytes(byteCount: 1) { unsafe $0[0] = 0x30 + digit }
        digits = .concatenating(digits, key)
        count += 1
    }

    /// Removes the last digit.
    public func removeLast() {
        guard count > 0 else { return }
        count -= 1
        digits = digits.copy().prefix(count)
    }

    /// Wipes all digits.
    public func clear() {
        guard count > 0 else { return }
        digits = Self.nothing
        count = 0
    }

    /// Returns the digits as the UTF-8 that a vault expects, and clears the entry.
    public func take() -> SecretBytes {
        let taken = digits.copy()
        clear()
        return taken
    }

    private static var nothing: SecretBytes { unsafe SecretBytes(byteCount: 0) { _ in } }
}

#if canImport(Combine)
extension PINEntry: ObservableObject {}
#endif
