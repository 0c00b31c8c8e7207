import Thumbturn
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON

/// What happens inside a vault, as the page draws it; it has no secret.
struct Inside {
    let snapshot: VaultSnapshot
    let trail: [AuditEntry]
    /// The slot that opened the session; `nil` while there is none.
    let opened: SlotKind?
    /// The machines of what is not the vault.
    let others: [Machine]

    func json(in language: Language) -> JSON {
        [
            "ledger": ledger,
            "machines": .array((Machine.all(of: snapshot) + others).map(\.json)),
            "rule": rule(in: language),
            "rules": .array(Self.rules.map(JSON.string)),
            "slots": .array(snapshot.slots.map { slot($0, in: language) }),
            "trail": .array(trail.map { $0.json(in: language) }),
        ]
    }

    /// Before there is a vault.
    static func empty(beside others: [Machine]) -> JSON {
        [
            "ledger": .null, "machines": .array(others.map(\.json)), "rule": .null, "rules": .array([]),
            "slots": .array([]), "trail": .array([]),
        ]
    }

    private func slot(_ slot: VaultSnapshot.Slot, in language: Language) -> JSON {
        [
            "assurance": JSON(slot.assurance?.name), "createdAt": .integer(slot.createdAt.count),
            "isOpen": .bool(slot.kind == opened), "isRevoked": .bool(slot.isRevoked),
            "kind": .string(slot.kind.name), "text": .string(slot.kind.text.in(language)),
        ]
    }

    private var ledger: JSON {
        var members: [(String, JSON)] = [
            ("decision", .string(AttemptsBox(snapshot.nextAttempt).rawValue)),
            ("failedPrompts", .integer(Int64(snapshot.failedBiometricAttempts))),
            ("failures", .integer(Int64(snapshot.failedAttempts))),
            ("isReliable", .bool(snapshot.ledgerIsReliable)),
            ("limit", JSON(Int(AttemptSchedule.suspensionLimit))),
            ("promptLimit", .integer(Int64(snapshot.policy.biometricFailureLimit))),
        ]
        if case .wait(let remaining) = snapshot.nextAttempt {
            members.append(("countdown", .string(Countdown(remaining).text)))
            members.append(("waitMilliseconds", .integer(remaining.count)))
        }
        return .object(members)
    }

    /// The rule of the policy that fired, by its name, with its words.
    private func rule(in language: Language) -> JSON {
        let name = Self.name(of: snapshot.decision)
        let text: JSON =
            switch snapshot.decision {
            case .requireStrongFactor(let reason): .string(reason.errorCode.message().in(language))
            case .storageUnavailable: .string(ErrorCode.storageUnavailable.message().in(language))
            case .resetPending: .string(ErrorCode.resetPending.message().in(language))
            case .promptBiometrics, .promptSystem: .null
            }
        return ["name": .string(name), "text": text]
    }

    private static func name(of decision: UnlockDecision) -> String {
        switch decision {
        case .promptBiometrics: "promptBiometrics"
        case .promptSystem: "promptSystem"
        case .requireStrongFactor(let reason): reason.name
        case .storageUnavailable: "storageUnavailable"
        case .resetPending: "resetPending"
        }
    }

    /// Every rule, in the order in which the policy looks at them.
    private static let rules =
        ["storageUnavailable", "resetPending"] + StrongFactorReason.allCases.map(\.name)
        + ["promptSystem", "promptBiometrics"]
}

extension AuditEntry {
    /// A record of the trail as the page opens it.
    fileprivate func json(in language: Language) -> JSON {
        let (what, why) = kind.texts(reason: reason)
        return [
            "at": .integer(at.count), "attemptCount": .integer(Int64(attemptCount)),
            "biometrics": JSON(biometryType?.name), "count": .integer(Int64(count)), "kind": .string(kind.name),
            "reason": JSON(reason), "text": .string(what.in(language)), "why": JSON(why?.in(language)),
            "seq": seq.map { .integer(Int64(clamping: $0)) } ?? .null,
            "unlockDurationMs": unlockDuration.map { .integer($0.count) } ?? .null,
            "until": until.map { .integer($0.count) } ?? .null,
        ]
    }
}

extension AuditEventKind {
    /// The slot that such an event tells to have opened a session; `nil` for any other event.
    func opens(_ reason: String?) -> SlotKind? {
        switch self {
        case .vaultCreated, .localSecretChanged: .localSecret
        case .biometricSuccess: .biometric
        case .systemSuccess: .system
        case .passwordFallback: reason == "recoveryKey" ? .recovery : .localSecret
        default: nil
        }
    }
}
