import Foundation
import Testing
import ThumbturnConsole
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnCommand

struct DemoTests {
    @Test(.holds("INV-107-05"), .timeLimit(.minutes(5)))
    func `the demo's steps hold, and it leaves nothing behind`() throws {
        let box = try Box()
        let result = try box.run(["demo"])
        #expect(result.exitCode == 0, "\(result)")
        #if os(Linux)
        let count = 37
        #else
        let count = 28
        #expect(result.standardOutput.contains("There is no thumbturnd here"))
        #endif
        #expect(result.standardOutput.contains("All \(count) steps passed."))
        #expect(result.standardOutput.split(separator: "\n").filter { $0.hasPrefix("✓ ") }.count == count)
        #expect(box.contents().isEmpty)
    }

    @Test func `each chapter is a tour of the playground, and each tour is a chapter`() throws {
        let path = VectorFolder.own + "/../../Sources/Command/ThumbturnPlayground/Page/tours.json"
        let file = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let tours = try #require((file as? [String: Any])?["tours"] as? [[String: Any]])
        #expect(Demo.chapters.map(\.tour).sorted() == tours.compactMap { $0["name"] as? String }.sorted())
    }

    #if os(Linux)
    @Test func `the service is looked for beside the command, then on the path`() async {
        // In a process of its own, whose path and folder are nobody else's.
        await #expect(processExitsWith: .success) {
            let (own, path) = (try Box(), try Box())
            let command = own.folder + "/thumbturn"
            let relative = path.folder + "/relative"
            try FileManager.default.createDirectory(atPath: relative, withIntermediateDirectories: true)
            try #require(FileManager.default.changeCurrentDirectoryPath(path.folder))
            unsafe setenv("PATH", "relative:\(path.folder)", 1)
            // What lies in a folder without a whole path is not taken; what lies beside the command is, before any other.
            let places: [(folder: String, found: String?)] = [
                (relative, nil), (path.folder, path.folder), (own.folder, own.folder),
            ]
            for (folder, found) in places {
                let program = folder + "/thumbturnd"
                try Folders.write(Array("#!/bin/sh\nexit 1\n".utf8), to: program)
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
                #expect(ServiceProcess.program(beside: command) == found.map { $0 + "/thumbturnd" })
            }
        }
    }
    #endif

    @Test func `a service that does not listen fails the demo`() throws {
        let failure = try #require(throws: Failure.self) { _ = try ServiceProcess("/bin/echo", environment: []) }
        #expect(failure.exitCode == 3)
    }

    @Test func `a step that does not hold fails the demo, loudly`() throws {
        var stage = try DemoStage(
            output: Output(
                of: Tool.name,
                environment: Environment(values: [:]),
                isJSON: true,
                hints: Advice.none.hints
            )
        )
        let failure = try #require(throws: Failure.self) { try stage.check(false, Words("the earth is flat")) }
        #expect(failure.exitCode == 4)
        #expect(failure.message(in: .english).contains("the earth is flat"))
    }
}
