import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// The body of an answer: JSON of which nothing is believed that is not of its form.
///
/// A member that we don't know is passed over, so that a newer service may say more to newer clients; one that we know is read
/// as strictly as the service reads what it gets. Whatever is not as it should be is `.notProved`.
struct AnswerBody {
    private static let depthLimit = 8
    private let json: JSON

    /// Reads a body in which no secret is.
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

    /// Whether there is such a member.
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

    /// So many bytes in lower-case hexadecimal digits.
    func hexadecimal(_ name: String, byteCount: Int) throws(AccountFailure) -> [UInt8] {
        let text = Array(try text(name).utf8)
        guard text.count == 2 * byteCount, text.allSatisfy(\.isLowerHexadecimal),
            let bytes = TextCode.hexadecimal.decode(text), bytes.count == byteCount
        else { throw .notProved }
        return bytes
    }

    /// 1 to so many bytes in base64.
    func base64(_ name: String, most: Int) throws(AccountFailure) -> [UInt8] {
        let text = Array(try text(name).utf8)
        guard let bytes = TextCode.base64.decode(text), (1...most).contains(bytes.count) else { throw .notProved }
        return bytes
    }

    func identifier(_ name: String) throws(AccountFailure) -> Identifier {
        guard let identifier = Identifier(text: try text(name)) else { throw .notProved }
        return identifier
    }

    /// An instant, in milliseconds since 1970.
    func time(_ name: String) throws(AccountFailure) -> Milliseconds {
        guard let time = Milliseconds(utcText: try text(name)) else { throw .notProved }
        return time
    }

    func policyEpoch() throws(AccountFailure) -> UInt64 {
        UInt64(try number("policyEpoch", in: 0...(1 << 53 - 1)))
    }

    /// The service's name, which is shown and stored: 1 to 300 characters of visible ASCII.
    func serviceName() throws(AccountFailure) -> String {
        let name = try text("origin")
        guard (1...300).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .notProved
        }
        return name
    }

    /// What a device is called; nil where it has no name.
    func deviceName() throws(AccountFailure) -> DeviceName? {
        guard has("name") else { return nil }
        guard let name = DeviceName(try text("name")) else { throw .notProved }
        return name
    }

    func group() throws(AccountFailure) -> SRPGroup {
        guard let group = SRPGroup(rawValue: try text("group")) else { throw .notProved }
        return group
    }

    /// The cost of Argon2id, within our bounds: a lower one would help who guesses, a higher one never end.
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

/// The body of an answer that holds a token, and the token taken out of it.
struct AnswerWithToken: ~Copyable {
    /// 64 lower-case hexadecimal digits, as they are sent.
    let token: SecretBytes
    /// The rest.
    let body: AnswerBody

    private static let byteCount = 64

    /// Takes the token out where the body lies, so that what reads JSON sees zeros in its place: texts and arrays are never
    /// wiped.
    ///
    /// The place is what any reader takes for the member: the name in quotes with a colon behind it, and no backslash before
    /// it, as a quote within a string has. There must be one such place, and it must be the outermost object's and hold no
    /// more, which shows in what is read.
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
    /// The first place from here on that is no white space of JSON.
    fileprivate func skippingSpace(from start: Int) -> Int {
        var index = start
        while index < byteCount, [0x20, 0x09, 0x0A, 0x0D].contains(byte(at: index)) { index += 1 }
        return index
    }
}

extension UInt8 {
    fileprivate var isLowerHexadecimal: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
