import Thumbturn
import ThumbturnBase
import ThumbturnConsole
import ThumbturnFiles
import ThumbturnSimulator

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

// The folders in which vault and keys lie, looked at before anything is made there.
extension Context {
    /// Refuses a place where no vault can be made, before anything is made for one.
    ///
    /// - Parameter withParents: whether the folders above it are made where they are missing; nil for where no option names it.
    func requirePlace(for folder: String, withParents: Bool? = nil) throws {
        do throws(FileError) {
            try Folders.requirePlace(for: folder, withParents: withParents ?? (options.vault == nil))
        } catch {
            throw VaultError(folder: error)
        }
    }

    /// The folders above the vault and its keys that another user owns, or others may write.
    func exposedFolders() -> [String] {
        var exposed: [String] = []
        for folder in [try? vaultFolder()].compactMap(\.self) + deviceFolders {
            for found in Folders.exposed(above: folder) where !exposed.contains(found) { exposed.append(found) }
        }
        return exposed
    }

    /// The files of keys that are damaged.
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

    /// The devices' folders that are there.
    private var deviceFolders: [String] {
        DeviceChoice.allCases.compactMap { try? environment.deviceFolder(of: $0) }.filter { !Folders.isAbsent($0) }
    }
}
