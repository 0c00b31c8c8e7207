import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnTestKit

@testable import ThumbturnBridge

extension OnThePhone {
    /// The memory of an app's Java machine, read from outside.
    @Suite("Memory of an app on Android")
    struct AndroidMemoryTests {
        @Test(.holds("A54", "P-107-06", "B-11"))
        func `a locked app holds no PIN, key or words, and counts what the platform's arrays kept`() async throws {
            let level = try #require(Phone.levels.last)
            let folder = try TemporaryFolder(inMemory: true)
            let pin = Array(String((0..<16).map { _ in "0123456789".randomElement() ?? "0" }).utf8)
            let child = try Phone.machine("Tour", folder.path, "\(level)")
            defer {
                child.kill()
                _ = child.finish()
            }
            try #require(child.readLine() == "ready")
            // Two words may stand in a mnemonic as they do in the public list, which is no copy of the mnemonic.
            var words: [UInt8]
            repeat {
                words = try Mnemonic.text(of: Mnemonic.makeEntropy()).withBytes { $0.exposed }
            } while try !MemoryScan(of: child.id, for: ["words": words]).hits.isEmpty
            child.send(pin + pin + [UInt8(words.count)] + words + pin + pin)
            try #require(child.readLine() == "unlocked")

            // The phone once more, from its folder: it releases to us what it released to the app.
            let app = try await PhoneApp(level: level, from: folder.path)
            let derived = try await DerivedSecrets(
                of: app.folder.path + "/data/no_backup/thumbturn/vault",
                on: app.device,
                limits: .standard,
                pin: pin,
                mnemonic: words
            ) { try Phone.call("touch", "match") }
            try await app.close()
            let unlocked = try MemoryScan(of: child.id, for: derived.all)
            #expect(unlocked.hits.contains { $0.secret == "master key" })

            child.send([0])
            try #require(child.readLine() == "locked")
            let locked = try MemoryScan(of: child.id, for: derived.all)
            #expect(locked.hits == [])
            // A cipher of the platform's gives an array, of which the collector makes copies.
            let arrays = try MemoryScan(of: child.id, for: derived.released).hits
            for name in derived.released.keys.sorted() {
                let copies = arrays.count { $0.secret == name }
                print("memory: \(copies) copies of the \(name), in the platform's arrays")
            }

            // The control: what lies in an array is found.
            let secrets = derived.all.merging(derived.released) { $1 }
            child.send([0])
            for secret in secrets.values { child.send([UInt8(secret.count)] + secret) }
            child.send([0])
            try #require(child.readLine() == "left")
            let left = try MemoryScan(of: child.id, for: secrets)
            #expect(Set(left.hits.map(\.secret)) == Set(secrets.keys))
            let hits = locked.hits.count
            print("memory: \(derived.all.count) secrets, \(locked.byteCount >> 20) MiB, \(hits) hits locked")
        }
    }
}
