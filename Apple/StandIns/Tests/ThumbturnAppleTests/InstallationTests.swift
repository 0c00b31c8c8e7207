import Foundation
import StandIn
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("The mark of an installation", .serialized)
struct InstallationTests {
    @Test("it stays over launches, and not over a reinstall", .holds("F-107-09"))
    func launches() async throws {
        let app = try await App.installed()
        let first = try await app.device.installation()
        #expect(try await app.relaunched().device.installation() == first)
        _ = app.happen(.reinstall)
        let second = try await app.relaunched().device.installation()
        #expect(second != first)
        #expect(try await app.device.installation() == second)
    }

    @Test("a crash between the keychain's row and the file leaves no mark that means something", .holds("A27"))
    func crash() async throws {
        let app = try await App.installed()
        try FileManager.default.removeItem(atPath: app.container.file("app"))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.installation() }
        #expect(app.phone.rows.count { $0.service == "thumbturn.installation" } == 1)

        try FileManager.default.createDirectory(atPath: app.container.file("app"), withIntermediateDirectories: false)
        let name = try await app.device.installation()
        #expect(try await app.relaunched().device.installation() == name)
    }

    @Test("the file alone, as a restored backup brings it, is another installation", .holds("A26"))
    func restored() async throws {
        let app = try await App.installed()
        let first = try await app.device.installation()
        _ = app.happen(.restoreElsewhere)
        #expect(try await app.relaunched().device.installation() != first)
    }

    @Test("what can't be read now is no reason for a new mark", .holds("A25"))
    func unreadable() async throws {
        let app = try await App.installed()
        let name = try await app.device.installation()
        app.phone.lockScreen()
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.installation() }
        app.phone.unlockScreen()
        app.phone.fail(.itemCopy, .refuses(-25300))
        #expect(try await app.device.installation() == name)

        // A file that is there and can't be read, as before the first unlock.
        try FileManager.default.removeItem(atPath: app.container.file("app/installation"))
        try FileManager.default.createDirectory(
            atPath: app.container.file("app/installation"),
            withIntermediateDirectories: false
        )
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.installation() }
    }

    @Test("a file of another length names nothing", arguments: [0, 15, 17])
    func malformed(byteCount: Int) async throws {
        let app = try await App.installed()
        try app.container.write(Array(repeating: 7, count: byteCount), to: "app/installation")
        let name = try await app.device.installation()
        #expect(try app.container.read("app/installation") == name.bytes)
    }

    @Test("a mark that can't be kept in the keychain is none")
    func unkept() async throws {
        let app = try await App.installed()
        app.phone.fail(.itemAdd, .refuses(-25308))
        await #expect(throws: DeviceRefusal.unavailable) { try await app.device.installation() }
        #expect(throws: (any Error).self) { try app.container.read("app/installation") }
    }

    @Test("two apps that share a group have an installation each")
    func twoApps() async throws {
        let one = try await App.installed()
        let other = try await App.launched(in: TemporaryFolder())
        let (first, second) = (try await one.device.installation(), try await other.device.installation())
        #expect(first != second)
        #expect(try await one.device.installation() == first)
    }
}
