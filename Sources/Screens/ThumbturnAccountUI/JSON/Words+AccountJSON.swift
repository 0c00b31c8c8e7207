package import ThumbturnJSON
package import ThumbturnRules
import ThumbturnScreenJSON

extension Words {
    /// Every text of an account's screens in one language, under its name in Swift; `json(in:)` has the others.
    package static func accountJSON(in language: Language) -> JSON {
        .sorted(accountNamed.map { ($0.key, .string($0.value.in(language))) })
    }

    static let accountNamed: [String: Words] = [
        "account": account, "createAccount": createAccount, "logIn": logIn, "accountExplanation": accountExplanation,
        "accountName": accountName, "passwordAdvice": passwordAdvice, "unusualPassword": unusualPassword,
        "askingService": askingService, "accountExisted": accountExisted, "back": back,
        "changedEverywhere": changedEverywhere, "passwordUncertain": passwordUncertain, "samePassword": samePassword,
        "changeLeaves": changeLeaves, "accountDevices": accountDevices, "showDevices": showDevices,
        "thisDevice": thisDevice, "unnamedDevice": unnamedDevice, "listedSince": listedSince, "notListed": notListed,
        "revoke": revoke, "revokeQuestion": revokeQuestion, "revokeWarning": revokeWarning, "revoked": revoked,
        "removedHere": removedHere, "serviceElsewhereQuestion": serviceElsewhereQuestion,
        "serviceKnownAt": serviceKnownAt, "serviceAskedAt": serviceAskedAt, "followWarning": followWarning,
        "follow": follow, "allSent": allSent, "eventWaits": eventWaits, "eventsWait": eventsWait,
        "lastSent": lastSent, "sendNow": sendNow, "logNeedsLogin": logNeedsLogin, "logRefuses": logRefuses,
        "logContradicts": logContradicts,
    ]
}
