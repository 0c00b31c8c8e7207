import Thumbturn

#if canImport(ThumbturnLinux)
import ThumbturnLinux
#endif

/// A device that a vault can be made on here, and what holds its keys.
enum DeviceChoice: String, Hashable, Sendable, CaseIterable {
    case simulated
    case tpm
    case files

    /// What holds the keys of a device.
    init(of device: Device) {
        #if canImport(ThumbturnLinux)
        if device.kind == .linux {
            self = device.store is FileStore ? .files : .tpm
            return
        }
        #endif
        self = .simulated
    }

    /// The name of its folder; the simulated device's never lies in the vault's.
    var folderName: String { self == .simulated ? "simulated-device" : rawValue }

    var text: Text {
        switch self {
        case .simulated: Text("simulated", "simulé")
        case .tpm: Text("TPM 2.0")
        case .files: Text("files", "fichiers")
        }
    }

    /// Its name, and what it is worth to keep keys there.
    func text(withWorth assurance: Assurance) -> Text { text + Text(": ", " : ") + worth(assurance) }

    /// What it is worth to keep keys there.
    func worth(_ assurance: Assurance) -> Text {
        switch (self, assurance) {
        case (.simulated, _): Text("it protects nothing", "il ne protège rien")
        case (.tpm, .hardwareBound):
            Text("its keys never leave it, and it counts wrong PINs", "ses clés n'en sortent pas, il compte les essais")
        case (.tpm, _):
            Text(
                "it may be a program: a copy of its state can be guessed at",
                "c'est peut-être un programme : une copie de son état se devine"
            )
        case (.files, _):
            Text(
                "software keeps the keys: a copy of this disk can be guessed at",
                "clés gardées par logiciel : une copie du disque se devine"
            )
        }
    }
}
