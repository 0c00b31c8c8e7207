import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnSimulator

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// Checks the folders of vault and keys before anything is created there.
extension Context {
    /// Refuses a place where no vault can be created, before anything is created.
    ///
    /// - Parameter withParents: whether missing parent folders will be created; `nil` means yes unless `--vault` names
    ///   the folder.
    func requirePlace(for folder: String, withParents: Bool? = nil) throws {
        do throws(FileError) {
            try Folders.requirePlace(for: folder, withParents: withParents ?? (options.vault == nil))
        } catch {
            throw VaultError(folder: error)
        }
    }

    /// Returns the folders above the vault and its keys that another user owns or can write.
    func exposedFolders() -> [String] {
        var exposed: [String] = []
        for folder in [try? vaultFolder()].compactMap(\.self) + deviceFolders {
            for found in Folders.exposed(above: folder) where !exposed.contains(found) { exposed.append(found) }
        }
        return exposed
    }

    func damagedKeys() -> [String] {
        var damaged: [String] = []
        for folder in deviceFolders {
            #if canImport(ThumbturnLinux)
            damaged += KeyFiles.damaged(in: folder)
            #endif
            if SimulatedDevice.isDamaged(in: folder) { damaged.append(folder) }
        }
        return damaged
    }

    private var deviceFolders: [String] {
        DeviceChoice.allCases.compactMap { try? environment.deviceFolder(of: $0) }.filter { !Folders.isAbsent($0) }
    }
}
