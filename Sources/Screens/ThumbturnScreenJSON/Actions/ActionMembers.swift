package import ThumbturnJSON
import ThumbturnRules

/// The members of an action while it is read: each is taken once, and none may be left.
package struct ActionMembers {
    /// The most bytes of a text.
    package static let maximumTextLength = 1_024

    private var left: [(String, JSON)]

    package init(_ json: JSON) throws(ScreenActionError) {
        guard case .object(let members) = json else { throw .notObject }
        left = members
    }

    /// Takes a text that is not secret.
    package mutating func text(_ name: String) throws(ScreenActionError) -> String {
        guard case .string(let text) = try take(name), text.utf8.count <= Self.maximumTextLength else {
            throw .memberWrong
        }
        return text
    }

    /// Takes the id of a wallet: 32 lower-case hexadecimal digits.
    mutating func identifier(_ name: String) throws(ScreenActionError) -> Identifier {
        guard let id = Identifier(text: try text(name)) else { throw .memberWrong }
        return id
    }

    /// Takes a yes or no.
    package mutating func flag(_ name: String) throws(ScreenActionError) -> Bool {
        guard case .bool(let value) = try take(name) else { throw .memberWrong }
        return value
    }

    /// Takes the mark that a secret comes beside the JSON.
    package mutating func secret() throws(ScreenActionError) {
        guard case .string(ActionForm.taken) = try take("secret") else { throw .memberWrong }
    }

    /// Takes the mark that a secret comes beside the JSON, if it is there.
    package mutating func hasSecret() throws(ScreenActionError) -> Bool {
        guard left.contains(where: { $0.0 == "secret" }) else { return false }
        try secret()
        return true
    }

    /// Refuses what is left.
    package func finish() throws(ScreenActionError) {
        guard left.isEmpty else { throw .memberUnknown }
    }

    private mutating func take(_ name: String) throws(ScreenActionError) -> JSON {
        guard let index = left.firstIndex(where: { $0.0.utf8.elementsEqual(name.utf8) }) else { throw .memberMissing }
        return left.remove(at: index).1
    }
}
