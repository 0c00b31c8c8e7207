package import ThumbturnRules

/// The public facts about stored credentials: read without the device, and without opening them.
package struct StoredCredential: Hashable, Sendable {
    /// Their name; in a modified file it may be any text.
    package let name: String
    /// Their protection; nil for a row that no vault wrote.
    package let protection: CredentialProtection?
    /// The kind of device that stores their key; nil as above.
    package let device: DeviceKind?

    /// Lists the credentials stored in `folder`, which exists.
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
