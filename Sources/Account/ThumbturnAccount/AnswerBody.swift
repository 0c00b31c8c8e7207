import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// The body of an answer: JSON whose form is checked strictly.
///
/// Unknown members are ignored, so that a newer service can tell newer clients more; known ones are checked as strictly
/// as the service checks requests. Any deviation is `.notProved`.
struct AnswerBody {
    private static let depthLimit = 8
    private let json: JSON

    /// Reads a body without secrets.
    init(_ body: borrowing SecretBytes) throws(AccountFailure) {
        try self.init(body.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) } })
    }

    fileprivate init(_ bytes: [UInt8]) throws(AccountFailure) {
        do throws(JSONError) {
            json = try JSON(reading: bytes, byteLimit: AccountTransport.mostBytes, depthLimit: Self.depthLimit)
        } catch {
            throw .notProved
        }
        guard case .object = json else { throw .notProved }
    }

    private init(_ json: JSON?) throws(AccountFailure) {
        guard let json, case .object = json else { throw .notProved }
        self.json = json
    }

    /// Returns whether there is such a member.
    func has(_ name: String) -> Bool { json[name] != nil }

    func text(_ name: String) throws(AccountFailure) -> String {
        guard case .string(let text)? = json[name] else { throw .notProved }
        return text
    }

    func number(_ name: String, in range: ClosedRange<Int64>) throws(AccountFailure) -> Int64 {
        guard case .integer(let number)? = json[name], range.contains(number) else { throw .notProved }
        return number
    }

    func object(_ name: String) throws(AccountFailure) -> AnswerBody { try AnswerBody(json[name]) }

    func objects(_ name: String) throws(AccountFailure) -> [AnswerBody] {
        guard case .array(let elements)? = json[name] else { throw .notProved }
        return try elements.map { element throws(AccountFailure) in try AnswerBody(element) }
    }

    /// Returns a member with `byteCount` bytes in lower-case hexadecimal.
    func hexadecimal(_ name: String, byteCount: Int) throws(AccountFailure) -> [UInt8] {
        let text = Array(try text(name).utf8)
        guard text.count == 2 * byteCount, text.allSatisfy(\.isLowerHexadecimal),
            let bytes = TextCode.hexadecimal.decode(text), bytes.count == byteCount
        else { throw .notProved }
        return bytes
    }

    /// Returns a member with 1 to `most` bytes in base64.
    func base64(_ name: String, most: Int) throws(AccountFailure) -> [UInt8] {
        let text = Array(try text(name).utf8)
        guard let bytes = TextCode.base64.decode(text), (1...most).contains(bytes.count) else { throw .notProved }
        return bytes
    }

    func identifier(_ name: String) throws(AccountFailure) -> Identifier {
        guard let identifier = Identifier(text: try text(name)) else { throw .notProved }
        return identifier
    }

    /// Returns a time, in milliseconds since 1970.
    func time(_ name: String) throws(AccountFailure) -> Milliseconds {
        guard let time = Milliseconds(utcText: try text(name)) else { throw .notProved }
        return time
    }

    func policyEpoch() throws(AccountFailure) -> UInt64 { UInt64(try number("policyEpoch", in: 0...(1 << 53 - 1))) }

    /// Returns the service's name, which is shown and stored: 1 to 300 characters of visible ASCII.
    func serviceName() throws(AccountFailure) -> String {
        let name = try text("origin")
        guard (1...300).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .notProved
        }
        return name
    }

    /// Returns a device's name; `nil` if it has none.
    func deviceName() throws(AccountFailure) -> DeviceName? {
        guard has("name") else { return nil }
        guard let name = DeviceName(try text("name")) else { throw .notProved }
        return name
    }

    /// Returns the account's log and its keys; `nil` if the service keeps none.
    func audit() throws(AccountFailure) -> AuditKeys? {
        guard let audit = json["audit"] else { return nil }
        do throws(AuditError) { return try AuditKeys(reading: audit) } catch { throw .notProved }
    }

    func group() throws(AccountFailure) -> SRPGroup {
        guard let group = SRPGroup(rawValue: try text("group")) else { throw .notProved }
        return group
    }

    /// Returns the cost of Argon2id within our bounds: a lower one would help an attacker guess, a higher one never
    /// end.
    func kdf() throws(AccountFailure) -> Argon2Parameters {
        let kdf = try object("kdf")
        let whole: ClosedRange<Int64> = 1...Int64(UInt32.max)
        let parameters = Argon2Parameters(
            memoryKiB: UInt32(try kdf.number("memoryKiB", in: whole)),
            passes: UInt32(try kdf.number("passes", in: whole))
        )
        guard try kdf.text("name") == "argon2id", try kdf.number("lanes", in: 1...1) == 1 else { throw .notProved }
        do throws(CryptoError) { try Argon2Limits.standard.validate(parameters) } catch { throw .notProved }
        return parameters
    }
}

/// The body of an answer with a token, and the token removed from it.
struct AnswerWithToken: ~Copyable {
    /// 64 lower-case hexadecimal digits, as sent.
    let token: SecretBytes
    /// The body without the token.
    let body: AnswerBody

    private static let byteCount = 64

    /// Removes the token before parsing, so that the JSON reader sees zeros in its place: strings and arrays are never
    /// wiped.
    ///
    /// The token's position is where every JSON reader would find the member: its quoted name followed by a colon, with
    /// no backslash before it, as a quote within a string has. There must be exactly one such position, in the
    /// outermost object and with nothing else in it, which the parsed body shows.
    init(_ body: borrowing SecretBytes) throws(AccountFailure) {
        let start = try body.withBytes { bytes throws(AccountFailure) in try Self.start(in: bytes) }
        let end = start + Self.byteCount
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: Self.byteCount)
        let rest = body.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe [UInt8](bytes[..<start]) + zeros + [UInt8](bytes[end...])
            }
        }
        let read = try AnswerBody(rest)
        guard try read.text("token").utf8.elementsEqual(zeros) else { throw .notProved }
        self.body = read
        token = body.withBytes { SecretBytes(copying: $0.extracting(start..<end)) }
    }

    private static func start(in bytes: RawSpan) throws(AccountFailure) -> Int {
        let name = Array(#""token""#.utf8)
        var found: Int?
        for index in 0..<max(0, bytes.byteCount - name.count)
        where name.indices.allSatisfy({ bytes.byte(at: index + $0) == name[$0] }) {
            guard index == 0 || bytes.byte(at: index - 1) != UInt8(ascii: "\\") else { continue }
            let colon = bytes.skippingSpace(from: index + name.count)
            guard colon < bytes.byteCount, bytes.byte(at: colon) == UInt8(ascii: ":") else { continue }
            let start = bytes.skippingSpace(from: colon + 1) + 1
            guard found == nil, start + byteCount < bytes.byteCount,
                bytes.byte(at: start - 1) == UInt8(ascii: "\""),
                (start..<start + byteCount).allSatisfy({ bytes.byte(at: $0).isLowerHexadecimal })
            else { throw .notProved }
            found = start
        }
        guard let found else { throw .notProved }
        return found
    }
}

extension RawSpan {
    /// Returns the first index from `start` on that is not JSON white space.
    fileprivate func skippingSpace(from start: Int) -> Int {
        var index = start
        while index < byteCount, [0x20, 0x09, 0x0A, 0x0D].contains(byte(at: index)) { index += 1 }
        return index
    }
}

extension UInt8 {
    fileprivate var isLowerHexadecimal: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
