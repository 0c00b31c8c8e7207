import Foundation
import ThumbturnCrypto
import ThumbturnRules

/// Names this installation of the app, in a file and in a row of the keychain.
///
/// On iOS, keychain items outlive the app but the file does not, so a missing file means a new installation. A backup
/// restored elsewhere has the file but never the row, so a missing row means one too.
struct AppleInstallation: Sendable {
    let keychain: Keychain
    let folder: AppleFolder

    private static let file = "installation"

    func name() async throws(DeviceRefusal) -> Identifier {
        try await keychain.run { () throws(DeviceRefusal) in
            if let name = try folder.read(Self.file).flatMap(Identifier.init(bytes:)), try hasRow(name) { return name }
            let name = Identifier.make()
            // The row first: a file without a row counts as one from another device.
            try translating { () throws(KeychainFailure) in try keychain.add(.marker, as: row(name)) }
            try folder.write(name.bytes, to: Self.file)
            return name
        }
    }

    private func hasRow(_ name: Identifier) throws(DeviceRefusal) -> Bool {
        try keychain.confirming { () throws(KeychainFailure) in try keychain.value(of: row(name)) } != nil
    }

    private func row(_ name: Identifier) -> Keychain.Row { Keychain.Row(kind: .installation, name: name.text) }
}
