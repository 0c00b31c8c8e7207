/// Why an app can't use its device; each case is a mistake in the project, with its remedy.
@nonexhaustive
public enum AppleSetupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The app is not signed for the keychain access group it named.
    case missingEntitlement
    /// The app may not use Face ID without giving a reason: iOS would end it at the first prompt.
    case missingFaceIDUsage
    /// The folder for the file of this installation can't be created.
    case folderUnusable

    /// The remedy.
    public var description: String {
        switch self {
        case .missingEntitlement:
            """
            The keychain refused the access group. Add the Keychain Sharing capability, list the group, and name it with the \
            team's prefix; tests need a signed host app.
            """
        case .missingFaceIDUsage:
            "Add \(AppleConfiguration.faceIDUsageKey) to Info.plist, with the reason that the user is shown."
        case .folderUnusable:
            "Name a folder in the app's container that can be written."
        }
    }
}
