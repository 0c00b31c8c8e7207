import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules

/// A look at the files in which a device keeps its keys; it changes nothing, and asks no TPM.
package enum KeyFiles {
    /// The paths of those that are there, can be read, and are not whole.
    ///
    /// - Parameter folder: a device's; there may be none.
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
