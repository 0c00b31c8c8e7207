package import ThumbturnRules

/// The name of an item: its vault, its purpose, and a part that is never used again.
public struct ItemName: Hashable, Sendable {
    /// The purpose of an item.
    package enum Purpose: String, Hashable, Sendable {
        /// Makes a copied vault useless elsewhere.
        case deviceSecret = "device-secret"
        /// The intermediate secret of a biometric slot.
        case biometric
        /// The intermediate secret of a system slot.
        case system
        /// The secrets of a credential vault.
        case credential
        /// Signs for the device, to a service that knows the public half.
        case deviceKey = "device-key"
        /// Seals the device's trail.
        case trail
    }

    /// The name as the platform stores it; at most 100 ASCII characters.
    public let text: String

    /// Creates a name for an item of `vault`; `unique` is random and never used again.
    package init(vault: Identifier, purpose: Purpose, unique: Identifier) {
        text = "thumbturn.\(vault.text).\(purpose.rawValue).\(unique.text)"
    }

    /// Whether the name belongs to `vault` and has this purpose.
    package func belongs(to vault: Identifier, for purpose: Purpose) -> Bool {
        text.utf8.starts(with: "thumbturn.\(vault.text).\(purpose.rawValue).".utf8)
    }

    /// The vault in the name; nil for a name of another form.
    package var vault: Identifier? {
        guard purpose != nil else { return nil }
        return Identifier(text: text.split(separator: ".", omittingEmptySubsequences: false)[1])
    }

    /// The purpose in the name; nil for a name of another form.
    package var purpose: Purpose? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].utf8.count == 32, parts[3].utf8.count == 32 else { return nil }
        return Purpose(rawValue: String(parts[2]))
    }

    /// Creates the name of an item that an earlier app stored; nil if it is empty, is longer than 100 bytes, is not
    /// printable ASCII, or could be a vault's.
    package init?(former text: String) {
        guard 1...100 ~= text.utf8.count, !text.utf8.starts(with: "thumbturn.".utf8) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    /// Creates a name from the text that the vault stored; nil when it is not one of ours.
    public init?(text: String) {
        guard text.utf8.count <= 100, text.utf8.starts(with: "thumbturn.".utf8) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }
}
