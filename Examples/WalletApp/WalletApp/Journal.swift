import Foundation
import Thumbturn

/// What the vault told, a line each, for somebody who goes through `docs/device-checklist.md`.
///
/// A line begins with the wall clock, the clock since boot and the name of the boot. The file outlives a start; Xcode copies it
/// with the app's container. There is no secret in it, and an app for others would not keep it.
final class Journal: @unchecked Sendable {
    // Safe to share: `lock` guards the lines and the file.
    private let lock = NSLock()
    private let file: URL
    /// Beside the journal, for who walks through the checklist.
    let checklistFile: URL
    private var kept: [String]
    private static let most = 500

    /// - Parameter home: the app's own folder, which need not be there before the first line.
    init(in home: String) {
        file = URL(fileURLWithPath: home + "/journal.txt")
        checklistFile = URL(fileURLWithPath: home + "/checklist.txt")
        let stored = (try? Data(contentsOf: file)) ?? Data([UInt8]())
        kept = String(decoding: stored, as: UTF8.self).split(separator: "\n").map { String($0) }
    }

    /// The newest first.
    var lines: [String] { lock.withLock { kept.reversed() } }

    /// What came since `mark` was noted, the oldest first; nothing if it was not, or so long ago that it is gone.
    func lines(since mark: String) -> [String] {
        lock.withLock {
            guard let start = kept.lastIndex(where: { $0.hasSuffix(mark) }) else { return [] }
            return Array(kept[(start + 1)...])
        }
    }

    func note(_ text: String, at now: ClockReading) {
        let line = "\(now) \(text)"
        print(line)
        lock.withLock {
            kept = Array((kept + [line]).suffix(Self.most))
            try? Data((kept.joined(separator: "\n") + "\n").utf8).write(to: file)
        }
    }

    /// What a vault needs to tell its events and its faults here.
    func configuration(on device: Device) -> VaultConfiguration {
        var configuration = VaultConfiguration { event in
            let took = event.unlockDuration.map { ", took \($0.count) ms" } ?? ""
            let why = event.reason.map { ", \($0)" } ?? ""
            self.note("event \(event.kind), \(event.attemptCount) failures before\(took)\(why)", at: event.at)
        }
        configuration.tolerated = { fault in self.note("tolerated \(fault.code.text)", at: device.clock()) }
        return configuration
    }

    /// Notes what happens to the app, and where the vault stands, from now on.
    func follow(_ core: WalletCore) {
        let device = core.device
        note("start", at: device.clock())
        Task {
            var last = ""
            for await snapshot in await core.vault.snapshots() {
                let sensor = snapshot.capability.reasonIfUnavailable.map { "\($0)" } ?? "ready"
                let biometrics = "biometrics \(snapshot.biometrics), sensor \(sensor)"
                let text = "\(snapshot.state), \(biometrics), \(snapshot.condition)"
                if text != last { self.note("vault \(text)", at: device.clock()) }
                last = text
            }
        }
    }
}
