/// A line of an export: an object with one member, whose name says what it is.
struct AuditLine: Sendable {
    static let header = AuditLine("header")
    static let device = AuditLine("device")
    static let record = AuditLine("record")
    static let head = AuditLine("head")
    static let key = AuditLine("key")
    static let upload = AuditLine("upload")
    static let checkpoint = AuditLine("checkpoint")

    /// The most bytes of a line, without its newline: the longest record and what is around it.
    static let maximumByteCount = AuditRecord.maximumByteCount + record.beginning.count + 1

    private let beginning: [UInt8]

    private init(_ name: String) { beginning = Array("{\"\(name)\":".utf8) }

    /// The line with its newline.
    func bytes(_ content: [UInt8]) -> [UInt8] { beginning + content + Array("}\n".utf8) }

    /// Whether a line, without its newline, begins as one of this name.
    func begins(_ line: [UInt8]) -> Bool { line.starts(with: beginning) }

    /// What stands in a line of this name, without its newline; nil for any other.
    func content(of line: [UInt8]) -> [UInt8]? {
        guard begins(line), line.count > beginning.count, line.last == UInt8(ascii: "}") else { return nil }
        return Array(line[beginning.count..<line.count - 1])
    }
}
