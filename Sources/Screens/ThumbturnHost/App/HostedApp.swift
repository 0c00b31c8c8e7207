package import Thumbturn
package import ThumbturnJSON
package import ThumbturnRules
package import ThumbturnScreenJSON

/// The app that a host shows: its screens at this moment, and what its models do with an action.
///
/// A `VaultHost` needs nothing else, so an app with another kind of vault, such as an account's, is one more of these.
@MainActor package protocol HostedApp: AnyObject {
    /// The kind of secret that the owner types.
    var secret: SecretKind { get }
    /// The language of all its screens.
    var language: Language { get set }
    /// Told when anything that a screen shows is another.
    var changed: (@MainActor () -> Void)? { get set }
    /// The screens by name, each as the JSON of its model's fields; null for one that is not there now.
    var screens: [(String, JSON)] { get }

    /// The vault itself, for what no screen shows; nil before there is one.
    var core: Vault? { get }
    /// Whether a session is open on the lock screen.
    var isOpen: Bool { get }

    /// Reads an action.
    func action(_ json: JSON) throws(ScreenActionError) -> HostedAction

    /// Looks for a vault, unless it is there; returns when that has ended.
    func start() async

    /// Reports the app's phase to the models.
    func appBecame(_ phase: AppPhase)

    /// Ends what is under way, and forgets what was typed.
    func stop()

    /// Closes the vault, which stays as it is; called once, when no call is under way any more.
    func close() async
}
