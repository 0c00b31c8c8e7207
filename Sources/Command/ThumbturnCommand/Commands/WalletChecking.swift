import Thumbturn
import ThumbturnConsole

// wallet check.
extension Context {
    /// Opens every name and every secret, and reports how many wallets are whole and what is left of the others.
    func checkWallets(from source: WalletSource) async throws {
        let reading = try await inventory(from: source, openingSecrets: true)
        let inventory = reading.inventory
        let count = inventory.wallets.count(where: inventory.isWhole)
        var members: [(String, JSON)] = [("isWhole", .bool(reading.damage == nil)), ("wholeCount", JSON(count))]
        let whole = Words("Intact: ", "Intacts : ") + .wallets(count) + Words(".")
        guard var damage = reading.damage else {
            tell(ofChangeIn: reading)
            return try output.print(whole, json: .object(members))
        }
        members += inventory.members + [("error", output.json(of: damage))]
        let unlabelled = inventory.wallets.filter { !inventory.isWhole($0) }
        let lines =
            unlabelled.map { Words($0.name.text + ": ", $0.name.text + " : ") + WalletInventory.labelIsDamaged }
            + inventory.damaged.map { Words($0.label + ": ", $0.label + " : ") + WalletInventory.doesNotOpen }
            + [inventory.missing].compactMap { $0 }
        try output.print(([whole] + lines).joined(separator: "\n"), json: .object(members))
        damage.isPrinted = true
        throw damage
    }
}
