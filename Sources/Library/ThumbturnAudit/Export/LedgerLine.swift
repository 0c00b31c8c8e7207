import ThumbturnJSON

/// The lines of a service's export that are not those of `AuditLine`: leaves beside their index, and checkpoints.
enum LedgerLine {
    /// The most bytes of a line, without its newline.
    static let maximumByteCount = 16_384

    private static let beforeIndex = Array("{\"index\":".utf8)
    private static let beforeEntry = Array("{\"entry\":".utf8)
    private static let behindEntry = Array(",\"index\":".utf8)

    static func isRecord(_ line: [UInt8]) -> Bool { line.starts(with: beforeIndex) }
    static func isEntry(_ line: [UInt8]) -> Bool { line.starts(with: beforeEntry) }

    /// The line of a leaf with its newline: `{"index":…,"record":…}` or `{"entry":…,"index":…}`.
    static func bytes(_ view: [UInt8], isRecord: Bool, at index: UInt64) -> [UInt8] {
        isRecord
            ? beforeIndex + Array("\(index),\"record\":".utf8) + view + Array("}\n".utf8)
            : beforeEntry + view + behindEntry + Array("\(index)}\n".utf8)
    }

    /// Takes the line of a record apart.
    static func record(_ line: [UInt8]) throws(AuditError) -> (index: UInt64, view: [UInt8]) {
        var scanner = AuditScanner(line)
        try scanner.skip("{\"index\":")
        let index = try scanner.number()
        try scanner.skip(",\"record\":")
        guard line.count > scanner.position, line.last == UInt8(ascii: "}") else { throw .malformed }
        return (index, Array(line[scanner.position..<line.count - 1]))
    }

    /// Takes the line of an entry apart.
    static func entry(_ line: [UInt8]) throws(AuditError) -> (index: UInt64, leaf: [UInt8]) {
        guard let colon = line.lastIndex(of: UInt8(ascii: ":")),
            case let end = colon + 1 - behindEntry.count, end > beforeEntry.count
        else { throw .malformed }
        var scanner = AuditScanner(line)
        try scanner.skip("{\"entry\":")
        let leaf = Array(line[scanner.position..<end])
        scanner = AuditScanner(line, from: end)
        try scanner.skip(",\"index\":")
        let index = try scanner.number()
        try scanner.skip("}")
        guard scanner.isAtEnd else { throw .malformed }
        return (index, leaf)
    }

    /// The line of a checkpoint with its newline.
    static func bytes(_ note: AuditNote) -> [UInt8] {
        let text = JSON.string(String(decoding: note.text, as: UTF8.self))
        return AuditLine.checkpoint.bytes(text.canonicalTexts())
    }

    /// Reads the line of a checkpoint strictly.
    static func checkpoint(_ line: [UInt8]) throws(AuditError) -> AuditNote {
        guard let content = AuditLine.checkpoint.content(of: line),
            case .string(let text) = try JSON(strictly: content, depthLimit: 1)
        else { throw .malformed }
        let note = try AuditNote(reading: Array(text.utf8))
        guard note.checkpoint.size <= JSON.wholeNumbers.upperBound, bytes(note).dropLast() == line[...] else {
            throw .malformed
        }
        return note
    }
}
