import Thumbturn
import ThumbturnConsole

// policy show, set.
extension Context {
    func showPolicy() async throws {
        let snapshot = try await withVault(mayLeaveTPM: false, asksService: false) { vault, _ in await vault.snapshot }
        // An unreadable head has no policy to show.
        guard snapshot.headIsReadable else { throw Failure(.vaultTampered) }
        let rules = PolicyRule.all(of: snapshot.policy)
        let width = rules.map(\.name.count).max() ?? 0
        let lines = rules.map { rule in
            Words(rule.name + String(repeating: " ", count: width + 2 - rule.name.count))
                + snapshot.line(of: rule)
        }
        try output.print(lines.joined(separator: "\n"), json: snapshot.policyJSON)
    }

    func setPolicy(_ setting: PolicySetting) async throws {
        // Do not adopt the pending policy: a rule set back here must never take effect, although the PIN is given.
        try await withVault(mayLeaveTPM: false, adoptsPolicy: false, readsWallets: false) { vault, _ in
            let former = await vault.snapshot
            guard PolicyRule.all(of: former.policy).contains(setting.rule) else {
                throw Failure(.accountRequired, hint: PolicyName.accountVault)
            }
            let authorization = try await authorize(vault)
            try await vault.setPolicy(authorization) { setting.apply(to: &$0) }
            let snapshot = await vault.snapshot
            try output.print(
                Words(setting.rule.name + " ") + snapshot.line(of: setting.rule),
                json: snapshot.policyJSON
            )
            if former.biometrics == .enabled, snapshot.biometrics == .disabled {
                output.note(
                    Words(
                        "biometrics are off: this device protects their key less than the rule demands",
                        "la biométrie est désactivée : cet appareil protège sa clé moins que la règle ne l'exige"
                    )
                )
            }
        }
    }

    /// Reports which rules the PIN just given has relaxed.
    ///
    /// - Parameter former: the vault's state before.
    func tellOfPolicy(_ vault: Vault, since former: VaultSnapshot) async {
        let snapshot = await vault.snapshot
        guard former.nextPolicy != nil, snapshot.nextPolicy == nil, snapshot.policy != former.policy else { return }
        for rule in PolicyRule.all where rule.value(in: snapshot.policy) != rule.value(in: former.policy) {
            output.note(
                Words("from now on: ", "désormais : ") + Words(rule.name + " " + rule.value(in: snapshot.policy))
            )
        }
    }
}

extension VaultSnapshot {
    /// Returns a rule's current value, and the pending one if there is any.
    fileprivate func line(of rule: PolicyRule) -> Words {
        let now = Words(rule.value(in: policy))
        guard let next = waiting(rule) else { return now }
        return now + Words(", \(next) ") + onceProved
    }

    /// Says when a relaxed rule takes effect.
    private var onceProved: Words {
        switch (mode, policy.strongFactor) {
        case (.system, _): Words("once the device has asked again", "dès que l'appareil aura redemandé")
        case (.local, .localSecret): Words("once the PIN is given again", "dès que le code sera redonné")
        case (.local, .accountPassword):
            Words("once the password is given again", "dès que le mot de passe sera redonné")
        }
    }

    /// Returns a rule's value from the next strong unlock on; `nil` if it stays the same.
    private func waiting(_ rule: PolicyRule) -> String? {
        guard let next = nextPolicy.map(rule.value), next != rule.value(in: policy) else { return nil }
        return next
    }

    /// The rules that the next strong unlock relaxes, one per line.
    var waitingLines: [Words] {
        PolicyRule.all.compactMap { rule in
            waiting(rule).map { Words("\(rule.name) \($0) ") + onceProved }
        }
    }

    fileprivate var policyJSON: JSON { ["policy": policy.json, "nextPolicy": nextPolicy?.json ?? .null] }
}
