import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

// Members of a known name and type. The form of a text (lower case, no bit lost) is checked by writing it again.
extension JSON {
    /// Reads one value.
    init(strictly bytes: [UInt8], depthLimit: Int) throws(AuditError) {
        do throws(JSONError) { try self.init(reading: bytes, byteLimit: bytes.count, depthLimit: depthLimit) } catch {
            throw .malformed
        }
    }

    /// The canonical form.
    ///
    /// - Throws: `.malformed` for a number above 2^53 − 1.
    func canonicalBytes() throws(AuditError) -> [UInt8] {
        do throws(JSONError.Kind) { return try canonical() } catch { throw .malformed }
    }

    /// The canonical form of members of our own, texts and numbers that were checked, which always have one.
    func canonicalTexts() -> [UInt8] {
        do throws(JSONError.Kind) { return try canonical() } catch {
            preconditionFailure("a name twice, or a number above 2^53 − 1, among members of our own")
        }
    }

    static func hexadecimal(_ bytes: [UInt8]) -> JSON {
        .string(String(decoding: TextCode.hexadecimal.encode(bytes), as: UTF8.self))
    }

    static func base64(_ bytes: [UInt8]) -> JSON {
        .string(String(decoding: TextCode.base64.encode(bytes), as: UTF8.self))
    }

    static func number(_ number: UInt64) -> JSON { .integer(Int64(clamping: number)) }

    func member(_ name: String) throws(AuditError) -> JSON {
        guard let value = self[name] else { throw .malformed }
        return value
    }

    func optional<Value>(
        _ name: String,
        _ read: (JSON, String) throws(AuditError) -> Value
    ) throws(AuditError) -> Value? {
        self[name] == nil ? nil : try read(self, name)
    }

    func text(_ name: String) throws(AuditError) -> String {
        guard case .string(let text) = self[name] else { throw .malformed }
        return text
    }

    func number(_ name: String) throws(AuditError) -> UInt64 {
        guard case .integer(let number) = self[name], let number = UInt64(exactly: number) else { throw .malformed }
        return number
    }

    /// A text that `AuditReason` accepts.
    func word(_ name: String) throws(AuditError) -> String {
        let word = try text(name)
        guard AuditReason.accepts(word) else { throw .malformed }
        return word
    }

    func identifier(_ name: String) throws(AuditError) -> Identifier {
        guard let identifier = Identifier(text: try text(name)) else { throw .malformed }
        return identifier
    }

    func time(_ name: String) throws(AuditError) -> Milliseconds {
        guard let time = Milliseconds(utcText: try text(name)) else { throw .malformed }
        return time
    }

    func digest(_ name: String) throws(AuditError) -> [UInt8] {
        guard let digest = TextCode.hexadecimal.decode(Array(try text(name).utf8)), digest.count == SHA256.byteCount
        else { throw .malformed }
        return digest
    }

    func bytes(_ name: String) throws(AuditError) -> [UInt8] {
        guard let bytes = TextCode.base64.decode(Array(try text(name).utf8)) else { throw .malformed }
        return bytes
    }
}
