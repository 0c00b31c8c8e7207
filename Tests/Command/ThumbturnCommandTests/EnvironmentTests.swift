import Testing
import Thumbturn
import ThumbturnConsole

@testable import ThumbturnCommand

struct EnvironmentTests {
    @Test func `a date is told in UTC`() {
        #expect(Milliseconds(1_767_225_600_999).date == "2026-01-01T00:00:00Z")
        #expect(Milliseconds(951_782_399_000).date == "2000-02-28T23:59:59Z")
    }

    @Test func `folders follow XDG, where it names an absolute path`() throws {
        #expect(try Environment(values: ["HOME": "/h"]).vaultFolder() == "/h/.local/share/thumbturn/vault")
        let relative = Environment(values: ["HOME": "/h", "XDG_DATA_HOME": "d"])
        #expect(try relative.vaultFolder() == "/h/.local/share/thumbturn/vault")
        let states = Environment(values: ["XDG_STATE_HOME": "/s"])
        #expect(try states.deviceFolder(of: .simulated) == "/s/thumbturn/simulated-device")
        #expect(try states.deviceFolder(of: .tpm) == "/s/thumbturn/tpm")
        #expect(throws: Failure.self) { try Environment(values: [:]).vaultFolder() }
    }
}
