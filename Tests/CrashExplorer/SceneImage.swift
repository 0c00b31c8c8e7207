import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

/// A scene as it stood at one instant, to be put back as often as wanted.
struct SceneImage {
    /// Of every byte of the files and of the device: two scenes with the same are the same.
    let digest: [UInt8]
    private let files: FolderImage
    private let device: SimulatedDevice

    init(of scene: CrashScene) throws {
        files = try FolderImage(of: scene.root)
        device = scene.device.clone()
        digest = SHA256.digest(files.digest, try device.encoded())
    }

    /// Whether a file has these bytes.
    func holds(_ bytes: [UInt8]) -> Bool {
        files.files.contains { $0.value.range(of: Data(bytes)) != nil }
    }

    /// Makes `root` hold this and nothing else.
    func restore(to root: String) throws -> CrashScene {
        try files.restore(to: root)
        Dice.take(up: digest)
        return CrashScene(root: root, device: device.clone())
    }
}

extension SceneImage: Equatable {
    static func == (first: SceneImage, second: SceneImage) -> Bool { first.digest == second.digest }
}
