/// Why an app can't use its device: each is a mistake in the project, with what to add.
@nonexhaustive
public enum AppleSetupFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The app is not signed for the keychain access group it named.
    case missingEntitlement
    /// The app may not use Face ID without saying why: iOS would end it at the first prompt.
    case missingFaceIDUsage
    /// The folder for the mark of this installation can't be made.
    case folderUnusable

    /// What to add.
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
