internal import CSQLite
import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

extension CutExplorer {
    /// Looks that who reads the vault's file by its recovery key finds what SQLite finds there: all that is committed.
    ///
    /// - Parameter isSuspect: whether frames may lie behind the log's end that look like a lost commit; of them the reader may warn.
    static func readFile(of image: SceneImage, isSuspect: Bool, in root: String) throws {
        let scene = try image.restore(to: root)
        let file = scene.vaultFolder + "/vault.sqlite"
        guard FileManager.default.fileExists(atPath: file) else { return }
        let before = scene.readings(of: file)
        try settleLog(of: file)
        let after = scene.readings(of: file)
        for (before, after) in zip(before, after) {
            // A log that hides the vault, as a reset's does, passes for another file's: the file is read without it, and says so.
            let isRightlyLost = after.text == ErrorCode.vaultDamaged.text || isSuspect && before.text == after.text
            guard before.isLogLost ? isRightlyLost : before.text == after.text else {
                throw CrashError.readOtherwise("\(before)", "\(after)")
            }
        }
    }

    /// Has SQLite itself move the log into the file.
    private static func settleLog(of file: String) throws {
        var handle: OpaquePointer?
        defer { _ = unsafe sqlite3_close(handle) }
        guard unsafe sqlite3_open_v2(file, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw CrashError.neverReached
        }
        // What is no database yet has no log either.
        _ = unsafe sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    }
}

extension CrashScene {
    /// What each recovery key finds in a file, and whether the reader says that the log is lost.
    fileprivate func readings(of file: String) -> [(text: String, isLogLost: Bool)] {
        [oldKey, newKey].map(text).filter { !$0.isEmpty }.map { key in
            do {
                let opened = try OpenedBackup(at: file, recoveryKey: SecretBytes(text: key))
                let inventory = opened.inventory
                var lines = ["authentic: \(inventory.isAuthentic)", "missing: \(inventory.missingCount)"]
                lines += inventory.damaged.map { "damaged: \($0.name?.text ?? "?")" }
                for wallet in inventory.wallets {
                    let digest = try opened.exportWallet(wallet.id) { _, bytes in SHA256.digest(bytes.exposed) }
                    lines.append("\(wallet.name.text): \(digest.prefix(8))")
                }
                return (lines.joined(separator: ", "), inventory.isLogLost)
            } catch {
                return ((error as? VaultError)?.code.text ?? "\(error)", false)
            }
        }
    }
}
