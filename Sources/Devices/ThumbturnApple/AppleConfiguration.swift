import Foundation

/// What an app says of itself, so that its device can be used.
public struct AppleConfiguration: Sendable {
    /// The keychain access group, with the team's prefix, as the app's entitlement lists it.
    ///
    /// Every call names it: the keychain would search, and delete, in all groups of the app otherwise. So code of the app that
    /// deletes generic passwords names a service of its own, else it takes ours along, which begin with `thumbturn.`.
    public var accessGroup: String
    /// The folder in the app's container that tells one installation from the next.
    ///
    /// It must not outlive the app, so an app that shares its vault with an extension names their group's container.
    public var folder: String

    /// Why the app uses Face ID, as its Info.plist says.
    var faceIDUsage = Bundle.main.object(forInfoDictionaryKey: Self.faceIDUsageKey) as? String
    var carrier = Carrier.best

    static let faceIDUsageKey = "NSFaceIDUsageDescription"

    /// Describes an app.
    ///
    /// - Parameters:
    ///   - accessGroup: for example `ABCDE12345.com.example.wallet`.
    ///   - folder: made when it is missing; nil for a folder of ours in Application Support.
    public init(accessGroup: String, folder: String? = nil) {
        self.accessGroup = accessGroup
        // On a Mac without a sandbox all apps share the one folder.
        self.folder = folder ?? Self.applicationSupport + "/Thumbturn/" + accessGroup
    }

    private static var applicationSupport: String {
        NSSearchPathForDirectoriesInDomains(.applicationSupportDirectory, .userDomainMask, true).first ?? ""
    }
}
