import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnScreenJSON

/// Why the content of a request can't be acted on; it never has the content.
enum BodyError: Error, Hashable {
    /// It is not JSON.
    case notJSON
    /// The line of an action does not end.
    case lineOpen
    /// A member is missing, unknown, or has a value that it can't have.
    case member
    /// It is no action.
    case action(ScreenActionError)
    /// The action needs a secret behind its line.
    case secretMissing
    /// There is something behind the line of an action that takes no secret.
    case secretUnexpected
    /// The secret is too long.
    case secretTooLong
    /// It is none of the words of `simulate`.
    case word
    /// Too many PINs.
    case tooMany

    var code: String {
        switch self {
        case .notJSON: "NOT_JSON"
        case .lineOpen: "LINE_OPEN"
        case .member: "MEMBER_WRONG"
        case .action(let error): error.code
        case .secretMissing: "SECRET_MISSING"
        case .secretUnexpected: "SECRET_UNEXPECTED"
        case .secretTooLong: "SECRET_TOO_LONG"
        case .word: "UNKNOWN_WORD"
        case .tooMany: "TOO_MANY"
        }
    }

    var detail: String {
        switch self {
        case .notJSON: "the content is not JSON"
        case .lineOpen: "an action is a line of JSON with its end"
        case .member: "a member is missing, unknown, or has a value that it can't have"
        case .action(let error): error.detail
        case .secretMissing: "the secret has to stand behind the line"
        case .secretUnexpected: "nothing may stand behind the line of this action"
        case .secretTooLong: "a secret has \(SecretPipe.maximumByteCount) bytes at most"
        case .word: "it is no word of `thumbturn simulate`"
        case .tooMany: "there may be \(Thief.mostTries) PINs at most"
        }
    }
}

/// Reads the content of requests, strictly.
enum Body {
    static func refused(_ error: BodyError) -> HTTPResponse { .problem(400, error.code, error.detail) }

    /// Reads `{"act":{…}}`, a line end, and the secret.
    static func action(_ body: [UInt8]) throws(BodyError) -> (PhoneAction, HeldSecret?) {
        let (line, secret) = try split(body)
        guard case .object(let members) = line, members.count == 1, members[0].0 == "act" else { throw .member }
        let action: PhoneAction
        do throws(ScreenActionError) { action = try PhoneAction(members[0].1) } catch { throw .action(error) }
        guard action.takesSecret else {
            guard secret.isEmpty else { throw .secretUnexpected }
            return (action, nil)
        }
        guard !secret.isEmpty else { throw .secretMissing }
        return (action, try held(secret))
    }

    /// Reads an object with one text.
    static func text(_ name: String, in body: [UInt8]) throws(BodyError) -> String {
        guard let text = try optionalText(name, in: body) else { throw .member }
        return text
    }

    /// Reads an object with one text, or with nothing.
    static func optionalText(_ name: String, in body: [UInt8]) throws(BodyError) -> String? {
        guard case .object(let members) = try json(body) else { throw .member }
        guard let member = members.first else { return nil }
        guard members.count == 1, member.0 == name, case .string(let text) = member.1 else { throw .member }
        return text
    }

    /// Reads an object with one yes or no, or with nothing; or nothing at all.
    ///
    /// - Parameter names: what may be said yes to.
    /// - Returns: what was.
    static func choice(_ names: String..., in body: [UInt8]) throws(BodyError) -> String? {
        guard !body.isEmpty else { return nil }
        guard case .object(let members) = try json(body) else { throw .member }
        guard let member = members.first else { return nil }
        guard members.count == 1, names.contains(member.0), case .bool(let value) = member.1 else { throw .member }
        return value ? member.0 : nil
    }

    /// Reads `{"secret":"taken"}`, a line end, and PINs with line ends between.
    static func pins(_ body: [UInt8]) throws(BodyError) -> HeldSecret {
        let (line, pins) = try split(body)
        guard case .object(let members) = line, members.count == 1, members[0].0 == "secret",
            case .string("taken") = members[0].1
        else { throw .member }
        guard !pins.isEmpty else { throw .secretMissing }
        guard pins.split(separator: UInt8(ascii: "\n")).count <= Thief.mostTries else { throw .tooMany }
        return try held(pins)
    }

    /// Splits a content into its line of JSON, and what stands behind it.
    private static func split(_ body: [UInt8]) throws(BodyError) -> (line: JSON, rest: ArraySlice<UInt8>) {
        guard let end = body.firstIndex(of: UInt8(ascii: "\n")) else { throw .lineOpen }
        return (try json(Array(body[..<end])), body[(end + 1)...])
    }

    private static func json(_ bytes: [UInt8]) throws(BodyError) -> JSON {
        do throws(JSONError) { return try JSON(reading: bytes, byteLimit: 1 << 20, depthLimit: 4) } catch {
            throw .notJSON
        }
    }

    private static func held(_ bytes: ArraySlice<UInt8>) throws(BodyError) -> HeldSecret {
        guard bytes.count <= SecretPipe.maximumByteCount else { throw .secretTooLong }
        return unsafe bytes.withUnsafeBytes { buffer in HeldSecret(SecretBytes(copying: unsafe buffer.bytes)) }
    }
}
