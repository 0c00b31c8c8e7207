import Foundation
import ThumbturnRules

/// A folder in the app's container: it goes with the app, and comes along when a backup is restored elsewhere.
struct AppleFolder: Sendable {
    private let path: String

    /// Makes the folder where it is missing.
    init(path: String) throws(AppleSetupFailure) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .folderUnusable
        }
    }

    /// What a file holds; nil when it is confirmed not to be there.
    ///
    /// - Throws: `.unavailable` for any other failure, such as that of a device which was not unlocked since it booted.
    func read(_ name: String) throws(DeviceRefusal) -> [UInt8]? {
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw .unavailable
        }
    }

    /// Writes a file, whole or not at all.
    func write(_ bytes: [UInt8], to name: String) throws(DeviceRefusal) {
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name), options: .atomic)
        } catch {
            throw .unavailable
        }
    }
}
