/// A secret that several may hold: a closure that crosses to another thread, copies of a value, a call that may have none.
///
/// It is lent, never copied, and ends with the last who holds it.
package final class HeldSecret: Sendable {
    /// What is held.
    package let bytes: SecretBytes

    /// Takes a secret over.
    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// Takes a secret over, where there is one.
    package convenience init?(ifAny bytes: consuming SecretBytes?) {
        switch consume bytes {
        case .some(let bytes): self.init(bytes)
        case .none: return nil
        }
    }
}
