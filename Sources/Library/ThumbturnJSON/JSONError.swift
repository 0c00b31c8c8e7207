/// Why bytes are not valid JSON here: the error and its offset, never the input.
package struct JSONError: Error, Hashable {
    /// What is wrong.
    package enum Kind: Error, Hashable, CaseIterable {
        /// There are more bytes than the caller allows.
        case tooLong
        /// Arrays and objects are nested deeper than the caller allows.
        case tooDeep
        /// A byte order mark, which RFC 8259 §8.1 forbids to write.
        case byteOrderMark
        /// The bytes end within a value, or before one.
        case endsEarly
        /// There is another byte where a value, a name or a separator is expected.
        case unexpectedByte
        /// There are bytes after the value.
        case trailingBytes
        /// A string is not UTF-8 (RFC 3629): cut short, overlong, a surrogate, or beyond U+10FFFF.
        case notUTF8
        /// A control character is unescaped in a string.
        case controlCharacter
        /// A backslash is followed by none of RFC 8259's escapes.
        case unknownEscape
        /// An escape is half of a surrogate pair.
        case loneSurrogate
        /// An object has two members with the same name.
        case duplicateName
        /// A number has a fraction or an exponent.
        case notWhole
        /// A number is minus zero.
        case minusZero
        /// A number has a leading zero.
        case leadingZero
        /// A number is outside ±(2^53 − 1).
        case outOfRange
    }

    /// What is wrong.
    package let kind: Kind
    /// The offset in bytes from the start.
    package let offset: Int
}
