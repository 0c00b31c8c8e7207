/// The paths of a phone's files.
struct PhonePlace: Sendable {
    /// The folder of all of them, which nobody else may enter.
    let folder: String

    var vault: String { folder + "/vault" }
    var device: String { folder + "/device" }
    var credentials: String { folder + "/credentials" }
    /// Of the owner's other device, which has the same account.
    var otherVault: String { folder + "/other-vault" }
    var otherDevice: String { folder + "/other-device" }
}
