import Thumbturn

#if canImport(ThumbturnApple)
import ThumbturnApple
#else
import ThumbturnSimulator
#endif

// The one place where the systems differ.
extension Device {
    /// The device that this app runs on; without Apple's frameworks a simulated one, which protects nothing.
    ///
    /// - Parameters:
    ///   - accessGroup: the keychain access group of the app's entitlement, with the team's prefix.
    ///   - home: the app's own folder; without Apple's frameworks it exists.
    static func ofThisApp(accessGroup: String, home: String) async throws -> Device {
        #if canImport(ThumbturnApple)
        try await Device.apple(AppleConfiguration(accessGroup: accessGroup, folder: home + "/app"))
        #else
        try SimulatedDevice(folder: home + "/device").device
        #endif
    }
}

extension VaultPolicy {
    /// The rules of this app: those of the library, and on a simulated device the choice to do without protection.
    static var ofThisApp: VaultPolicy {
        #if !canImport(ThumbturnApple) || targetEnvironment(simulator)
        .wallet.allowing(.simulated)
        #else
        .wallet
        #endif
    }
}
