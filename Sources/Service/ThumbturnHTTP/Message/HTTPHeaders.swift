/// The header fields of a request; names in lower case, values as they came without the space around them.
///
/// They lie in one array of bytes, which is overwritten in the end: an `Authorization` may be among them.
package struct HTTPHeaders: Sendable {
    /// Where in `bytes` a name and a value stand.
    struct Field: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    private let storage: WipedBytes
    private let fields: [Field]

    /// Takes over bytes in which the names are in lower case.
    init(bytes: consuming [UInt8], fields: [Field]) {
        storage = WipedBytes(bytes)
        self.fields = fields
    }

    /// Puts header fields together.
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

    /// The value of a field; of one that came several times the values in order, with commas between (RFC 9110 §5.3).
    ///
    /// - Parameter name: in lower case.
    package subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The values of all fields of this name, in order.
    ///
    /// - Parameter name: in lower case.
    package func values(of name: String) -> [String] {
        let bytes = storage.bytes
        return fields.filter { bytes[$0.name].elementsEqual(name.utf8) }
            .map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }
}
