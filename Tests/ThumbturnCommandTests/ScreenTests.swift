#if os(Linux)
import Foundation
import Testing
import ThumbturnConsole
import ThumbturnTestKit

@testable import ThumbturnCommand

/// What somebody sees on a terminal.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ScreenTests {
    @Test func `the questions of seeds 003 and 000 are asked word for word`() throws {
        let desk = try Desk(Box())
        desk.start("$T --device simulated init", until: "New PIN or password: ", answering: Box.pin)
        desk.start("", until: "The same again: ", answering: Box.pin)
        let asked = desk.keyboard.wait(for: "[y/N]: ")
        #expect(asked.hasSuffix("Enable Biometric Unlock? [y/N]: "), "\(asked)")
        desk.keyboard.write("y")
        #expect(desk.waitForShell().contains("Biometrics are enabled."))
        _ = try desk.box.recoveryKey()
        let list = desk.box.folder + "/.config/thumbturn/system-auth-users"
        try Folders.makeParents(of: list)
        try Data("*\n".utf8).write(to: URL(fileURLWithPath: list))
        desk.start("$T system-auth enable", until: "Enable system authentication? [y/N]: ", answering: "n")
        #expect(desk.waitForShell().contains("ERR-"))
    }
}
#endif
