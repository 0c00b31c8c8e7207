/// The paths of a phone's files.
struct PhonePlace: Sendable {
    /// The folder of all of them, which nobody else may enter.
    let folder: String

    var vault: String { folder + "/vault" }
    var device: String { folder + "/device" }
    var credentials: String { folder + "/credentials" }
}
