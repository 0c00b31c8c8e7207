extension HTTPRequest {
    /// The names and values of the query, decoded, in order; none if there is no query.
    ///
    /// A value is `nil` where readers differ: without an equals sign, with a plus sign, which some read as a space, or
    /// with bytes that are not UTF-8. A name that is not UTF-8 has replacement characters.
    package var queryItems: [(name: String, value: String?)] {
        guard let query, !query.isEmpty else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: parts[0].percentDecoded, as: UTF8.self)
            guard parts.count == 2, !parts[1].contains(UInt8(ascii: "+")) else { return (name, nil) }
            return (name, String(validating: parts[1].percentDecoded, as: UTF8.self))
        }
    }
}
