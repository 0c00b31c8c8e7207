import Thumbturn
import ThumbturnConsole

// The keys are stable because scripts read them. Times are in milliseconds since 1970; the names of spans end in their
// unit.
extension StatusReport {
    var json: JSON {
        [
            "vault": .string(folder),
            "device": .string(snapshot.device.name),
            "keys": JSON(keys?.rawValue),
            "assurance": .string(assurance.name),
            "condition": .string(onlyExports ? "exportOnly" : snapshot.condition.name),
            "mode": .string(snapshot.mode.name),
            "state": .string(snapshot.state.name),
            "appUnlockState": .string(snapshot.appUnlockState.rawValue),
            "decision": snapshot.decision.json,
            "biometrics": biometricsJSON,
            "slots": knowsHead ? .array(snapshot.slots.map(\.json)) : .null,
            "policy": snapshot.policy.json,
            "nextPolicy": snapshot.nextPolicy?.json ?? .null,
            "account": account?.json ?? .null,
            "walletCount": knowsHead ? JSON(snapshot.walletCount) : .null,
            "attempts": attemptsJSON,
            "tpmRetryAfterSeconds": trouble?.longestWait.map { .integer($0.wholeSeconds) } ?? .null,
            "trail": trail?.json ?? .null,
            "backup": ["madeAt": JSON(backup.madeAt), "verifiedAt": JSON(backup.verifiedAt)],
            "warnings": .array(warnings.map { .string($0.rawValue) }),
        ]
    }

    var biometricsJSON: JSON {
        let capability = snapshot.capability
        return [
            "isSupported": .bool(snapshot.capability.supported),
            "isEnabled": .bool(snapshot.biometrics == .enabled),
            "state": .string(snapshot.biometrics.name),
            "revocation": JSON(snapshot.biometrics.revocation?.name),
            "available": .bool(capability.available),
            "enrolled": .bool(capability.enrolled),
            "type": .string(capability.biometryType.label),
            "reason": JSON(capability.reasonIfUnavailable?.name),
            "assurance": .string(capability.assurance.name),
            "failures": .integer(Int64(snapshot.failedBiometricAttempts)),
            "failureLimit": .integer(Int64(snapshot.policy.biometricFailureLimit)),
        ]
    }

    private var attemptsJSON: JSON {
        let failures: JSON = snapshot.ledgerIsReliable ? .integer(Int64(snapshot.failedAttempts)) : .null
        // If no attempt is possible, waiting does not help.
        switch snapshot.isShut ? .suspended : snapshot.nextAttempt {
        case .allowed: return ["failures": failures, "decision": "allowed", "retryAfterSeconds": .integer(0)]
        case .suspended: return ["failures": failures, "decision": "suspended", "retryAfterSeconds": .null]
        case .wait(let span):
            return ["failures": failures, "decision": "wait", "retryAfterSeconds": .integer(span.wholeSeconds)]
        }
    }
}

extension BiometricCapability.BiometryType {
    /// The kind of biometry; the names of seed 002 are those of a phone's sensors.
    var label: String {
        switch self {
        case .none: "none"
        case .touchID: "fingerprint"
        case .faceID: "face"
        }
    }
}

extension JSON {
    /// Converts a time; `nil` becomes null.
    fileprivate init(_ time: Milliseconds?) { self = time.map { .integer($0.count) } ?? .null }
}

extension VaultAccount.Service {
    /// The service's address, followed by its name if that differs.
    var words: Words { name == address ? Words(address) : Words(address) + Words(", named ", ", nommé ") + Words(name) }
}

extension VaultAccount {
    var json: JSON {
        [
            "name": .string(name), "service": .string(service.address), "origin": .string(service.name),
            "userId": .string(userID.text), "deviceId": .string(device.text),
        ]
    }
}

extension TrailSummary {
    var json: JSON { .object(members) }

    /// What it says of itself, in `status` and in `audit log`.
    var members: [(String, JSON)] {
        [
            ("count", .integer(Int64(clamping: count))), ("health", .string(health.rawValue)),
            ("beganBecause", JSON(beganBecause)), ("fingerprint", .string(fingerprint)),
            ("delivery", delivery?.json ?? .null),
        ]
    }
}

extension VaultSnapshot.Condition {
    var name: String {
        switch self {
        case .ready: "ready"
        case .keyMissing: "keyMissing"
        case .ledgerDamaged: "ledgerDamaged"
        case .diskFull: "diskFull"
        case .resetPending: "resetPending"
        }
    }
}

extension VaultSnapshot.Slot {
    var json: JSON {
        [
            "kind": .string(kind.name), "assurance": JSON(assurance?.name),
            "isRevoked": .bool(isRevoked), "createdAt": .integer(createdAt.count),
        ]
    }
}

extension UnlockMachine.State {
    var name: String {
        switch self {
        case .locked: "locked"
        case .promptingBiometrics: "promptingBiometrics"
        case .biometricsFailed: "biometricsFailed"
        case .requiresStrongFactor: "requiresStrongFactor"
        case .verifyingStrongFactor: "verifyingStrongFactor"
        case .promptingSystem: "promptingSystem"
        case .closedUntilReopened: "closedUntilReopened"
        case .unlocked: "unlocked"
        }
    }
}

extension UnlockDecision {
    var json: JSON {
        switch self {
        case .promptBiometrics: ["action": "promptBiometrics", "reason": .null]
        case .promptSystem: ["action": "promptSystem", "reason": .null]
        case .requireStrongFactor(let reason): ["action": "requireStrongFactor", "reason": .string("\(reason)")]
        case .storageUnavailable: ["action": "storageUnavailable", "reason": .null]
        case .resetPending: ["action": "resetPending", "reason": .null]
        }
    }
}

extension BiometricLifecycle.State {
    var name: String {
        switch self {
        case .disabled: "disabled"
        case .enabling: "enabling"
        case .enabled: "enabled"
        case .revoked: "revoked"
        }
    }

    var revocation: RevocationReason? { if case .revoked(let reason) = self { reason } else { nil } }
}

extension VaultPolicy {
    var json: JSON {
        let factor = strongFactor == .localSecret ? "localSecret" : "accountPassword"
        return .object([("strongFactor", JSON.string(factor))] + Field.all.map(member))
    }

    private func member(_ field: Field) -> (String, JSON) {
        switch field.kind {
        case .flag(let at, _): (field.name, .bool(self[at]))
        case .count(let at): (field.name, .integer(Int64(self[at])))
        case .span(let at, _): (field.name + "Seconds", .integer(self[at].wholeSeconds))
        case .limit(let at): (field.name + "Seconds", self[at].map { .integer($0.wholeSeconds) } ?? .null)
        case .assurance(let at): (field.name, .string(self[at].name))
        case .optionalAssurance(let at): (field.name, JSON(self[at]?.name))
        }
    }
}
