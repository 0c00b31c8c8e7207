import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto

extension Environment {
    /// The variables of this process that the tool reads.
    static var current: Environment {
        #if DEBUG
        read(with: ["THUMBTURN_TEST_ARGON2", "THUMBTURN_TEST_BUS", "THUMBTURN_TEST_TPM", "THUMBTURN_TEST_MACHINE"])
        #else
        read(with: [])
        #endif
    }

    /// The cost of a guess.
    ///
    /// A debug build can be told to use the minimum, because stretching PINs dominates a test's time.
    var argon2: Argon2Limits {
        #if DEBUG
        if values["THUMBTURN_TEST_ARGON2"] == "cheapest" { return .cheapest }
        #endif
        return .standard
    }

    func vaultFolder() throws(Failure) -> String {
        try known(folder("XDG_DATA_HOME", else: ".local/share")) + "/thumbturn/vault"
    }

    /// Returns the folder of a device, apart from the vault's: keys copied along with the vault are no second factor.
    func deviceFolder(of choice: DeviceChoice) throws(Failure) -> String {
        try known(folder("XDG_STATE_HOME", else: ".local/state")) + "/thumbturn/" + choice.folderName
    }

    func configurationFolder() throws(Failure) -> String { try known(folder("XDG_CONFIG_HOME", else: ".config")) }

    private func known(_ folder: String?) throws(Failure) -> String {
        guard let folder else {
            throw Failure(
                .usage,
                Words("HOME is not set", "HOME n'est pas défini"),
                hint: Words("name the vault's folder: --vault DIR", "nommez le dossier du coffre : --vault DOSSIER")
            )
        }
        return folder
    }
}
