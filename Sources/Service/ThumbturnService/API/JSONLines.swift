import ThumbturnJSON

/// JSON values, one a line, each ended by a line feed.
enum JSONLines {
    /// The media type.
    static let type = "application/x-ndjson"

    /// Returns the schema of such content, for the OpenAPI document.
    ///
    /// OpenAPI 3.1 has no form of its own for lines: its readers take content of this type for text, and the schema of
    /// what is in the text describes a line.
    ///
    /// - Parameter byteCount: the maximum number of bytes; `nil` if there is none.
    static func schema(ofLine line: JSON, atMost byteCount: Int? = nil) -> JSON {
        let most = byteCount.map { [("maxLength", JSON($0))] } ?? []
        return .object(
            [
                ("type", "string"), ("description", "JSON values, one a line, each ended by a line feed."),
                ("contentMediaType", .string(type)), ("contentSchema", line),
            ] + most
        )
    }
}
