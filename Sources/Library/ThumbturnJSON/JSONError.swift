/// Why bytes are no JSON that we take: what is wrong, and where; never what stood there.
package struct JSONError: Error, Hashable {
    /// What is wrong.
    package enum Kind: Error, Hashable, CaseIterable {
        /// There are more bytes than the caller takes.
        case tooLong
        /// Arrays and objects lie deeper in one another than the caller takes.
        case tooDeep
        /// A byte order mark, which RFC 8259 §8.1 forbids to write.
        case byteOrderMark
        /// The bytes end within a value, or before one.
        case endsEarly
        /// Something else stands where a value, a name or a mark between them must.
        case unexpectedByte
        /// Something stands behind the value.
        case trailingBytes
        /// A string is not UTF-8 (RFC 3629): cut short, overlong, a surrogate, or beyond U+10FFFF.
        case notUTF8
        /// A control character stands for itself in a string.
        case controlCharacter
        /// What follows a backslash is none of RFC 8259's escapes.
        case unknownEscape
        /// Half of a surrogate pair is written by its number.
        case loneSurrogate
        /// An object has two members of one name.
        case duplicateName
        /// A number has a fraction or an exponent.
        case notWhole
        /// A number is minus zero.
        case minusZero
        /// A number begins with a zero that says nothing.
        case leadingZero
        /// A number lies beyond ±(2^53 − 1).
        case outOfRange
    }

    /// What is wrong.
    package let kind: Kind
    /// Where, in bytes from the beginning.
    package let offset: Int
}
