import Foundation
import ThumbturnRules

/// A folder in the app's container: it is removed with the app, and restored elsewhere with a backup.
struct AppleFolder: Sendable {
    private let path: String

    /// Creates the folder if it is missing.
    init(path: String) throws(AppleSetupFailure) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .folderUnusable
        }
    }

    /// Returns a file's contents; nil when it is confirmed to be missing.
    ///
    /// - Throws: `.unavailable` for any other failure, such as on a device that was not unlocked since it booted.
    func read(_ name: String) throws(DeviceRefusal) -> [UInt8]? {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw .unavailable
        }
    }

    /// Writes a file atomically.
    func write(_ bytes: [UInt8], to name: String) throws(DeviceRefusal) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
        } catch {
            throw .unavailable
        }
    }
}
