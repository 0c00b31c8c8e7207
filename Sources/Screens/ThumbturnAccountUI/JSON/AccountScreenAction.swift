package import ThumbturnJSON
import ThumbturnRules
package import ThumbturnScreenJSON

/// What a screen of an account asks of its model, as a host that is not Swift says it: in the form of a `ScreenAction`.
package enum AccountScreenAction: Hashable, Sendable {
    /// Of the screens around an account's vault, `AccountScreensFields`.
    case account(AccountScreensAction)
    /// Of the entry, `AccountEntryFields`.
    case entry(AccountEntryAction)
    /// Of the account's devices, `AccountDevicesFields`.
    case devices(AccountDevicesAction)
    /// Of the change of the password, `PasswordChangeFields`.
    case password(PasswordChangeAction)
    /// Of the question whether the service has moved, `AccountMoveFields`.
    case move(AccountMoveAction)
    /// Of the line about deliveries, `DeliveryFields`.
    case delivery(DeliveryAction)

    /// Reads an action.
    ///
    /// - Parameter json: an object with exactly the members of one action, in any order.
    /// - Throws: what is wrong with it.
    package init(_ json: JSON) throws(ScreenActionError) {
        var members = try ActionMembers(json)
        let (screen, name) = (try members.text("screen"), try members.text("name"))
        switch screen {
        case Self.accountScreen: self = .account(try AccountScreensAction(name))
        case Self.entryScreen: self = .entry(try AccountEntryAction(name, &members))
        case Self.devicesScreen: self = .devices(try AccountDevicesAction(name, &members))
        case Self.passwordScreen: self = .password(try PasswordChangeAction(name, &members))
        case Self.moveScreen: self = .move(try AccountMoveAction(name, &members))
        case Self.deliveryScreen: self = .delivery(try DeliveryAction(name))
        default: throw .unknownScreen
        }
        try members.finish()
    }

    /// Reads an action from its bytes.
    package init(reading bytes: [UInt8]) throws(ScreenActionError) { try self.init(try ScreenAction.read(bytes)) }

    /// The screen's name.
    package var screen: String {
        switch self {
        case .account: Self.accountScreen
        case .entry: Self.entryScreen
        case .devices: Self.devicesScreen
        case .password: Self.passwordScreen
        case .move: Self.moveScreen
        case .delivery: Self.deliveryScreen
        }
    }

    /// Whether a password comes beside it.
    package var takesSecret: Bool { form.takesSecret }

    /// The one form of the action, members sorted by name.
    package var json: JSON { form.json(on: screen) }

    private var form: ActionForm {
        switch self {
        case .account(let action): ActionForm(action.rawValue)
        case .entry(let action): action.form
        case .devices(let action): action.form
        case .password(let action): action.form
        case .move(let action): action.form
        case .delivery(let action): ActionForm(action.rawValue)
        }
    }

    private static let accountScreen = "account"
    private static let entryScreen = "accountEntry"
    private static let devicesScreen = "accountDevices"
    private static let passwordScreen = "accountPassword"
    private static let moveScreen = "accountMove"
    private static let deliveryScreen = "delivery"
}

extension ScreenFace {
    /// Offers an action of an account's screens.
    mutating func offer(_ action: AccountScreenAction, _ label: Words) { offer(action.json, label) }
}
