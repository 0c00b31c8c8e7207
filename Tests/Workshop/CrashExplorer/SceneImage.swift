import Foundation
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

/// A scene as it stood at one instant, to be put back as often as wanted.
struct SceneImage {
    /// Of every byte of the files and of the device: two scenes with the same go on the same way.
    ///
    /// Of SQLite's index of the log only the name counts: whoever opens a database first makes what is in it anew of the log.
    let digest: [UInt8]
    private let files: FolderImage
    private let device: SimulatedDevice

    init(of scene: CrashScene) throws {
        files = try FolderImage(of: scene.root)
        device = scene.device.clone()
        digest = SHA256.digest(files.digest(leavingOut: "-shm"), try device.encoded())
    }

    /// Whether a file has these bytes.
    func holds(_ bytes: [UInt8]) -> Bool {
        files.files.contains { $0.value.range(of: Data(bytes)) != nil }
    }

    /// What the random bytes of a play follow from.
    enum Draws {
        /// The same scene, the same bytes.
        case scene
        /// They are the same for every scene that was cut off, and none that were drawn before the cut. So what comes of
        /// two scenes is the same to the last byte where it is the same at all, and is looked at once.
        case nextStart
    }

    /// Makes `root` hold this and nothing else.
    func restore(to root: String, _ draws: Draws = .scene) throws -> CrashScene {
        try files.restore(to: root)
        switch draws {
        case .scene: Dice.take(up: digest)
        case .nextStart: Dice.take(up: Array("next start".utf8))
        }
        return CrashScene(root: root, device: device.clone())
    }
}

extension SceneImage: Equatable {
    static func == (first: SceneImage, second: SceneImage) -> Bool { first.digest == second.digest }
}
