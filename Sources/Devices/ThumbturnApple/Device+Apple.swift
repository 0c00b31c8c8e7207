public import ThumbturnDevice
import ThumbturnRules

extension Device {
    /// Creates the device of this iPhone, iPad or Mac: its keychain, its Secure Enclave if any, its sensor and its
    /// clocks.
    ///
    /// Call it once and keep the result. It shows no prompt, and works while the device is locked.
    ///
    /// - Throws: the mistake in the app's project.
    public static func apple(_ configuration: AppleConfiguration) async throws(AppleSetupFailure) -> Device {
        let folder = try AppleFolder(path: configuration.folder)
        let keychain = Keychain(accessGroup: configuration.accessGroup)
        let sensor = AppleSensor(keychain: keychain, carrier: configuration.carrier)
        if await sensor.capability().biometryType == .faceID, configuration.faceIDUsage?.isEmpty ?? true {
            throw .missingFaceIDUsage
        }
        guard await keychain.run({ keychain.isEntitled }) else { throw .missingEntitlement }
        let clock = AppleClock(folder: folder)
        let installation = AppleInstallation(keychain: keychain, folder: folder)
        return Device(
            kind: .apple,
            store: AppleStore(keychain: keychain, carrier: configuration.carrier),
            prompt: sensor,
            anchor: AppleAnchor(keychain: keychain),
            clock: { clock.reading() },
            installation: { () async throws(DeviceRefusal) in try await installation.name() },
            events: { AppleEvents.stream() }
        )
    }
}

extension Keychain {
    /// Whether the app is signed for its access group; also true if the keychain can't be read now.
    fileprivate var isEntitled: Bool {
        do throws(KeychainFailure) {
            try readCanary()
            return true
        } catch {
            return !error.lacksEntitlement
        }
    }
}
