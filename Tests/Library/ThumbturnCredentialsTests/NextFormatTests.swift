import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import ThumbturnCredentials

/// As the vault's: a planted next format.
@Suite struct NextFormatTests {
    private static let table = "CREATE TABLE planted (id INTEGER PRIMARY KEY, body BLOB NOT NULL)"
    private static let next = CredentialStore.format.next(
        schema: CredentialStore.format.newest.schema + [table],
        upgrade: [table]
    )

    @Test(.holds("A40"))
    func `stored credentials rise with their next change, and the former program leaves them alone`()
        throws
    {
        let folder = try TemporaryFolder()
        let record = try CredentialRecord(
            name: CredentialName("mail"),
            item: ItemName(vault: .make(), purpose: .credential, unique: .make()).text,
            protection: 1,
            device: 1,
            sealed: [UInt8](repeating: 7, count: 64)
        )
        let former = try CredentialStore(in: folder.path, vfs: nil)
        try former.replace(nil, by: record)
        former.close()
        let store = try CredentialStore(in: folder.path, vfs: nil, format: Self.next)
        #expect(try store.record(named: record.name) == record)
        try CredentialStore(in: folder.path, vfs: nil).close()
        try store.replace(record, by: record)
        store.close()
        #expect(throws: VaultError.self) { try CredentialStore(in: folder.path, vfs: nil) }
        let again = try CredentialStore(in: folder.path, vfs: nil, format: Self.next)
        #expect(try again.record(named: record.name) == record)
        again.close()
    }
}
