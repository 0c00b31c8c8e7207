/// The header fields of a request: names in lower case, values without surrounding space.
///
/// They are in one array of bytes, which is finally overwritten because an `Authorization` may be among them.
package struct HTTPHeaders: Sendable {
    /// The ranges of a name and a value in `bytes`.
    struct Field: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    private let storage: WipedBytes
    private let fields: [Field]

    /// Takes ownership of bytes in which the names are in lower case.
    init(bytes: consuming [UInt8], fields: [Field]) {
        storage = WipedBytes(bytes)
        self.fields = fields
    }

    /// Creates header fields from a list.
    package init(_ list: [(name: String, value: String)]) {
        var bytes: [UInt8] = []
        var fields: [Field] = []
        for field in list {
            let start = bytes.count
            bytes += field.name.lowercased().utf8
            let middle = bytes.count
            bytes += field.value.utf8
            fields.append(Field(name: start..<middle, value: middle..<bytes.count))
        }
        self.init(bytes: bytes, fields: fields)
    }

    /// The value of a field; several fields of the same name are joined with commas in order (RFC 9110 §5.3).
    ///
    /// - Parameter name: in lower case.
    package subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Returns the values of all fields with this name, in order.
    ///
    /// - Parameter name: in lower case.
    package func values(of name: String) -> [String] {
        let bytes = storage.bytes
        return fields.filter { bytes[$0.name].elementsEqual(name.utf8) }
            .map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }
}
