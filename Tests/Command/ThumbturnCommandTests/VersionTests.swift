import Foundation
import Testing
import ThumbturnConsole

@testable import ThumbturnCommand

struct VersionTests {
    @Test func `the command is of the version that the file VERSION names`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let file = try String(contentsOf: root.appendingPathComponent("VERSION"), encoding: .utf8)
        #expect(try Box().run(["--version"]).standardOutput == "thumbturn " + file)
    }
}
