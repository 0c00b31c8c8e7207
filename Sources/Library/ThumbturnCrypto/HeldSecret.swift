/// A shared secret: for a closure that moves to another thread, copies of a value, a call without a secret.
///
/// It is lent, never copied, and wiped with its last reference.
package final class HeldSecret: Sendable {
    /// The secret.
    package let bytes: SecretBytes

    /// Takes ownership of a secret.
    package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Takes ownership of a secret; nil for nil.
    package convenience init?(ifAny bytes: consuming SecretBytes?) {
        switch consume bytes {
        case .some(let bytes): self.init(bytes)
        case .none: return nil
        }
    }
}
