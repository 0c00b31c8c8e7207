package import ThumbturnRules

/// The name of an item: the vault, what it is for, and a part that is never used again.
public struct ItemName: Hashable, Sendable {
    /// What an item is for.
    package enum Purpose: String, Hashable, Sendable {
        /// Makes a copied vault useless elsewhere.
        case deviceSecret = "device-secret"
        /// The intermediate secret of a biometric slot.
        case biometric
        /// The intermediate secret of a system slot.
        case system
        /// What a credential vault keeps.
        case credential
        /// Signs for the device, to a service that knows its public half.
        case deviceKey = "device-key"
    }

    /// The name as the platform keeps it; at most 100 ASCII characters.
    public let text: String

    /// Names an item of `vault`; `unique` is random and never used again.
    package init(vault: Identifier, purpose: Purpose, unique: Identifier) {
        text = "thumbturn.\(vault.text).\(purpose.rawValue).\(unique.text)"
    }

    /// Whether the name is one of `vault` for `purpose`.
    package func belongs(to vault: Identifier, for purpose: Purpose) -> Bool {
        text.utf8.starts(with: "thumbturn.\(vault.text).\(purpose.rawValue).".utf8)
    }

    /// The vault that the name is of; nil for a name of another form.
    package var vault: Identifier? {
        guard purpose != nil else { return nil }
        return Identifier(text: text.split(separator: ".", omittingEmptySubsequences: false)[1])
    }

    /// What the item is for; nil for a name of another form.
    package var purpose: Purpose? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].utf8.count == 32, parts[3].utf8.count == 32 else { return nil }
        return Purpose(rawValue: String(parts[2]))
    }

    /// Names an item that a former app stored; nil for an empty name, one above 100 bytes of printable ASCII, or one that could
    /// be a vault's.
    package init?(former text: String) {
        guard 1...100 ~= text.utf8.count, !text.utf8.starts(with: "thumbturn.".utf8) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    /// Takes a name that the vault stored; nil when it is no name of ours.
    public init?(text: String) {
        guard text.utf8.count <= 100, text.utf8.starts(with: "thumbturn.".utf8) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }
}
