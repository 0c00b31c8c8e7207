package import ThumbturnRules

/// What anybody may know of credentials in a folder: no device is asked, and nothing is opened.
package struct StoredCredential: Hashable, Sendable {
    /// What they are called; of a file that was changed it may be anything.
    package let name: String
    /// What guards them; nil for a row that no vault wrote.
    package let protection: CredentialProtection?
    /// The kind of device that keeps their key; nil as above.
    package let device: DeviceKind?

    /// Lists what is stored in `folder`, which exists.
    package static func all(in folder: String) throws(VaultError) -> [StoredCredential] {
        let store = try CredentialStore(in: folder, vfs: nil)
        defer { store.close() }
        var all: [StoredCredential] = []
        for name in try store.names() {
            let record: CredentialRecord?
            do throws(VaultError) { record = try store.record(named: CredentialName(stored: name)) } catch {
                guard error.code == .vaultDamaged else { throw error }
                record = nil
            }
            all.append(StoredCredential(name: name, protection: record?.protection, device: record?.device))
        }
        return all
    }
}
