#if canImport(Combine)
public import Combine
#endif
import ThumbturnCrypto

/// The digits of a PIN while it is typed, in locked memory that is wiped with every change.
///
/// What is shown of it is a number of dots. No digit is ever in a `String`, and nobody can read them back: `take` hands
/// them over and leaves nothing.
@MainActor public final class PINEntry {
    /// More digits than this are not taken.
    public static let mostDigits = 32

    /// How many digits there are.
    #if canImport(Combine)
    @Published
    #endif
    public private(set) var count = 0
    private var digits = PINEntry.nothing

    /// Makes an empty entry.
    public init() {}

    /// Adds a digit from 0 to 9; anything else is a bug of the caller.
    public func append(_ digit: UInt8) {
        precondition(digit <= 9, "a key that is no digit")
        guard count < Self.mostDigits else { return }
        let key = unsafe SecretBytes(byteCount: 1) { unsafe $0[0] = 0x30 + digit }
        digits = .concatenating(digits, key)
        count += 1
    }

    /// Takes the last digit back.
    public func removeLast() {
        guard count > 0 else { return }
        count -= 1
        digits = digits.copy().prefix(count)
    }

    /// Wipes everything.
    public func clear() {
        guard count > 0 else { return }
        digits = Self.nothing
        count = 0
    }

    /// Hands the digits over, as the UTF-8 that a vault takes, and starts again.
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
