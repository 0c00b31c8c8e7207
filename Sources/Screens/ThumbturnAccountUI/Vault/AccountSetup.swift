public import Thumbturn
public import ThumbturnAccount
public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// Where an account's vault is or will be on this device, and the way to its service.
public struct AccountSetup: AccountScreensVaults {
    private let folder: String
    private let device: Device
    private let transport: AccountTransport
    private let deviceName: String?
    private let policy: VaultPolicy
    private let configuration: VaultConfiguration

    /// Describes the place; nothing is read or asked yet.
    ///
    /// - Parameters:
    ///   - folder: the path of the vault's folder, whose parent must exist.
    ///   - device: the device that guards it.
    ///   - transport: the transport to the service.
    ///   - deviceName: the account's name for this device, readable by the service; `nil` uses the kind of system.
    ///   - policy: the rules of a new vault; `.pd107`, or one that allows more.
    ///   - configuration: the app's choices.
    public init(
        in folder: String,
        on device: Device,
        over transport: AccountTransport,
        deviceName: String? = nil,
        policy: VaultPolicy = .pd107,
        configuration: VaultConfiguration = VaultConfiguration()
    ) {
        (self.folder, self.device, self.transport) = (folder, device, transport)
        (self.deviceName, self.policy, self.configuration) = (deviceName, policy, configuration)
    }

    /// Looks for a vault, and opens it locked.
    public func find() async throws(VaultError) -> AccountFound {
        do throws(VaultError) {
            let account = try await AccountVault.open(
                in: folder,
                device: device,
                over: transport,
                configuration: configuration
            )
            return .vault(account)
        } catch {
            switch error.code {
            case .vaultMissing: return .nothing
            case .serviceElsewhere: break
            default: throw error
            }
        }
        let vault = try await Vault.open(in: folder, device: device, configuration: configuration)
        let account = AccountVault(vault, over: transport)
        return .elsewhere(account, AccountMove(of: account, to: transport))
    }

    /// Registers an account, and creates a vault on this device.
    public func register(
        _ name: String,
        password: borrowing SecretBytes
    ) async throws(VaultError) -> AccountVault.Enrolled {
        try await AccountVault.register(
            name,
            password: password,
            over: transport,
            in: folder,
            device: device,
            deviceName: deviceName,
            policy: policy,
            configuration: configuration
        )
    }

    /// Logs in on this device, and creates a vault on it.
    public func logIn(
        _ name: String,
        password: borrowing SecretBytes
    ) async throws(VaultError) -> AccountVault.Enrolled {
        try await AccountVault.logIn(
            name,
            password: password,
            over: transport,
            in: folder,
            device: device,
            deviceName: deviceName,
            policy: policy,
            configuration: configuration
        )
    }
}
