public import Foundation
import StandIn

/// Adds an item.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let query = Query(attributes)
    let (status, row) = Phone.current.add(query)
    if status == errSecSuccess, let row, let result = unsafe result {
        unsafe result.pointee = answer(to: query, [row])
    }
    return status
}

/// Reads items; it blocks as long as the system's prompt is up.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let query = Query(query)
    let (status, rows) = Phone.current.copy(query)
    if status == errSecSuccess, let result = unsafe result {
        unsafe result.pointee = answer(to: query, rows)
    }
    return status
}

/// Changes items.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Phone.current.update(Query(query), to: Query(attributesToUpdate))
}

/// Deletes items.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Phone.current.delete(Query(query))
}

/// Puts rows into the shape that the query asked for.
private func answer(to query: Query, _ rows: [Row]) -> CFTypeRef? {
    guard query.returnsData || query.returnsAttributes else { return nil }
    if query.returnsAttributes {
        let all = rows.map { dictionary(of: $0, withData: query.returnsData) }
        return query.all ? all as NSArray : all.first.map { $0 as NSDictionary }
    }
    return query.all ? rows.map(\.value) as NSArray : rows.first.map { $0.value as NSData }
}

private func dictionary(of row: Row, withData: Bool) -> [String: Any] {
    var result: [String: Any] = [:]
    for (name, value) in row.attributes {
        switch value {
        case .text(let text): result[name] = text
        case .data(let data): result[name] = data
        case .flag(let flag): result[name] = flag
        case .number(let number): result[name] = number
        case .date(let date): result[name] = date
        }
    }
    result[kSecAttrAccessible as String] = row.control.protection.rawValue
    // The data-protection keychain gives every item an access control, if only of its class [apple-src].
    if row.keychain == .dataProtection { result[kSecAttrAccessControl as String] = SecAccessControl(row.control) }
    if withData { result[kSecValueData as String] = row.value }
    return result
}

extension Query {
    /// Reads a dictionary as the keychain does.
    init(_ dictionary: CFDictionary) {
        self.init()
        guard let values = dictionary as? [String: Any] else {
            malformed = "a key that is no text"
            return
        }
        for (name, value) in values { take(name, value) }
    }

    private mutating func take(_ name: String, _ value: Any) {
        switch (name, value) {
        case ("r_Data", let flag as Bool): returnsData = flag
        case ("r_Attributes", let flag as Bool): returnsAttributes = flag
        case ("m_Limit", let limit as String): all = limit == "m_LimitAll"
        case ("m_Limit", let limit as Int): all = limit > 1
        case ("nleg", let flag as Bool): dataProtection = flag
        case ("u_AuthCtx", let carrier as any ContextCarrier): context = carrier.phoneContext
        case ("u_AuthUI", "u_AuthUIS" as String): interface = .skip
        case ("accc", let control as SecAccessControl): self.control = control.control
        case ("pdmn", let text as String): accessible = text
        // A copy: what an app lends may be memory of its own, which it wipes after the call.
        case ("v_Data", let data as Data): self.value = Data([UInt8](data))
        case ("sync", "syna" as String): synchronizable = nil
        case ("sync", let flag as Bool): synchronizable = flag
        case ("r_Data", _), ("r_Attributes", _), ("m_Limit", _), ("nleg", _), ("u_AuthCtx", _), ("u_AuthUI", _),
            ("accc", _), ("pdmn", _), ("v_Data", _), ("sync", _):
            malformed = "\(name) is a \(type(of: value))"
        case ("class", let text as String), ("svce", let text as String), ("acct", let text as String),
            ("agrp", let text as String), ("labl", let text as String), ("desc", let text as String),
            ("icmt", let text as String):
            attributes[name] = .text(text)
        case ("gena", let data as Data), ("atag", let data as Data): attributes[name] = .data(data)
        default: malformed = "\(name) is unknown, or a \(type(of: value))"
        }
    }
}
