import Foundation
import Testing
import ThumbturnTestKit

/// Programs in C on the library as it is shipped: no thread of theirs serves Swift's main actor.
@Suite("A host in C")
struct CHostTests {
    @Test func `the example makes a vault, opens it by the PIN, and shows a wallet's words`() throws {
        let folder = try TemporaryFolder()
        let program = try compiled(["Examples/CHost/wallet.c", "Examples/CHost/device.c"], in: folder)
        let home = try TemporaryFolder()
        let run = try output(of: [program, home.path])
        #expect(run.status == 0, "\(run.text)")
        #expect(run.text == "legal winner thank year wave sausage worth useful legal winner thank yellow\n")
        for (name, bytes) in try home.files() {
            #expect(!String(decoding: bytes, as: UTF8.self).contains("sausage"), "\(name)")
        }
    }

    @Test func `the example is as short as it says`() throws {
        let text = try String(contentsOfFile: Self.root + "/Examples/CHost/wallet.c", encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 61)
    }

    /// A sample: `endure FOLDER 10000 100000` is all of it, in half a minute.
    @Test func `vaults that come and go, and actions, leave no memory behind`() throws {
        let folder = try TemporaryFolder()
        let program = try compiled(["Tests/Screens/CHosts/endure.c", "Examples/CHost/device.c"], in: folder)
        let home = try TemporaryFolder(inMemory: true)
        let run = try output(of: [program, home.path, "200", "2000"])
        #expect(run.status == 0, "\(run.text)")
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func compiled(_ sources: [String], in folder: TemporaryFolder) throws -> String {
        let products = Bundle.main.bundleURL.path
        let program = folder.file("program")
        let words =
            [
                "clang", "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-I",
                Self.root + "/Sources/System/CBridge/include", "-I", Self.root + "/Examples/CHost",
            ]
            + sources.map { Self.root + "/" + $0 }
            + ["-L", products, "-lThumbturnBridge", "-lcrypto", "-Wl,-rpath," + products, "-o", program]
        let build = try output(of: words)
        #expect(build.status == 0, "\(build.text)")
        return program
    }

    private func output(of words: [String]) throws -> (text: String, status: Int32) {
        let command = words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1"
        let stream = unsafe try #require(unsafe popen(command, "r"))
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while case let count = unsafe fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
        return (String(decoding: bytes, as: UTF8.self), unsafe pclose(stream))
    }
}
