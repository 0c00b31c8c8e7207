public import Foundation

/// A value of an item's attribute.
public enum Attribute: Hashable, Sendable {
    case text(String)
    case data(Data)
    case flag(Bool)
    case number(Int)
    case date(Date)
}

/// One item of a keychain.
public struct Row: Sendable {
    /// Which of a Mac's keychains it lies in; an iPhone has one.
    public enum Keychain: Sendable {
        /// The only one with access control.
        case dataProtection
        /// The older one of macOS.
        case file
    }

    /// Its attributes by Apple's short names: `svce`, `acct` and so on.
    public var attributes: [String: Attribute]
    /// Its secret.
    public var value: Data
    /// What guards it.
    public var control: Control
    /// Whether it was added with an access control, and not with an accessibility class alone.
    public var hasAccessControl: Bool
    /// Where it lies.
    public var keychain: Keychain
    var binding: Binding

    /// What makes it unique [apple-src].
    var primaryKey: [Attribute?] { ["class", "svce", "acct", "agrp", "sync", "atag"].map { attributes[$0] } }
}

/// What a call asks of the keychain, read from Apple's dictionary.
public struct Query {
    /// What happens with items that need the owner.
    public enum Interface: Sendable {
        case allow
        case skip
    }

    /// What the call looks for, or gives a new item.
    public var attributes: [String: Attribute] = [:]
    /// Whether items that go to iCloud are looked for; nil means both.
    public var synchronizable: Bool? = false
    public var value: Data?
    public var accessible: String?
    public var control: Control?
    public var context: PhoneContext?
    public var interface = Interface.allow
    public var all = false
    public var returnsData = false
    public var returnsAttributes = false
    /// `kSecUseDataProtectionKeychain`.
    public var dataProtection = false
    /// A value of a type that the system's bridging would put into a box, or a key that nobody knows.
    public var malformed: String?

    public init() {}
}
