import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules

/// Inspects the files in which a device keeps its keys; changes nothing, and needs no TPM.
package enum KeyFiles {
    /// Returns the paths of the files that exist, are readable, and are damaged.
    ///
    /// - Parameter folder: a device's folder, which may be missing.
    package static func damaged(in folder: String) -> [String] {
        let items = folder + "/items"
        guard let folder = try? OpenFolder(items), let names = try? folder.names() else { return [] }
        return names.filter { !$0.hasPrefix(".") && isDamaged($0, in: folder) }.sorted().map { items + "/" + $0 }
    }

    private static func isDamaged(_ name: String, in folder: borrowing OpenFolder) -> Bool {
        let file: [UInt8]
        do throws(FileError) {
            file = try folder.open(name, Demands(.file, others: .readOnly)).contents(upTo: AnchorSlots.byteCount)
        } catch {
            return error == .tooLarge || error == .refused(.wrongMode)
        }
        do throws(DeviceRefusal) {
            if file.count == AnchorSlots.byteCount {
                _ = try AnchorSlots(file, named: name)
            } else {
                _ = try ItemRecord.parse(SecretBytes(record: file), named: name)
            }
            return false
        } catch {
            return error == .damaged
        }
    }
}
