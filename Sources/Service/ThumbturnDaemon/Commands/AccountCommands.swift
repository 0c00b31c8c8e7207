import ThumbturnConsole
import ThumbturnJSON
import ThumbturnRules
import ThumbturnService

// The operator's commands about accounts, which also work while the service is running.
extension Context {
    func countAccounts(_ places: Places) throws(Failure) {
        let store = try open(environment.store(places), making: false)
        let count: Int64
        do throws(StoreError) { count = try AccountDesk.count(in: store) } catch { throw Failure(error) }
        try output.print(Words("accounts: \(count)", "comptes : \(count)"), json: ["accounts": .integer(count)])
    }

    func showAccount(_ text: String, _ places: Places) throws(Failure) {
        let name = try accountName(text)
        let desk = try desk(places)
        let sheet = try found { () throws(Problem) in try AccountDesk.sheet(of: name, desk.keys, in: desk.store) }
        let members = [("account", JSON.string(name.text))] + sheet.members
        try output.print(Self.words(name, sheet), json: .object(members))
    }

    func closeAccount(_ text: String, _ places: Places) throws(Failure) {
        let name = try accountName(text)
        let desk = try desk(places)
        let userID = try found { () throws(Problem) in try AccountDesk.close(name, desk.keys, in: desk.store) }
        try output.print(
            Words(
                "closed \(name.text): its password, envelope, logins and devices are gone",
                "\(name.text) est fermé : mot de passe, enveloppe, sessions et appareils ont disparu"
            ),
            json: ["account": .string(name.text), "userId": .string(userID.text)]
        )
    }

    private func accountName(_ text: String) throws(Failure) -> AccountName {
        guard let name = AccountName(text) else { throw Failure(.accountNameInvalid) }
        return name
    }

    /// Opens the database and its keys; a database without a name key has no accounts either.
    private func desk(_ places: Places) throws(Failure) -> (keys: AccountKeys, store: any Store) {
        let store = try open(environment.store(places), making: false)
        let file = try environment.serviceKey(places)
        let isUsed: Bool
        do throws(StoreError) { isUsed = try NameKey.isEstablished(in: store) } catch { throw Failure(error) }
        guard isUsed else { throw Failure(.accountUnknown) }
        let keys = try keyed { () throws(ServiceKeyError) in try ServiceKeys(file) }
        do throws(StoreError) {
            return (try AccountKeys(names: .establish(in: store, keys), service: keys, store: store), store)
        } catch {
            throw Failure(error)
        }
    }

    private func found<Result>(_ call: () throws(Problem) -> Result?) throws(Failure) -> Result {
        let result: Result?
        do throws(Problem) { result = try call() } catch { throw Failure(error.failure ?? .damaged) }
        guard let result else { throw Failure(.accountUnknown) }
        return result
    }

    private static func words(_ name: AccountName, _ sheet: AccountDesk.Sheet) -> Words {
        let (made, changed) = (sheet.createdAt.text, sheet.passwordChangedAt.text)
        let devices = sheet.listing.map { device in
            "\n  \(device.id)  \(device.createdAt.text)" + (device.name.map { "  " + $0 } ?? "")
        }.joined()
        return Words(
            """
            \(name.text), \(sheet.userID.text)
            registered \(made); password set \(changed), epoch \(sheet.policyEpoch); group \(sheet.group)
            devices: \(sheet.listing.count)\(devices)
            """,
            """
            \(name.text), \(sheet.userID.text)
            inscrit \(made) ; mot de passe du \(changed), époque \(sheet.policyEpoch) ; groupe \(sheet.group)
            appareils : \(sheet.listing.count)\(devices)
            """
        )
    }
}
