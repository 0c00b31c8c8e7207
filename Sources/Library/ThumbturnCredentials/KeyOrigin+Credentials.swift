package import ThumbturnBase
import ThumbturnDevice
package import ThumbturnRules

extension KeyOrigin {
    /// Reads the origin of the credentials stored under a name in `folder`; nil if there are none.
    package init?(of name: CredentialName, in folder: String) throws(VaultError) {
        let store = try CredentialStore(in: folder, vfs: nil)
        defer { store.close() }
        guard let record = try store.record(named: name) else { return nil }
        self.init(device: record.device, items: [record.item], vault: record.item.vault)
    }
}
