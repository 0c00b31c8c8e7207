import Foundation

/// What a device needs to know about its app.
public struct AppleConfiguration: Sendable {
    /// The keychain access group, with the team's prefix, as the app's entitlement lists it.
    ///
    /// Every call names it, because the keychain would otherwise search, and delete, in all groups of the app. If other
    /// code of the app deletes generic passwords, it must name a service of its own, or it deletes ours too, whose
    /// services start with `thumbturn.`.
    public var accessGroup: String
    /// The folder in the app's container that distinguishes installations.
    ///
    /// It must not outlive the app, so an app that shares its vault with an extension must use their group's container.
    public var folder: String

    /// The reason for Face ID in the app's Info.plist.
    var faceIDUsage = Bundle.main.object(forInfoDictionaryKey: Self.faceIDUsageKey) as? String
    var carrier = Carrier.best

    static let faceIDUsageKey = "NSFaceIDUsageDescription"

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - accessGroup: for example `ABCDE12345.com.example.wallet`.
    ///   - folder: created when it is missing; nil for our own folder in Application Support.
    public init(accessGroup: String, folder: String? = nil) {
        self.accessGroup = accessGroup
        // On a Mac without a sandbox all apps share this folder.
        self.folder = folder ?? Self.applicationSupport + "/Thumbturn/" + accessGroup
    }

    private static var applicationSupport: String {
        NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true).first ?? ""
    }
}
