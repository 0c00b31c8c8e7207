import Foundation
import ThumbturnApple
import ThumbturnHost
import ThumbturnUI

/// The app's one vault, which outlives each JavaScript context: a reload finds it as it was.
@MainActor enum AppVault {
    nonisolated static let home =
        NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true).joined() + "/Thumbturn"
    /// What `fields()` reads, on JavaScript's thread.
    nonisolated static let fields = LastValue()
    /// The session of the context that opened the vault last.
    static weak var session: HostSession?
    private static let events = HostEvents(of: .application) { host.appBecame($0) }

    /// A test puts another in its place.
    static var host = makeHost()

    private static func makeHost() -> SharedHost {
        SharedHost(.ofApplication, device: makeDevice) { fields.show($0) }
    }

    private static func makeDevice() async throws -> Device {
        let group = Bundle.main.object(forInfoDictionaryKey: "ThumbturnAccessGroup") as? String ?? ""
        return try await Device.apple(AppleConfiguration(accessGroup: group, folder: home + "/app"))
    }

    static func open(_ wanted: HostConfiguration, changed: @escaping @MainActor (String) -> Void) -> HostSession {
        var wanted = wanted
        #if targetEnvironment(simulator)
        wanted.policy = wanted.policy.allowing(.simulated)
        #endif
        _ = events
        let opened = host.open(wanted, changed: changed)
        fields.opened()
        session = opened
        return opened
    }
}
